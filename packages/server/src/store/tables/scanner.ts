import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface ScannerTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  kind: string
  host_id: number
  probe_id: number | null
  interval_seconds: number | null
  retry_interval_seconds: number | null
  timeout_ms: number | null
  attempts: number | null
  parameters: string
  enabled: Bit
  /** The monitoring model, and the item of it, that this scanner comes from; null for a scanner of the host alone. */
  model_id: Generated<number | null>
  model_item: Generated<string | null>
  /** JSON list of the fields that are its own although it comes from a model. */
  overrides: Generated<string>
}

/** Its last runs, packed by `monitoring/run/run-log.ts`. */
interface ScannerRunsTable {
  scanner_id: number
  runs: string
  failures: string
}

export interface ScannerTables {
  scanner: ScannerTable
  scanner_runs: ScannerRunsTable
}
