import type { Generated } from 'kysely'

interface SettingTable {
  key: string
  value: string
  updated_at: number
  updated_by: string | null
}

/** Who did what, from where, and how it ended (rule: every change is audited). */
interface AuditTable {
  id: Generated<number>
  at: number
  /** Login of who did it; null for nobody known. */
  actor: string | null
  address: string
  action: string
  /** What it was done to: `account 12`. */
  object: string
  outcome: string
  /** JSON of what is worth knowing; never a secret. */
  detail: string
}

export interface PlatformTables {
  setting: SettingTable
  audit: AuditTable
}
