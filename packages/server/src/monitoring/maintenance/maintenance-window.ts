import type { MaintenanceState } from '@narval/contracts'
import type { MaintenanceSpan } from '@narval/engine'
import type { ActiveWindow, HostEntry, MetricEntry, Model } from '../fleet/model.ts'
import type { NamedObjects, OpenRun, StoredMaintenance } from './maintenance.store.ts'
import { activeMetrics, type Cover } from './maintenance-cover.ts'
import type { Occurrences } from './recurrence.ts'

/** A maintenance as memory holds it. */
export interface Held extends StoredMaintenance {
  readonly named: NamedObjects
  readonly occurrences: Occurrences
  run: OpenRun | null
  /** Start, in its schedule, of the last window that took place. */
  doneMs: number | null
  /** Of a flexible one: the first problem in its window. */
  problemMs: number | null
  cover: Cover
}

/** Where a maintenance stands. */
export interface MaintenanceNow {
  readonly state: MaintenanceState
  readonly current: MaintenanceSpan | null
  readonly next: MaintenanceSpan | null
  readonly covered: { readonly hosts: number; readonly metrics: number }
}

/** The window of its schedule, or beside it, that holds an instant. */
export const spanAt = ({ occurrences, extra, skippedThroughMs }: Held, ms: number): MaintenanceSpan | null => {
  const found = occurrences.at(ms)
  const own = found === null || found.fromMs <= (skippedThroughMs ?? 0) ? null : found
  const beside = extra !== null && extra.fromMs <= ms && ms < extra.toMs ? extra : null
  return own === null || beside === null
    ? (own ?? beside)
    : { fromMs: own.fromMs, toMs: Math.max(own.toMs, beside.toMs) }
}

/** One that was opened again by hand waits for nothing. */
export const flexibleOf = (one: Held, span: MaintenanceSpan | null): number | null =>
  one.flexibleMs === null || (span !== null && span === one.extra) ? null : one.flexibleMs

const nextOf = ({ occurrences, extra, skippedThroughMs }: Held, ms: number): MaintenanceSpan | null => {
  const own = occurrences.after(Math.max(ms, skippedThroughMs ?? 0))
  const beside = extra !== null && extra.fromMs > ms ? extra : null
  return own === null || beside === null ? (own ?? beside) : own.fromMs < beside.fromMs ? own : beside
}

/** When something of it is to be marked next; a flexible one waits for a problem, not for an hour. */
export const startAfter = (one: Held, ms: number): number =>
  one.flexibleMs === null ? (nextOf(one, ms)?.fromMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY

/** The window that covers at this instant: of its run, or one that nobody has recorded yet. */
const windowAt = (one: Held, ms: number): ActiveWindow | null => {
  const { id, comment } = one
  if (one.run !== null) return { id, comment, fromMs: one.run.startedMs, untilMs: one.run.untilMs }
  const span = spanAt(one, one.problemMs ?? ms)
  if (span === null || span.fromMs === one.doneMs) return null
  const flexibleMs = flexibleOf(one, span)
  if (flexibleMs === null)
    return { id, comment, fromMs: Math.max(span.fromMs, Math.min(one.plannedMs, ms)), untilMs: span.toMs }
  return one.problemMs === null ? null : { id, comment, fromMs: one.problemMs, untilMs: one.problemMs + flexibleMs }
}

export const standingOf = (one: Held, ms: number): MaintenanceNow => {
  const window = windowAt(one, ms)
  const span = spanAt(one, ms)
  const next = nextOf(one, ms)
  const covered = { hosts: one.cover.hosts.size, metrics: one.cover.metrics.size }
  if (window !== null && window.untilMs > ms)
    return { state: 'running', current: { fromMs: window.fromMs, toMs: window.untilMs }, next, covered }
  if (span !== null && span.fromMs !== one.doneMs) return { state: 'armed', current: span, next, covered }
  return { state: next === null ? 'over' : 'planned', current: null, next, covered }
}

/** The first problem of a flexible one's window, where nobody saw it come. */
export const firstProblem = (model: Model, one: Held, span: MaintenanceSpan): number | null => {
  const since = activeMetrics(model, one.cover)
    .filter(({ state }) => state.incident !== null && state.hardSinceMs >= Math.max(span.fromMs, one.plannedMs))
    .map(({ state }) => state.hardSinceMs)
  return since.length === 0 ? null : Math.min(...since)
}

/** Ids of what bears the mark of a window. */
export interface Marked {
  readonly metrics: ReadonlySet<number>
  readonly hosts: ReadonlySet<number>
}
interface Changed {
  readonly metrics: MetricEntry[]
  readonly hosts: HostEntry[]
}

/** Writes on sites, hosts and metrics which window covers them: of several, the one that lasts longest. */
export const markAll = (
  model: Model,
  all: Iterable<Held>,
  before: Marked,
  nowMs: number,
): Marked & { changed: Changed } => {
  const windows = [...all].flatMap(one => {
    const window = windowAt(one, nowMs)
    return window === null ? [] : [{ window, cover: one.cover }]
  })
  windows.sort((a, b) => a.window.untilMs - b.window.untilMs)
  const marks = { sites: new Map<number, ActiveWindow>(), hosts: new Map(), metrics: new Map() }
  for (const { window, cover } of windows) {
    for (const id of cover.metrics) marks.metrics.set(id, window)
    for (const id of cover.hosts) marks.hosts.set(id, window)
    for (const id of cover.sites) marks.sites.set(id, window)
  }
  for (const site of model.sites.values()) site.maintenance = marks.sites.get(site.id) ?? null
  const changed = {
    metrics: markEach(model.metrics, marks.metrics, before.metrics),
    hosts: markEach(model.hosts, marks.hosts, before.hosts),
  }
  return { metrics: new Set(marks.metrics.keys()), hosts: new Set(marks.hosts.keys()), changed }
}

/** @returns those whose mark is another one. */
const markEach = <T extends { maintenance: ActiveWindow | null }>(
  entries: ReadonlyMap<number, T>,
  marks: ReadonlyMap<number, ActiveWindow>,
  before: ReadonlySet<number>,
): T[] => {
  const changed: T[] = []
  for (const id of new Set([...before, ...marks.keys()])) {
    const entry = entries.get(id)
    const window = marks.get(id) ?? null
    if (entry === undefined || isSame(entry.maintenance, window)) continue
    entry.maintenance = window
    changed.push(entry)
  }
  return changed
}

const isSame = (a: ActiveWindow | null, b: ActiveWindow | null): boolean =>
  a === b || (a !== null && b !== null && a.id === b.id && a.untilMs === b.untilMs && a.comment === b.comment)
