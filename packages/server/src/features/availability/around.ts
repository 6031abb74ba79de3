import { setImmediate } from 'node:timers/promises'
import type { MaintenanceSpan } from '@narval/engine'
import type { Db } from '../../store/database.ts'
import type { rangesOf } from '../../store/id-ranges.ts'
import type { Asked } from './asked.ts'
import { readRuns, readService, readStops, type ToldRun } from './availability.store.ts'

/** What concerns many hosts or metrics of a report. */
export interface Around {
  readonly stopped: readonly MaintenanceSpan[]
  /** Maintenances by the id of what they covered. */
  readonly runs: ReadonlyMap<number, readonly ToldRun[]>
  /** Service hours by site, empty where they are not asked for. */
  readonly service: ReadonlyMap<number, readonly MaintenanceSpan[] | null>
}

interface WithId {
  readonly id: number
}

/** Reads it for what is in the order of its ids; `siteId`: it stands on one site alone. */
export const readAround = async (
  db: Db,
  { period, serviceHours }: Asked<unknown>,
  sorted: readonly WithId[],
  coveredBy: (run: ToldRun) => ToldRun['hosts'],
  siteId?: number,
): Promise<Around> => {
  const runs = new Map<number, ToldRun[]>()
  for (const run of await readRuns(db, period)) {
    for (const id of coveredOf(coveredBy(run), sorted)) {
      const held = runs.get(id)
      if (held === undefined) runs.set(id, [run])
      else held.push(run)
    }
    await setImmediate()
  }
  const stopped = await readStops(db, period)
  return { runs, stopped, service: serviceHours ? await readService(db, period, siteId) : new Map() }
}

/** Ids among these, which are in order, that ranges hold. */
function* coveredOf(ranges: ReturnType<typeof rangesOf>, sorted: readonly WithId[]): Generator<number> {
  let place = 0
  for (const [first, last] of ranges) {
    place = placeOf(sorted, first, place)
    for (let one = sorted[place]; one !== undefined && one.id <= last; one = sorted[place]) {
      yield one.id
      place += 1
    }
  }
}

/** Where the first one is whose id is not below this. */
const placeOf = (sorted: readonly WithId[], id: number, from: number): number => {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.id ?? id) < id) low = middle + 1
    else high = middle
  }
  return low
}
