import type { Generated } from 'kysely'

interface DisplayTokenTable {
  id: Generated<number>
  name: string
  /** SHA-256 of the token, in hex. */
  hash: string
  /** It shows this site alone; null: all. */
  site_id: number | null
  created_at: number
  created_by: string | null
  expires_at: number
  last_used_at: number | null
  /** From where that was. */
  last_address: string
}

export interface DisplayTables {
  display_token: DisplayTokenTable
}
