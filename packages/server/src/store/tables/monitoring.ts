import type { Generated } from 'kysely'

interface MetricStateTable {
  metric_id: number
  severity_rank: number
  hard_rank: number
  kind: string
  attempt: number
  cause: string | null
  hard_cause: string | null
  /** Severity last told of the open incident; null when none is open. */
  incident_rank: number | null
  held: number
  raised: number
  since: number
  hard_since: number
  problem_since: number | null
  information: string
  incident_id: number | null
  updated_at: number
}

interface IncidentTable {
  id: Generated<number>
  /** Derived from what opened it, unique: the same result evaluated twice opens it once. */
  event_key: string
  metric_id: number
  host_id: number
  site_id: number
  severity_rank: number
  information: string
  opened_at: number
  closed_at: number | null
  acknowledged_by: string | null
  acknowledged_at: number | null
  acknowledged_comment: string | null
}

interface OutboxTable {
  id: Generated<number>
  event_key: string
  at: number
  severity_rank: number
  type: string
  title: string
  message: string
  link: string
  incident_id: number | null
  /** Whom alone it concerns; null for everybody. */
  account_id: number | null
}

/** Places reached by readers of the journal (`applied`). */
interface PositionTable {
  name: string
  position: number
}

export interface MonitoringTables {
  metric_state: MetricStateTable
  incident: IncidentTable
  outbox: OutboxTable
  position: PositionTable
}
