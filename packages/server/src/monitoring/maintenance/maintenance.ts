import type { MaintenanceState } from '@narval/contracts'
import { stepMaintenance } from '@narval/engine'
import type { Database } from '../../store/database.ts'
import type { ActiveWindow, HostEntry, MetricEntry, Model } from '../fleet/model.ts'
import type { Publisher } from '../publisher.ts'
import {
  type NamedObjects,
  type OpenRun,
  readLive,
  readObjects,
  readRuns,
  readSiteParents,
  storedOf,
} from './maintenance.store.ts'
import { type Cover, coverOf } from './maintenance-cover.ts'
import { beginRun, finishRun, type RecordedWindow, type RunEnd } from './maintenance-runs.ts'
import {
  firstProblem,
  flexibleOf,
  type Held,
  type MaintenanceNow,
  markAll,
  spanAt,
  standingOf,
  startAfter,
} from './maintenance-window.ts'
import { createOccurrences } from './recurrence.ts'

export interface Maintenances {
  /** Reads what is planned, and tells at once what ended while nobody looked; for a start. */
  load(): Promise<void>
  /** The fleet was read again: what is covered is found again. */
  refresh(): Promise<void>
  /** The maintenance that covers a metric at this instant (now), null for none; O(1). */
  ofMetric(metric: MetricEntry, atMs?: number): ActiveWindow | null
  ofHost(host: HostEntry, atMs?: number): ActiveWindow | null
  /** A problem was confirmed: whether it is told to nobody. A flexible maintenance that waits for it starts here. */
  covers(metric: MetricEntry, atMs: number): boolean
  /** Starts and ends what is due; done every 5 s. */
  pass(): Promise<void>
  /** Something was planned, changed or deleted. `by`: who ended a window before its time. */
  changed(by?: { readonly id: number; readonly login: string }): Promise<void>
  /** Ends the window that runs of one that is about to be deleted, with its report and the lines of its incidents. */
  endBefore(deletion: { readonly id: number; readonly login: string }): Promise<void>
  /** The recorded window that covers a metric at this instant, null for none. */
  runOver(metric: MetricEntry, atMs: number): RecordedWindow | null
  /** Where it stands; null: over. */
  now(id: number): MaintenanceNow | null
  standing(): ReadonlyMap<number, MaintenanceState>
  /** What would be covered. */
  cover(named: NamedObjects, propagate: boolean): Promise<Cover>
}

export interface MaintenanceDeps {
  readonly database: Database
  readonly model: Model
  readonly publisher: Publisher
  readonly now: () => number
}

const EMPTY: Cover = { sites: new Set(), hosts: new Set(), metrics: new Set() }
/** A window that nobody saw is recorded when it ended less long ago. */
const MISSED_MS = 7 * 86_400_000

/** Maintenances in memory: what is covered is known by sets that change with windows and fleet, not with questions. */
export const createMaintenances = (deps: MaintenanceDeps): Maintenances => {
  const { database, model, publisher, now } = deps
  let held = new Map<number, Held>()
  let siteParents: ReadonlyMap<number, number | null> = new Map()
  let marked: ReturnType<typeof markAll> = { metrics: new Set(), hosts: new Set(), changed: { metrics: [], hosts: [] } }
  let nextStartMs = Number.POSITIVE_INFINITY
  let chain: Promise<void> = Promise.resolve()

  const resolve = (): void => {
    for (const one of held.values()) one.cover = coverOf(model, siteParents, one.named, one.propagate)
  }
  /** Marks what is covered now, and tells the hubs of what is so since, or no more. */
  const mark = (): void => {
    const nowMs = now()
    nextStartMs = Math.min(...[...held.values()].map(one => startAfter(one, nowMs)))
    marked = markAll(model, held.values(), marked, nowMs)
    const { metrics, hosts } = marked.changed
    if (metrics.length + hosts.length > 0) publisher.committed({ metrics, hosts, sites: [], alerts: [], hard: true })
  }
  const read = async (): Promise<void> => {
    const { db } = database
    const rows = await readLive(db, now())
    const ids = rows.map(({ id }) => id)
    const [objects, runs] = [await readObjects(db, ids), await readRuns(db, ids)]
    if (ids.length > 0) siteParents = await readSiteParents(db)
    const next = new Map<number, Held>()
    for (const row of rows) {
      const stored = storedOf(row)
      const known = held.get(row.id)
      next.set(row.id, {
        ...stored,
        named: objects.get(row.id) ?? { sites: [], hosts: [], metrics: [] },
        occurrences: createOccurrences(stored.schedule),
        run: runs.open.get(row.id) ?? null,
        doneMs: runs.done.get(row.id) ?? null,
        problemMs: known?.problemMs ?? null,
        cover: EMPTY,
      })
    }
    held = next
    resolve()
  }
  const end = async (one: Held, run: OpenRun, ended: RunEnd): Promise<void> => {
    const alert = await finishRun(deps, one, run, ended, one.cover)
    one.run = null
    one.doneMs = run.occurrenceMs
    one.problemMs = null
    if (alert !== null) publisher.alert(alert)
  }
  const step = async (one: Held, by: string | null): Promise<void> => {
    const nowMs = now()
    const span = spanAt(one, one.run === null ? (one.problemMs ?? nowMs) : nowMs)
    const flexibleMs = flexibleOf(one, span)
    if (flexibleMs !== null && span !== null && one.run === null) one.problemMs ??= firstProblem(model, one, span)
    const { doneMs, plannedMs, problemMs } = one
    const done = stepMaintenance(one.run, { span, flexibleMs, problemMs, doneMs, plannedMs }, nowMs)
    for (const change of done.steps) {
      if (change.type === 'started') one.run = await beginRun(deps, one, change.run, one.cover)
      else if (one.run !== null)
        await end(one, one.run, { endedMs: change.endedMs, endedBy: change.endedMs === nowMs ? by : null })
    }
    if (done.steps.length === 0 && done.run !== null && one.run !== null && done.run.untilMs !== one.run.untilMs) {
      one.run = { ...done.run, id: one.run.id }
      await database.db
        .updateTable('maintenance_run')
        .set({ until: done.run.untilMs })
        .where('id', '=', one.run.id)
        .execute()
    }
  }
  /** Windows that began and ended while the server was down: counted and told once. */
  const tellMissed = async (): Promise<void> => {
    for (const one of held.values()) {
      const span = one.occurrences.before(now())
      if (one.run !== null || span === null || one.flexibleMs !== null || span.toMs > now()) continue
      const isKnown = span.fromMs <= Math.max(one.doneMs ?? 0, one.skippedThroughMs ?? 0, one.plannedMs)
      if (isKnown || span.toMs < now() - MISSED_MS) continue
      const run = { occurrenceMs: span.fromMs, startedMs: span.fromMs, untilMs: span.toMs }
      await end(one, await beginRun(deps, one, run, one.cover), { endedMs: span.toMs, endedBy: null })
    }
  }
  /** One after the other: a window starts and ends once. */
  const serial = (work: () => Promise<void>): Promise<void> => {
    const done = chain.then(work)
    chain = done.catch(() => undefined)
    return done
  }
  const pass = (by?: { readonly id: number; readonly login: string }): Promise<void> =>
    serial(async () => {
      const stepped: number[] = []
      for (const one of held.values()) {
        const run = one.run
        await step(one, by?.id === one.id ? by.login : null)
        if (one.run !== run) stepped.push(one.id)
      }
      mark()
      if (stepped.length > 0) publisher.changed({ entity: 'maintenance', ids: stepped, action: 'updated' })
    })
  const windowOf = (window: ActiveWindow | null, atMs: number): ActiveWindow | null =>
    window !== null && window.fromMs <= atMs && atMs < window.untilMs ? window : null
  const look = (atMs: number): void => {
    if (atMs >= nextStartMs) mark()
  }
  const ofHost = (host: HostEntry, atMs = now()): ActiveWindow | null => {
    look(atMs)
    return windowOf(host.maintenance, atMs)
  }
  const ofMetric = (metric: MetricEntry, atMs = now()): ActiveWindow | null => {
    look(atMs)
    return windowOf(metric.maintenance, atMs)
  }

  return {
    load: () =>
      serial(async () => {
        await read()
        mark()
        await tellMissed()
      }),
    refresh: () =>
      serial(async () => {
        if (held.size > 0) siteParents = await readSiteParents(database.db)
        resolve()
        mark()
      }),
    ofMetric,
    ofHost,
    covers(metric, atMs) {
      for (const one of held.values()) {
        if (one.flexibleMs === null || one.run !== null || one.problemMs !== null) continue
        const span = spanAt(one, atMs)
        if (span === null || span.fromMs === one.doneMs || !one.cover.metrics.has(metric.id)) continue
        one.problemMs = atMs
        mark()
      }
      return ofMetric(metric, atMs) !== null
    },
    pass: () => pass(),
    async changed(by) {
      await serial(read)
      await pass(by)
    },
    endBefore: ({ id, login }) =>
      serial(async () => {
        const one = held.get(id)
        if (one === undefined || one.run === null) return
        await end(one, one.run, { endedMs: now(), endedBy: login, isDeleted: true })
        mark()
      }),
    runOver(metric, atMs) {
      const window = ofMetric(metric, atMs)
      const one = window === null ? undefined : held.get(window.id)
      if (one === undefined || one.run === null) return null
      return { runId: one.run.id, comment: one.comment, author: one.author }
    },
    now(id) {
      const one = held.get(id)
      return one === undefined ? null : standingOf(one, now())
    },
    standing: () => new Map([...held.values()].map(one => [one.id, standingOf(one, now()).state])),
    async cover(named, propagate) {
      return coverOf(model, await readSiteParents(database.db), named, propagate)
    },
  }
}
