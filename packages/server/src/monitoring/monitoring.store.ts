import {
  fold,
  METRIC_TYPES,
  type MetricDefinition,
  type MetricInherited,
  type Thresholds,
  UNITS,
} from '@narval/contracts'
import {
  type MetricState,
  SEVERITIES,
  type Severity,
  severityRank,
  UNKNOWN_CAUSES,
  type UnknownCause,
} from '@narval/engine'
import { sql } from 'kysely'
import { batches } from '../store/batches.ts'
import type { Db } from '../store/database.ts'
import type { MetricEntry } from './fleet/model.ts'

export const severityOf = (rank: number): Severity => SEVERITIES[rank] ?? 'unknown'
const causeOf = (text: string | null): UnknownCause | null => UNKNOWN_CAUSES.find(cause => cause === text) ?? null

export interface MetricRow {
  id: number
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
  enabled: number
  created_at: number
  severity_rank: number | null
  hard_rank: number | null
  kind: string | null
  attempt: number | null
  cause: string | null
  hard_cause: string | null
  incident_rank: number | null
  held: number | null
  raised: number | null
  since: number | null
  hard_since: number | null
  problem_since: number | null
  information: string | null
  incident_id: number | null
  flapping: number | null
  acknowledged_at: number | null
  parent_id: number | null
}

/** The state that a row keeps; null when there is none yet. */
export const stateOfRow = (row: MetricRow): MetricState | null =>
  row.severity_rank === null
    ? null
    : {
        severity: severityOf(row.severity_rank),
        kind: row.kind === 'soft' ? 'soft' : 'hard',
        attempt: row.attempt ?? 0,
        hardSeverity: severityOf(row.hard_rank ?? 2),
        sinceMs: row.since ?? row.created_at,
        hardSinceMs: row.hard_since ?? row.created_at,
        cause: causeOf(row.cause),
        hardCause: causeOf(row.hard_cause),
        raised: row.raised ?? 0,
        problemSinceMs: row.problem_since,
        incident: row.incident_rank === null ? null : severityOf(row.incident_rank),
        held: row.held ?? 0,
        flapping: row.flapping ?? 0,
      }

export const unitOf = (text: string): MetricEntry['unit'] => UNITS.find(unit => unit === text) ?? ''
export const typeOf = (text: string): MetricEntry['type'] => METRIC_TYPES.find(type => type === text) ?? 'gauge'

export interface NewIncident {
  readonly eventKey: string
  readonly metric: MetricEntry
  readonly severity: Severity
  readonly information: string
  readonly openedMs: number
}

/** Opens an incident once: the same key again gives the one that is there. */
export const openIncident = async (db: Db, incident: NewIncident): Promise<number> => {
  const { host } = incident.metric.scanner
  await db
    .insertInto('incident')
    .values({
      event_key: incident.eventKey,
      metric_id: incident.metric.id,
      host_id: host.id,
      site_id: host.site.id,
      severity_rank: severityRank(incident.severity),
      worst_rank: severityRank(incident.severity),
      information: incident.information,
      opened_at: incident.openedMs,
      closed_at: null,
      acknowledged_by: null,
      acknowledged_at: null,
      acknowledged_comment: null,
    })
    .onConflict(conflict => conflict.column('event_key').doNothing())
    .execute()
  const row = await db
    .selectFrom('incident')
    .select('id')
    .where('event_key', '=', incident.eventKey)
    .executeTakeFirstOrThrow()
  return row.id
}

/** The worst rank of an incident, once it has had this severity too. */
const worseRank = (severity: Severity) => {
  const rank = sql.lit(severityRank(severity))
  return sql<number>`case when worst_rank < ${rank} then worst_rank else ${rank} end`
}

export const changeIncident = (db: Db, id: number, severity: Severity, information: string) =>
  db
    .updateTable('incident')
    .set({
      severity_rank: severityRank(severity),
      worst_rank: worseRank(severity),
      information,
    })
    .where('id', '=', id)
    .execute()

export const closeIncident = (db: Db, id: number, closedMs: number) =>
  db.updateTable('incident').set({ closed_at: closedMs }).where('id', '=', id).where('closed_at', 'is', null).execute()

export interface OutboxEntry {
  readonly eventKey: string
  readonly atMs: number
  readonly severity: Severity
  readonly type: string
  readonly title: string
  readonly message: string
  readonly link: string
  readonly incidentId: number | null
}

/** An alert that was written and is now to be pushed. */
export interface Alert extends OutboxEntry {
  readonly id: number
}

/** @returns the id given to the entry, null when its key was there already. */
export const insertOutbox = async (db: Db, entry: OutboxEntry): Promise<number | null> => {
  const row = await db
    .insertInto('outbox')
    .values({
      event_key: entry.eventKey,
      at: entry.atMs,
      severity_rank: severityRank(entry.severity),
      type: entry.type,
      title: entry.title,
      message: entry.message,
      link: entry.link,
      incident_id: entry.incidentId,
      account_id: null,
      text_folded: fold(`${entry.title} ${entry.message}`),
    })
    .onConflict(conflict => conflict.column('event_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** What people were last told of a probe. */
export const saveAnnounced = (db: Db, probeId: number, announced: 'online' | 'offline') =>
  db.updateTable('probe').set({ announced }).where('id', '=', probeId).execute()

export const savePosition = (db: Db, name: string, position: number) =>
  db
    .insertInto('position')
    .values({ name, position })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ position }))
    .execute()

export const readPosition = async (db: Db, name: string): Promise<number> =>
  (await db.selectFrom('position').select('position').where('name', '=', name).executeTakeFirst())?.position ?? 0

export interface NewMetric {
  readonly hostId: number
  readonly scannerId: number
  readonly key: string
  readonly definition: MetricDefinition
  /** Fields that its first value settled, and that its kind or model does not say any more. */
  readonly own?: readonly MetricInherited[]
}

/** Creates metrics that a result brought for the first time; a key that exists already is left as it is. */
export const insertMetrics = async (
  db: Db,
  metrics: readonly NewMetric[],
  thresholds: (definition: MetricDefinition) => Thresholds,
  nowMs: number,
): Promise<void> => {
  for (const some of batches(metrics))
    await db
      .insertInto('metric')
      .values(
        some.map(metric => ({
          host_id: metric.hostId,
          scanner_id: metric.scannerId,
          key: metric.key,
          name: metric.definition.name,
          name_folded: fold(metric.definition.name),
          unit: metric.definition.unit,
          type: metric.definition.type,
          thresholds: JSON.stringify(thresholds(metric.definition)),
          attempts: null,
          no_data: 'unknown',
          enabled: 1 as const,
          overrides: JSON.stringify(metric.own ?? []),
          created_at: nowMs,
          updated_at: nowMs,
          updated_by: null,
        })),
      )
      .onConflict(conflict => conflict.columns(['scanner_id', 'key']).doNothing())
      .execute()
}
