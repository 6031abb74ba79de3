import type { Generated } from 'kysely'
import type { Stamped } from './row.ts'

export interface CredentialTable extends Stamped {
  id: Generated<number>
  owner_kind: string
  owner_id: number
  kind: string
  /** JSON of what is no secret. */
  settings: string
  /** JSON of the secrets, encrypted and bound to this row's owner and kind; '' when there is none. */
  secret: string
}

export interface CredentialTables {
  credential: CredentialTable
}
