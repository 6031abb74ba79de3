import { setImmediate } from 'node:timers/promises'
import type { Course, MaintenanceSpan } from '@narval/engine'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { type Around, readAround } from './around.ts'
import type { Asked } from './asked.ts'
import type { ToldRun } from './availability.store.ts'

interface Change {
  readonly atMs: number
}
/** What is read of one object alone: the rest of its history is around it. */
export type Past<C extends Change> = Pick<Course<C>, 'sinceMs' | 'changes' | 'late'>

/** A kind of object that a report is of: how its past is read, cut into intervals and added up. */
export interface Reported<Entry, C extends Change, Interval, Totals, Rules> {
  readonly coveredBy: (run: ToldRun) => ToldRun['hosts']
  readonly siteOf: (entry: Entry) => number
  /** Reads the past of some at once. */
  readonly read: (db: Db, entries: readonly Entry[], period: MaintenanceSpan) => Promise<(entry: Entry) => Past<C>>
  /** The second: as if there were no maintenance. */
  readonly intervals: (history: Course<C>, ignoreMaintenance: boolean) => Interval[]
  readonly totals: (intervals: readonly Interval[], rules: Rules) => Totals
  /** All that the times depend on of a change that holds through the whole period. */
  readonly stateKey: (change: C | undefined) => string
}
type WithId = { readonly id: number }
type CommonRules = { readonly maintenance: 'apart' | 'ignored' | 'available' }

/** Objects whose past is read at once: a turn of the event loop that nobody feels. */
const SLICE = 250

/** The times of each; those to which nothing happened share what was computed for the first of their kind. */
export const computeAll = async <Entry extends WithId, C extends Change, Interval, Totals, Rules extends CommonRules>(
  kind: Reported<Entry, C, Interval, Totals, Rules>,
  db: Db,
  entries: readonly Entry[],
  asked: Asked<Rules>,
): Promise<Map<Entry, Totals>> => {
  const sorted = entries.toSorted((a, b) => a.id - b.id)
  const around = await readAround(db, asked, sorted, kind.coveredBy)
  const found = new Map<Entry, Totals>()
  const alike = new Map<string, Totals>()
  for (const slice of batches(sorted, SLICE)) {
    const pastOf = await kind.read(db, slice, asked.period)
    for (const entry of slice) {
      const site = kind.siteOf(entry)
      const history = historyOf(entry.id, site, pastOf(entry), asked, around)
      const key = isQuiet(history) ? `${site} ${kind.stateKey(history.changes[0])} ${idsOf(history)}` : null
      const totals = (key === null ? undefined : alike.get(key)) ?? compute(kind, history, asked).totals
      if (key !== null) alike.set(key, totals)
      found.set(entry, totals)
    }
    await setImmediate()
  }
  return found
}

/** One with its intervals, and the maintenances that they name by id of the run. */
export const computeOne = async <Entry extends WithId, C extends Change, Interval, Totals, Rules extends CommonRules>(
  kind: Reported<Entry, C, Interval, Totals, Rules>,
  db: Db,
  entry: Entry,
  asked: Asked<Rules>,
): Promise<{
  readonly intervals: readonly Interval[]
  readonly totals: Totals
  readonly runs: ReadonlyMap<number, ToldRun>
}> => {
  const site = kind.siteOf(entry)
  const around = await readAround(db, asked, [entry], kind.coveredBy, site)
  const pastOf = await kind.read(db, [entry], asked.period)
  const runs = new Map((around.runs.get(entry.id) ?? []).map(run => [run.id, run]))
  return { ...compute(kind, historyOf(entry.id, site, pastOf(entry), asked, around), asked), runs }
}

const compute = <C extends Change, Interval, Totals, Rules extends CommonRules>(
  kind: Pick<Reported<never, C, Interval, Totals, Rules>, 'intervals' | 'totals'>,
  history: Course<C>,
  { rules }: Asked<Rules>,
) => {
  const intervals = kind.intervals(history, rules.maintenance === 'ignored')
  return { intervals, totals: kind.totals(intervals, rules) }
}

const historyOf = <C extends Change>(
  id: number,
  site: number,
  past: Past<C>,
  { period }: Asked<unknown>,
  around: Around,
): Course<C> => ({
  ...past,
  period,
  stopped: around.stopped,
  maintenances: around.runs.get(id) ?? [],
  service: around.service.get(site) ?? null,
})

/** Nothing of its own happened in the period. */
const isQuiet = ({ period, sinceMs, changes, late }: Course<Change>): boolean =>
  changes.every(({ atMs }, index) => index === 0 && atMs <= period.fromMs) &&
  late.length === 0 &&
  sinceMs <= period.fromMs

const idsOf = ({ maintenances }: Course<Change>): string => maintenances.map(({ id }) => id).join()
