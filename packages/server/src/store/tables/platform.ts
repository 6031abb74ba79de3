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
  /** `audit` or `event`. */
  kind: Generated<string>
  /** First word of `object`. */
  object_kind: Generated<string>
  /** The site that it is about; null: about none, read by who reads all. */
  site_id: number | null
  /** The received message that it stands for, and goes with. */
  event_id: number | null
  /** What it is found by; see `audit-words.ts`. */
  words: Generated<string>
  /** Proves who wrote it; see `audit-seal.ts`. */
  mark: Generated<string>
  /** Its place in the chain from 1 on; null: not yet sealed; 0: never is (received messages); -1: refused. */
  position: number | null
  /** Its seal, which covers those before; empty until it is sealed. */
  seal: Generated<string>
}

/** Up to where the oldest entries were dropped: one row at most. */
interface AuditCheckpointTable {
  id: number
  position: number
  /** Seal of the last one dropped. */
  seal: string
  at: number
  mark: string
}

export interface PlatformTables {
  setting: SettingTable
  audit: AuditTable
  audit_checkpoint: AuditCheckpointTable
}
