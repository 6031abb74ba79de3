import {
  type DatatableReply,
  type DatatableRequest,
  NOT_COUNTED,
  STATUS_CHANGES_MAX_HOURS,
  type StatusChange,
  type StatusChangeGroup,
} from '@narval/contracts'
import { SEVERITIES, type Severity, UNKNOWN_CAUSES, type UnknownCause } from '@narval/engine'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import { metricChanges } from '../../monitoring/history/history.store.ts'
import { HOUR_MS, hourOf } from '../../monitoring/history/hour-ledger.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database, Db } from '../../store/database.ts'
import type { FilterValue } from '../../store/datatable.ts'
import { amongIds, amongWords } from '../../store/memory-filters.ts'
import { type MemoryColumn, type MemoryList, pageInMemory, type Test, textColumn } from '../../store/memory-list.ts'
import { toIso } from '../../store/time.ts'
import { type StatusWindow, windowOf } from './status-window.ts'

/** A change of a metric that is still there; `id` is its place in time among those of its window. */
interface Change {
  readonly id: number
  readonly atMs: number
  readonly metric: MetricEntry
  readonly from: Severity | null
  readonly to: Severity | null
  readonly cause: UnknownCause | null
}

const WORDS = [...SEVERITIES, NOT_COUNTED] as const
const wordOf = (severity: Severity | null) => severity ?? NOT_COUNTED
const placeOf = (severity: Severity | null) => WORDS.indexOf(wordOf(severity))
const CAUSE_WORDS = [...UNKNOWN_CAUSES, NOT_COUNTED] as const

const CHANGES: MemoryList<Change> = {
  columns: new Map<string, MemoryColumn<Change>>([
    ['at', { sort: change => change.atMs }],
    ['hostName', textColumn(change => change.metric.scanner.host.folded)],
    ['metricName', textColumn(change => change.metric.folded)],
    ['siteName', textColumn(change => change.metric.scanner.host.site.folded)],
    ['from', { sort: change => placeOf(change.from) }],
    ['to', { sort: change => placeOf(change.to) }],
    ['cause', { sort: change => change.cause }],
  ]),
  filters: new Map<string, (value: FilterValue) => Test<Change>>([
    ['siteId', amongIds(change => change.metric.scanner.host.site.id)],
    ['hostId', amongIds(change => change.metric.scanner.host.id)],
    ['before', amongWords(WORDS, change => wordOf(change.from))],
    ['severity', amongWords(WORDS, change => wordOf(change.to))],
    ['cause', amongWords(CAUSE_WORDS, change => change.cause ?? NOT_COUNTED)],
  ]),
  order: [['at', 'desc']],
  live: new Set(),
}

/** Windows whose changes are kept: of a page that is looked at, and turned. */
const MAX_KEPT = 2
/** What is older than this is written, were a commit slow. */
const SETTLED_MS = 300_000

/** What changed in an hour: grouped, since a cut-off has thousands, and one by one, by pages. */
export const createStatusChangeService = ({ db }: Database, monitoring: Monitoring, now: () => number) => {
  const { model, history } = monitoring
  const kept = new Map<string, { readonly version: string; readonly changes: Promise<readonly Change[]> }>()

  /** All changes of a time, of what one sees: some 300 ms at 100,000, in short turns. */
  const changesIn = async ({ fromMs, untilMs, among }: StatusWindow): Promise<readonly Change[]> => {
    const key = `${fromMs} ${untilMs}`
    const version = `${model.version} ${untilMs > now() - SETTLED_MS ? history.version() : ''}`
    const held = kept.get(key)
    const changes = held?.version === version ? held.changes : read(fromMs, untilMs)
    kept.delete(key)
    kept.set(key, { version, changes })
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? key)
    changes.catch(() => kept.delete(key))
    return among === null ? changes : (await changes).filter(({ metric }) => among(metric.scanner.host))
  }
  const read = async (fromMs: number, untilMs: number): Promise<readonly Change[]> => {
    const found: Change[] = []
    for await (const rows of metricChanges(db, fromMs, untilMs))
      for (const row of rows) {
        const metric = model.metrics.get(row.metric_id)
        if (metric === undefined) continue
        const [from, to] = [severityAt(row.before_rank), severityAt(row.severity_rank)]
        found.push({ id: found.length + 1, atMs: row.at, metric, from, to, cause: causeOf(row.cause) })
      }
    return found
  }

  return {
    async groups(viewer: Viewer, query: { from: string; to: string; site?: number | undefined }) {
      const changes = await changesIn(windowOf(model, viewer, query, STATUS_CHANGES_MAX_HOURS))
      const groups = new Map<string, { -readonly [K in keyof StatusChangeGroup]: StatusChangeGroup[K] }>()
      for (const { from, to, cause } of changes) {
        const key = `${from} ${to} ${cause}`
        const group = groups.get(key) ?? { from, to, cause, changes: 0 }
        group.changes += 1
        groups.set(key, group)
      }
      return [...groups.values()].toSorted((a, b) => placeOf(a.to) - placeOf(b.to) || b.changes - a.changes)
    },
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<StatusChange>> {
      const { from, to, ...filters } = request.filters
      const window = windowOf(
        model,
        viewer,
        { ...presentHour(now()), ...timeOf({ from, to }) },
        STATUS_CHANGES_MAX_HOURS,
      )
      const all = await changesIn(window)
      const held = { list: CHANGES, all, visible: () => true }
      const { total, filtered, page } = pageInMemory(held, { ...request, filters })
      const incidents = await incidentsOf(db, page)
      const data = page.map(change => rowOf(change, incidents))
      return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data }
    },
  }
}
export type StatusChangeService = ReturnType<typeof createStatusChangeService>

const severityAt = (rank: number | null): Severity | null => (rank === null ? null : (SEVERITIES[rank] ?? null))
const causeOf = (text: string | null): UnknownCause | null => UNKNOWN_CAUSES.find(cause => cause === text) ?? null

const presentHour = (nowMs: number) => ({ from: toIso(hourOf(nowMs)), to: toIso(hourOf(nowMs) + HOUR_MS) })

/** The two filters that say the time: both, or none. */
const timeOf = (asked: Readonly<Record<'from' | 'to', FilterValue | undefined>>) => {
  if (asked.from === undefined && asked.to === undefined) return {}
  const [from, to] = [String(asked.from), String(asked.to)]
  if (Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)))
    throw invalid(['Les filtres « from » et « to » sont deux instants.'])
  return { from, to }
}

interface IncidentTime {
  readonly id: number
  readonly openedMs: number
  readonly closedMs: number
}

/** Incidents of the metrics of a page. */
const incidentsOf = async (db: Db, page: readonly Change[]): Promise<ReadonlyMap<number | null, IncidentTime[]>> => {
  const ids = [...new Set(page.map(({ metric }) => metric.id))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('incident')
    .select(['id', 'metric_id', 'opened_at', 'closed_at'])
    .where('metric_id', 'in', ids)
    .where('opened_at', '<=', Math.max(...page.map(({ atMs }) => atMs)))
    .orderBy('id')
    .execute()
  const times = rows.map(row => ({
    ...{ id: row.id, metricId: row.metric_id, openedMs: row.opened_at },
    closedMs: row.closed_at ?? Number.POSITIVE_INFINITY,
  }))
  return Map.groupBy(times, time => time.metricId)
}

const rowOf = (change: Change, incidents: ReadonlyMap<number | null, readonly IncidentTime[]>): StatusChange => {
  const { atMs, metric, from, to, cause } = change
  const { host } = metric.scanner
  const incident = incidents.get(metric.id)?.findLast(one => one.openedMs <= atMs && atMs <= one.closedMs)
  return {
    ...{ at: toIso(atMs), from, to, cause, metricId: metric.id, metricName: metric.name, hostId: host.id },
    ...{ hostName: host.name, siteId: host.site.id, siteName: host.site.name, incidentId: incident?.id ?? null },
  }
}
