import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface MetricTable extends Stamped {
  id: Generated<number>
  host_id: number
  scanner_id: number
  key: string
  name: string
  name_folded: string
  unit: string
  type: string
  thresholds: string
  attempts: number | null
  no_data: string
  enabled: Bit
  /** JSON list of the fields that are its own; the others come from the model, else from the check kind. */
  overrides: Generated<string>
  /** JSON: side of a threshold → formula over custom fields, from which that side of `thresholds` was computed. */
  formulas: Generated<string>
}

export interface MetricTables {
  metric: MetricTable
}
