import { setImmediate } from 'node:timers/promises'
import {
  type AvailabilityInterval,
  type AvailabilityRules,
  type AvailabilityTotals,
  availabilityIntervals,
  availabilityTotals,
  type HostHistory,
} from '@narval/engine'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { type Around, readAround } from './around.ts'
import type { Asked } from './asked.ts'
import { readWritten, type ToldRun, type WrittenOf } from './availability.store.ts'

type HostsAsked = Asked<AvailabilityRules>

/** Hosts whose past is read at once: a turn of the event loop that nobody feels. */
const SLICE = 250

/** The times of each host; those to which nothing happened share what was computed for the first of their kind. */
export const computeHosts = async (
  db: Db,
  hosts: readonly HostEntry[],
  asked: HostsAsked,
): Promise<Map<HostEntry, AvailabilityTotals>> => {
  const sorted = hosts.toSorted((a, b) => a.id - b.id)
  const around = await readAround(db, asked, sorted, run => run.hosts)
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
  asked: HostsAsked,
): Promise<{
  readonly intervals: readonly AvailabilityInterval[]
  readonly totals: AvailabilityTotals
  readonly runs: ReadonlyMap<number, ToldRun>
}> => {
  const around = await readAround(db, asked, [host], run => run.hosts, host.site.id)
  const history = historyOf(host, asked, around, await readWritten(db, [host.id], asked.period))
  const intervals = availabilityIntervals(history, asked.rules.maintenance === 'ignored')
  const totals = availabilityTotals(intervals, asked.rules)
  return { intervals, totals, runs: new Map((around.runs.get(host.id) ?? []).map(run => [run.id, run])) }
}

const NONE: readonly never[] = []
const historyOf = (host: HostEntry, { period }: HostsAsked, around: Around, written: WrittenOf): HostHistory => ({
  period,
  sinceMs: host.createdMs,
  changes: written.changes.get(host.id) ?? NONE,
  stopped: around.stopped,
  late: written.late.get(host.id) ?? NONE,
  maintenances: around.runs.get(host.id) ?? NONE,
  service: around.service.get(host.site.id) ?? null,
})

const totalsOf = (history: HostHistory, { rules }: HostsAsked): AvailabilityTotals =>
  availabilityTotals(availabilityIntervals(history, rules.maintenance === 'ignored'), rules)

/** What the times of a host that nothing happened to depend on; null: something did. */
const quietKey = (host: HostEntry, { period, sinceMs, changes, late, maintenances }: HostHistory): string | null => {
  const [first] = changes
  const isQuiet = changes.length === 0 || (changes.length === 1 && first !== undefined && first.atMs <= period.fromMs)
  if (!isQuiet || late.length > 0 || sinceMs > period.fromMs) return null
  return `${host.site.id} ${first?.state} ${first?.flapping} ${maintenances.map(({ id }) => id).join()}`
}
