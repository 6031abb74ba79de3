import type { Generated } from 'kysely'

/** One rule that an object has of its own; the id of the object stands in the column of its scope too. */
interface RuleSettingTable {
  id: Generated<number>
  scope: string
  object_id: number
  site_id: number | null
  model_id: number | null
  host_id: number | null
  scanner_id: number | null
  metric_id: number | null
  key: string
  /** JSON: a whole number, or true or false. */
  value: string
  updated_at: number
  updated_by: string | null
}

export interface RuleSettingTables {
  rule_setting: RuleSettingTable
}
