import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface FieldGroupTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  position: number
}

interface FieldDefinitionTable extends Stamped {
  id: Generated<number>
  key: string
  label: string
  label_folded: string
  help: string
  type: string
  unit: string
  default_value: string
  required: Bit
  regex: string
  min_value: number | null
  max_value: number | null
  /** JSON list of texts. */
  choices: string
  group_id: number
  position: number
  scope: string
  /** JSON list of the ids of the types concerned; empty: all. */
  types: string
}

interface FieldPrivilegeTable {
  user_group_id: number
  field_group_id: number
  level: string
}

interface FieldPrivilegeOverrideTable {
  user_group_id: number
  definition_id: number
  level: string
}

interface FieldValueTable {
  definition_id: number
  owner_id: number
  /** As text in the form of its type; ciphertext for a secret. */
  value: string
  value_folded: string
  value_number: number | null
  updated_at: number
  updated_by: string | null
}

interface FieldHistoryTable {
  id: Generated<number>
  definition_id: number
  owner_id: number
  before: string | null
  after: string | null
  at: number
  changed_by: string | null
}

export interface CustomFieldTables {
  field_group: FieldGroupTable
  field_definition: FieldDefinitionTable
  field_privilege: FieldPrivilegeTable
  field_privilege_override: FieldPrivilegeOverrideTable
  field_value: FieldValueTable
  field_history: FieldHistoryTable
}
