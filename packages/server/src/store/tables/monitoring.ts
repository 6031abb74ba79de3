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
  /** Changes of severity among the last results (`engine/flapping.ts`). */
  flapping: Generated<number>
  updated_at: number
}

interface IncidentTable {
  id: Generated<number>
  /** Derived from what opened it, unique: the same result evaluated twice opens it once. */
  event_key: string
  /** `metric`, `probe`, `link`: what it is about; the ids beside it follow. */
  kind: Generated<string>
  metric_id: number | null
  host_id: number | null
  site_id: number | null
  probe_id: number | null
  severity_rank: number
  /** The worst that it has been. */
  worst_rank: Generated<number>
  information: string
  opened_at: number
  closed_at: number | null
  acknowledged_by: string | null
  acknowledged_at: number | null
  acknowledged_comment: string | null
  /** Holds when the severity changes. */
  acknowledged_sticky: Generated<0 | 1>
  acknowledged_until: number | null
  /** Login of who takes care of it. */
  owner: string | null
  /** The incident that explains it. */
  parent_id: number | null
  merged_at: number | null
  /** Null: the engine. */
  merged_by: string | null
  /** How often it came back after it had ended. */
  reopened: Generated<number>
  /** When it last did; null: never. */
  reopened_at: number | null
  flapping: Generated<0 | 1>
}

/** What happened to an incident, in order. */
interface IncidentEventTable {
  id: Generated<number>
  event_key: string
  incident_id: number
  at: number
  kind: string
  severity_rank: number | null
  /** Login of who did it; null: Narval. */
  actor: string | null
  text: string
  /** JSON. */
  detail: string
}

/** A host that an incident takes along. */
interface IncidentEffectTable {
  id: Generated<number>
  incident_id: number
  host_id: number
  /** `cut`: it can't be reached; `blind`: something of it is unknown, as its probe is silent or can't reach it. */
  kind: Generated<'cut' | 'blind'>
  since: number
  until: number | null
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
  /** Title and message, folded. */
  text_folded: Generated<string>
}

/** What an account has read beyond the place up to which it has read all. */
interface NotificationReadTable {
  account_id: number
  outbox_id: number
}

/** Places reached by readers of the journal (`applied`). */
interface PositionTable {
  name: string
  position: number
}

export interface MonitoringTables {
  metric_state: MetricStateTable
  incident: IncidentTable
  incident_event: IncidentEventTable
  incident_effect: IncidentEffectTable
  notification_read: NotificationReadTable
  outbox: OutboxTable
  position: PositionTable
}
