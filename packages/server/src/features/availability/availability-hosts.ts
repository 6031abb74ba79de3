import { setImmediate } from 'node:timers/promises'
import {
  type AvailabilityInterval,
  type AvailabilityRules,
  type AvailabilityTotals,
  availabilityIntervals,
  availabilityTotals,
  type HostHistory,
  type MaintenanceSpan,
} from '@narval/engine'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { readRuns, readService, readStops, readWritten, type ToldRun, type WrittenOf } from './availability.store.ts'

/** A period, and how its time counts. */
export interface Asked {
  readonly period: MaintenanceSpan
  readonly rules: AvailabilityRules
  /** Time beyond the opening hours of the sites is set apart. */
  readonly serviceHours: boolean
}

/** Hosts whose past is read at once: a turn of the event loop that nobody feels. */
const SLICE = 500

/** The times of each host; those to which nothing happened share what was computed for the first of their kind. */
export const computeHosts = async (
  db: Db,
  hosts: readonly HostEntry[],
  asked: Asked,
): Promise<Map<HostEntry, AvailabilityTotals>> => {
  const sorted = hosts.toSorted((a, b) => a.id - b.id)
  const around = await readAround(db, asked, sorted)
  const found = new Map<HostEntry, AvailabilityTotals>()
  const alike = new Map<string, AvailabilityTotals>()
  for (const slice of batches(sorted, SLICE)) {
    const ids = slice.map(({ id }) => id)
    const written = await readWritten(db, ids, asked.period)
    for (const host of slice) {
      const history = historyOf(host, asked, around, written)
      const key = quietKey(host, history)
      const totals = (key === null ? undefined : alike.get(key)) ?? totalsOf(history, asked)
      if (key !== null) alike.set(key, totals)
      found.set(host, totals)
    }
    await setImmediate()
  }
  return found
}

/** One host with its intervals, and the maintenances that they name by id of the run. */
export const computeHost = async (
  db: Db,
  host: HostEntry,
  asked: Asked,
): Promise<{
  readonly intervals: readonly AvailabilityInterval[]
  readonly totals: AvailabilityTotals
  readonly runs: ReadonlyMap<number, ToldRun>
}> => {
  const around = await readAround(db, asked, [host])
  const history = historyOf(host, asked, around, await readWritten(db, [host.id], asked.period))
  const intervals = availabilityIntervals(history, asked.rules.maintenance === 'ignored')
  const totals = availabilityTotals(intervals, asked.rules)
  return { intervals, totals, runs: new Map((around.runs.get(host.id) ?? []).map(run => [run.id, run])) }
}

/** What concerns many hosts. */
interface Around {
  readonly stopped: readonly MaintenanceSpan[]
  readonly runs: ReadonlyMap<number, readonly ToldRun[]>
  readonly service: ReadonlyMap<number, readonly MaintenanceSpan[] | null>
}

const readAround = async (db: Db, { period, serviceHours }: Asked, sorted: readonly HostEntry[]): Promise<Around> => {
  const runs = new Map<number, ToldRun[]>()
  for (const run of await readRuns(db, period)) {
    for (const id of coveredOf(run, sorted)) {
      const held = runs.get(id)
      if (held === undefined) runs.set(id, [run])
      else held.push(run)
    }
    await setImmediate()
  }
  return {
    runs,
    stopped: await readStops(db, period),
    service: serviceHours
      ? await readService(db, period, sorted.length === 1 ? sorted[0]?.site.id : undefined)
      : new Map(),
  }
}

/** Ids among these hosts, which are in the order of their ids, that a maintenance covered. */
function* coveredOf({ hosts: ranges }: ToldRun, sorted: readonly HostEntry[]): Generator<number> {
  let place = 0
  for (const [first, last] of ranges) {
    place = placeOf(sorted, first, place)
    for (let host = sorted[place]; host !== undefined && host.id <= last; host = sorted[place]) {
      yield host.id
      place += 1
    }
  }
}

/** Where the first host is whose id is not below this one. */
const placeOf = (sorted: readonly HostEntry[], id: number, from: number): number => {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.id ?? id) < id) low = middle + 1
    else high = middle
  }
  return low
}

const NONE: readonly never[] = []
const historyOf = (host: HostEntry, { period }: Asked, around: Around, written: WrittenOf): HostHistory => ({
  period,
  sinceMs: host.createdMs,
  changes: written.changes.get(host.id) ?? NONE,
  stopped: around.stopped,
  late: written.late.get(host.id) ?? NONE,
  maintenances: around.runs.get(host.id) ?? NONE,
  service: around.service.get(host.site.id) ?? null,
})

const totalsOf = (history: HostHistory, { rules }: Asked): AvailabilityTotals =>
  availabilityTotals(availabilityIntervals(history, rules.maintenance === 'ignored'), rules)

/** What the times of a host that nothing happened to depend on; null: something did. */
const quietKey = (host: HostEntry, { period, sinceMs, changes, late, maintenances }: HostHistory): string | null => {
  const [first] = changes
  const isQuiet = changes.length === 0 || (changes.length === 1 && first !== undefined && first.atMs <= period.fromMs)
  if (!isQuiet || late.length > 0 || sinceMs > period.fromMs) return null
  return `${host.site.id} ${first?.state} ${first?.flapping} ${maintenances.map(({ id }) => id).join()}`
}
