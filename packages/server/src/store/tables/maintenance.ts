import type { Generated } from 'kysely'
import type { Bit, Stamped } from './row.ts'

interface MaintenanceTable extends Stamped {
  id: Generated<number>
  comment: string
  comment_folded: string
  /** `one-off` or `recurring`. */
  kind: string
  /** First start that is possible. */
  starts_at: number
  /** Null: a rule, which says itself when it ends. */
  ends_at: number | null
  rrule: string | null
  start_local: string | null
  duration_minutes: number | null
  time_zone: string | null
  flexible_minutes: number | null
  propagate: Bit
  /** Login of who planned it. */
  author: string | null
  /** A window beside the schedule: one that was extended or opened again. */
  extra_from: number | null
  extra_to: number | null
  /** Windows of the schedule that start until then are over. */
  skipped_through: number | null
}

interface MaintenanceObjectTable {
  id: Generated<number>
  maintenance_id: number
  site_id: number | null
  host_id: number | null
  metric_id: number | null
}

interface MaintenanceRunTable {
  id: Generated<number>
  maintenance_id: number | null
  comment: string
  /** Start of its window in the schedule. */
  occurrence_at: number
  started_at: number
  until: number
  ended_at: number | null
  ended_by: string | null
  host_count: number
  metric_count: number
  /** Ids as ranges: « 1-40,52 ». */
  hosts: string
  metrics: string
  /** Metrics that were bad when it started. */
  bad_at_start: string
  /** JSON; null until its end. */
  report: string | null
}

export interface MaintenanceTables {
  maintenance: MaintenanceTable
  maintenance_object: MaintenanceObjectTable
  maintenance_run: MaintenanceRunTable
}
