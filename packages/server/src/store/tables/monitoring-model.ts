import type { Generated } from 'kysely'
import type { Stamped } from './row.ts'

interface MonitoringModelTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  description: string
  /** JSON in the shape of `modelDefinition`. */
  definition: string
}

/** What a model was before each change, so that it can be undone. */
interface MonitoringModelVersionTable {
  id: Generated<number>
  model_id: number
  name: string
  description: string
  definition: string
  at: number
  changed_by: string | null
}

interface HostMonitoringModelTable {
  host_id: number
  model_id: number
  /** The first one wins where two say something of the same scanner. */
  position: number
}

/** The model that ships under a key; null once it was deleted. */
interface ShippedModelTable {
  key: string
  model_id: number | null
}

export interface MonitoringModelTables {
  monitoring_model: MonitoringModelTable
  monitoring_model_version: MonitoringModelVersionTable
  host_monitoring_model: HostMonitoringModelTable
  shipped_model: ShippedModelTable
}
