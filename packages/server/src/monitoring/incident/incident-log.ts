import { INCIDENT_EVENTS, type IncidentEvent, type IncidentEventKind } from '@narval/contracts'
import { type Severity, severityRank } from '@narval/engine'
import type { Db } from '../../store/database.ts'
import { createRowWriter } from '../../store/row-writer.ts'
import { toIso } from '../../store/time.ts'
import { createTurns, type Turn } from '../../turns.ts'
import { severityOf } from '../monitoring.store.ts'

/** One line of an incident's timeline, to be written in the transaction of what it tells. */
export interface NewIncidentEvent {
  /** Unique, and the same each time that what it tells is judged again: the line is written once. */
  readonly key: string
  readonly incidentId: number
  readonly atMs: number
  readonly kind: IncidentEventKind
  readonly severity?: Severity | null
  /** Login; left out: Narval. */
  readonly actor?: string | null
  /** French sentence; left out where the kind says all. */
  readonly text?: string
  /** What else is to be kept of that moment, as JSON. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export const insertIncidentEvent = (trx: Db, event: NewIncidentEvent): Promise<void> =>
  insertIncidentEvents(trx, [event])

const putLines = createRowWriter<ReturnType<typeof rowOf>>((trx, rows) =>
  trx
    .insertInto('incident_event')
    .values(rows)
    .onConflict(conflict => conflict.column('event_key').doNothing()),
)

const rowOf = ({ key, incidentId, atMs, kind, severity, actor, text, detail }: NewIncidentEvent) => ({
  event_key: key,
  incident_id: incidentId,
  at: atMs,
  kind,
  severity_rank: severity == null ? null : severityRank(severity),
  actor: actor ?? null,
  text: text ?? '',
  detail: JSON.stringify(detail ?? {}),
})

/** Writes lines in this order, each once. */
export const insertIncidentEvents = (
  trx: Db,
  events: readonly NewIncidentEvent[],
  turn: Turn = createTurns(),
): Promise<void> => putLines(trx, events.map(rowOf), turn)

/** Lines of one incident's timeline at most: an incident that flaps for weeks keeps its newest. */
const MAX_LINES = 1_000

/** What happened to an incident, oldest first. */
export const readTimeline = async (db: Db, incidentId: number): Promise<IncidentEvent[]> => {
  const rows = await db
    .selectFrom('incident_event')
    .select(['id', 'at', 'kind', 'severity_rank', 'actor', 'text'])
    .where('incident_id', '=', incidentId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LINES)
    .execute()
  return rows.toReversed().flatMap(row => {
    const kind = INCIDENT_EVENTS.find(one => one === row.kind)
    if (kind === undefined) return []
    const severity = row.severity_rank === null ? null : severityOf(row.severity_rank)
    return [{ id: row.id, at: toIso(row.at), kind, severity, actor: row.actor, text: row.text }]
  })
}
