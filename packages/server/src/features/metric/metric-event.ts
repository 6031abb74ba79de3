import {
  grants,
  METRIC_EVENT_OBJECTS,
  METRIC_EVENTS_MAX,
  type MetricEvent,
  type MetricEventKind,
  type MetricEvents,
} from '@narval/contracts'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Db } from '../../store/database.ts'
import { inRanges } from '../../store/id-ranges.ts'
import type { Schema } from '../../store/schema.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'

export interface EventQuery {
  readonly ids: number[]
  readonly from: string
  readonly to: string
}

interface Period {
  readonly fromMs: number
  readonly toMs: number
}
type EventObject = MetricEvent['object']

/** Runs of maintenance that are looked at: what they cover is text, which no index knows. */
const RUNS_READ = 5_000
/** One more than is shown tells that there are more. */
const READ = METRIC_EVENTS_MAX + 1

/**
 * What happened around metrics that the viewer sees, within a period: their incidents, the maintenances that covered them,
 * what was written on them, their hosts and sites, and, for who may read the journal, what was changed of them.
 */
export const readMetricEvents = async (
  db: Db,
  viewer: Viewer,
  metrics: readonly MetricEntry[],
  query: EventQuery,
): Promise<MetricEvents> => {
  const period = { fromMs: Date.parse(query.from), toMs: Date.parse(query.to) }
  if (period.fromMs >= period.toMs)
    throw invalid(['Le début de la période doit précéder sa fin.'], { from: 'Avant la fin' })
  if (metrics.length === 0) return { events: [], truncated: false }
  const places = placesOf(metrics)
  const found = [
    await readIncidents(db, places, period),
    await readMaintenances(db, places, period),
    await readWritten(db, places, period),
    grants(viewer.claims, 'log_read') ? await readChanged(db, places, period) : [],
  ]
  return {
    events: found
      .flatMap(events => events.slice(0, METRIC_EVENTS_MAX))
      .toSorted((a, b) => a.from.localeCompare(b.from) || a.id - b.id),
    truncated: found.some(events => events.length > METRIC_EVENTS_MAX),
  }
}

/** An object on which metrics stand, and which of those asked these are. */
interface Place {
  readonly object: EventObject
  readonly id: number
  readonly name: string
  readonly metricIds: number[]
}

const placesOf = (metrics: readonly MetricEntry[]) => {
  const places = new Map<string, Place>()
  const add = (object: EventObject, id: number, name: string, metricId: number): void => {
    const place = places.get(`${object} ${id}`) ?? { object, id, name, metricIds: [] }
    places.set(`${object} ${id}`, place)
    place.metricIds.push(metricId)
  }
  for (const { id, name, scanner } of metrics) {
    const { host } = scanner
    add('metric', id, name, id)
    add('scanner', scanner.id, scanner.name, id)
    add('host', host.id, host.name, id)
    add('site', host.site.id, host.site.name, id)
  }
  return {
    at: (object: EventObject, id: number): Place | undefined => places.get(`${object} ${id}`),
    named: (name: string): Place | undefined => places.get(name),
    names: (...objects: EventObject[]): string[] =>
      [...places].flatMap(([name, { object }]) => (objects.includes(object) ? [name] : [])),
    ids: (object: EventObject): number[] =>
      [...places.values()].flatMap(place => (place.object === object ? [place.id] : [])),
  }
}
type Places = ReturnType<typeof placesOf>

const eventOf = (
  kind: MetricEventKind,
  { object, id: objectId, name: objectName, metricIds }: Place,
  rest: Pick<MetricEvent, 'id' | 'from'> & Partial<MetricEvent>,
): MetricEvent => ({
  ...{ kind, object, objectId, objectName, metricIds },
  ...{ maintenanceId: null, to: null, lasts: false, severity: null, author: null, text: '' },
  ...rest,
})

const readIncidents = async (db: Db, places: Places, { fromMs, toMs }: Period): Promise<MetricEvent[]> => {
  const rows = await db
    .selectFrom('incident')
    .select(['id', 'metric_id', 'worst_rank', 'information', 'opened_at', 'closed_at'])
    .where('metric_id', 'in', places.ids('metric'))
    .where('opened_at', '<', toMs)
    .where(eb => eb.or([eb('closed_at', 'is', null), eb('closed_at', '>=', fromMs)]))
    .orderBy('opened_at', 'desc')
    .limit(READ)
    .execute()
  return rows.flatMap(row => {
    const place = places.at('metric', row.metric_id ?? 0)
    if (place === undefined) return []
    return eventOf('incident', place, {
      ...{ id: row.id, from: toIso(row.opened_at), to: toIsoOrNull(row.closed_at), lasts: row.closed_at === null },
      ...{ severity: severityOf(row.worst_rank), text: row.information },
    })
  })
}

const readMaintenances = async (db: Db, places: Places, { fromMs, toMs }: Period): Promise<MetricEvent[]> => {
  const rows = await db
    .selectFrom('maintenance_run')
    .select(['id', 'maintenance_id', 'comment', 'started_at', 'ended_at', 'hosts', 'metrics'])
    .where('started_at', '<', toMs)
    .where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', fromMs)]))
    .orderBy('started_at', 'desc')
    .limit(RUNS_READ)
    .execute()
  const hosts = places.ids('host').flatMap(id => places.at('host', id) ?? [])
  const metrics = places.ids('metric').flatMap(id => places.at('metric', id) ?? [])
  return rows.flatMap(row => {
    const covered = [
      ...hosts.filter(({ id }) => inRanges(row.hosts, id)),
      ...metrics.filter(({ id }) => inRanges(row.metrics, id)),
    ]
    const [first] = covered
    if (first === undefined) return []
    const metricIds = [...new Set(covered.flatMap(place => place.metricIds))]
    return eventOf('maintenance', first, {
      ...{ id: row.id, maintenanceId: row.maintenance_id, metricIds, text: row.comment },
      ...{ from: toIso(row.started_at), to: toIsoOrNull(row.ended_at), lasts: row.ended_at === null },
    })
  })
}

type CommentBuilder = ExpressionBuilder<Schema, 'comment'>
const about = (eb: CommentBuilder, places: Places): Expression<SqlBool> =>
  eb.or([
    eb('metric_id', 'in', places.ids('metric')),
    eb('host_id', 'in', places.ids('host')),
    eb('site_id', 'in', places.ids('site')),
  ])

/** A comment stands at what it is about; one that is about no time, where it was written. */
const readWritten = async (db: Db, places: Places, { fromMs, toMs }: Period): Promise<MetricEvent[]> => {
  const rows = await db
    .selectFrom('comment')
    .select(['id', 'kind', 'site_id', 'host_id', 'metric_id', 'text', 'author', 'from_at', 'to_at', 'created_at'])
    .where(eb => about(eb, places))
    .where(eb => eb(eb.fn.coalesce('from_at', 'created_at'), '<', toMs))
    .where(eb => eb(eb.fn.coalesce('to_at', 'from_at', 'created_at'), '>=', fromMs))
    .orderBy('id', 'desc')
    .limit(READ)
    .execute()
  return rows.flatMap(row => {
    const place =
      places.at('metric', row.metric_id ?? 0) ??
      places.at('host', row.host_id ?? 0) ??
      places.at('site', row.site_id ?? 0)
    if (place === undefined) return []
    const from = toIso(row.from_at ?? row.created_at)
    return eventOf('comment', place, {
      ...{ id: row.id, from, to: toIsoOrNull(row.to_at), author: row.author, text: row.text },
    })
  })
}

/** What was changed is asked of the journal, which knows what its reader may read of it. */
const readChanged = async (db: Db, places: Places, { fromMs, toMs }: Period): Promise<MetricEvent[]> => {
  const rows = await db
    .selectFrom('audit')
    .select(['id', 'at', 'actor', 'object'])
    .where('object', 'in', places.names('host', 'scanner', 'metric'))
    .where('action', 'in', CHANGES)
    .where('outcome', '=', 'success')
    .where('at', '>=', fromMs)
    .where('at', '<', toMs)
    .orderBy('id', 'desc')
    .limit(READ)
    .execute()
  return rows.flatMap(({ id, at, actor, object }) => {
    const place = places.named(object)
    return place === undefined ? [] : eventOf('change', place, { id, from: toIso(at), author: actor })
  })
}
const CHANGES = METRIC_EVENT_OBJECTS.flatMap(object => [`${object}-create`, `${object}-update`])
