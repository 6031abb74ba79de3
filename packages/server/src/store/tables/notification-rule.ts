import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface NotificationRuleTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  position: number
  enabled: Bit
  /** JSON of all else that a rule says. */
  settings: string
}

/** Those that are not over. */
interface NotificationThreadTable {
  id: Generated<number>
  rule_id: number | null
  rule_name: string
  tell_recovery: Bit
  /** 0: of no site. */
  site_id: number
  /** JSON of the engine's `Thread`. */
  state: string
  created_at: number
  updated_at: number
}

export interface NotificationRuleTables {
  notification_rule: NotificationRuleTable
  notification_thread: NotificationThreadTable
}
