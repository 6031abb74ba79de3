import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface ProbeTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  site_id: number | null
  /** pending, approved, revoked; online or offline is derived from the last contact. */
  approval: string
  local: Bit
  public_key: string
  version: string
  address: string
  last_contact_at: number | null
  boot_id: string | null
  /** What people were last told of it: online, offline; null: nothing yet. */
  announced: string | null
}

interface ProbeCodeTable {
  /** SHA-256 of the secret, in hex. */
  hash: string
  created_at: number
  expires_at: number
  used_at: number | null
  created_by: string | null
  /** The probe enrolled by it is approved at once (the local probe). */
  approves: Bit
}

export interface ProbeTables {
  probe: ProbeTable
  probe_code: ProbeCodeTable
}
