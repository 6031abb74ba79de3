import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

/** One of the four ids is set, by its kind. */
interface CommentTable extends Stamped {
  id: Generated<number>
  kind: string
  site_id: number | null
  host_id: number | null
  metric_id: number | null
  incident_id: number | null
  text: string
  author_id: number | null
  author: string
  pinned: Bit
  from_at: number | null
  to_at: number | null
  edited_at: number | null
}

/** Accounts that asked for other alerts than those of everybody. */
interface AlertSettingTable {
  account_id: number
  error: Bit
  warning: Bit
  unknown: Bit
  recovery: Bit
  mine: Bit
  acts: Bit
  /** JSON list of ids; null for all. */
  sites: string | null
  /** JSON of the quiet hours; null for none. */
  quiet: Generated<string | null>
}

export interface CommentTables {
  comment: CommentTable
  alert_setting: AlertSettingTable
}
