import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface SavedViewTable extends Stamped {
  id: Generated<number>
  account_id: number
  list: string
  name: string
  query: string
  shared: Bit
}

interface ListPreferenceTable {
  account_id: number
  list: string
  columns: string
}

interface ImportMappingTable {
  account_id: number
  entity: string
  header: string
  mapping: string
  used_at: number
}

export interface ListTables {
  saved_view: SavedViewTable
  list_preference: ListPreferenceTable
  import_mapping: ImportMappingTable
}
