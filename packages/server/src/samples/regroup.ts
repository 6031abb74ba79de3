import { createRollupTable, type RollupTable } from './codec/rollup-chunk.ts'
import type { SampleSink } from './codec/sample-chunk.ts'
import { DAY_MS, FIVE_MINUTES_MS, HOUR_MS } from './periods.ts'
import { addRow, clearRow } from './rollup.ts'
import type { Aggregate, SeriesRange } from './sample-store.ts'

/** Steps that people read, for what is finer than roll-ups. */
const FINE_STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 180_000,
]

const stepsIn = (fromMs: number, toMs: number, stepMs: number): number =>
  Math.floor((toMs - 1) / stepMs) - Math.floor(fromMs / stepMs) + 1

/** The finest equal step, at least `leastMs`, that cuts [from, to) in at most `points`; steps start at multiples of it (UTC). */
export function chooseStep(fromMs: number, toMs: number, points: number, leastMs: number): number {
  for (const step of FINE_STEPS_MS) if (step >= leastMs && stepsIn(fromMs, toMs, step) <= points) return step
  const base = leastMs >= HOUR_MS || stepsIn(fromMs, toMs, HOUR_MS) > points ? HOUR_MS : FIVE_MINUTES_MS
  let multiple = Math.max(1, Math.ceil((toMs - fromMs) / points / base))
  while (stepsIn(fromMs, toMs, multiple * base) > points) {
    // A single point needs a step that no boundary cuts; past a year one of everything.
    if (multiple * base > 366 * DAY_MS) return toMs
    multiple++
  }
  return multiple * base
}

/** Groups of one series: filled from samples or from roll-up rows, in time order. */
export interface Groups {
  readonly table: RollupTable
  readonly firstStep: number
  readonly stepMs: number
}

export function createGroups(fromMs: number, toMs: number, stepMs: number): Groups {
  const table = createRollupTable(stepsIn(fromMs, toMs, stepMs))
  return { table, firstStep: Math.floor(fromMs / stepMs), stepMs }
}

export function resetGroups(groups: Groups): void {
  for (let i = 0; i < groups.table.periods; i++) clearRow(groups.table, i)
}

/** Adds the samples [first, end) of the sink. */
export function groupSamples(groups: Groups, samples: SampleSink, first: number, end: number): void {
  const { table, firstStep, stepMs } = groups
  for (let i = first; i < end; i++) {
    const row = Math.floor((samples.at[i] ?? 0) / stepMs) - firstStep
    const value = samples.value[i] ?? 0
    table.count[row] = (table.count[row] ?? 0) + 1
    table.min[row] = Math.min(table.min[row] ?? 0, value)
    table.max[row] = Math.max(table.max[row] ?? 0, value)
    table.sum[row] = (table.sum[row] ?? 0) + value
    table.last[row] = value
  }
}

/** Adds the rows whose period, of `width` ms, starts in [from, to); the first row's starts at `startMs`. */
export function groupRows(
  groups: Groups,
  rows: RollupTable,
  startMs: number,
  width: number,
  fromMs: number,
  toMs: number,
): void {
  const first = Math.max(0, Math.ceil((fromMs - startMs) / width))
  const end = Math.min(rows.periods, Math.ceil((toMs - startMs) / width))
  for (let i = first; i < end; i++) {
    if ((rows.count[i] ?? 0) === 0) continue
    addRow(groups.table, Math.floor((startMs + i * width) / groups.stepMs) - groups.firstStep, rows, i)
  }
}

/** The groups that hold something, as columns. */
export function seriesOfGroups(series: number, groups: Groups, aggregate: Aggregate): SeriesRange {
  const { table, firstStep, stepMs } = groups
  let points = 0
  for (let i = 0; i < table.periods; i++) if ((table.count[i] ?? 0) > 0) points++
  const answer = emptySeries(series, points)
  let point = 0
  for (let i = 0; i < table.periods; i++) {
    if ((table.count[i] ?? 0) === 0) continue
    answer.atMs[point] = (firstStep + i) * stepMs
    answer.min[point] = table.min[i] ?? 0
    answer.max[point] = table.max[i] ?? 0
    answer.count[point] = table.count[i] ?? 0
    answer.value[point++] = aggregateOf(table, i, aggregate)
  }
  return answer
}

function aggregateOf(table: RollupTable, i: number, aggregate: Aggregate): number {
  if (aggregate !== 'avg') return table[aggregate][i] ?? 0
  const average = (table.sum[i] ?? 0) / (table.count[i] ?? 1)
  // Rounding must not push an average outside what it averages.
  return Math.min(Math.max(average, table.min[i] ?? 0), table.max[i] ?? 0)
}

export const emptySeries = (series: number, points: number): SeriesRange => ({
  series,
  atMs: new Float64Array(points),
  value: new Float64Array(points),
  min: new Float64Array(points),
  max: new Float64Array(points),
  count: new Float64Array(points),
})

/** The samples themselves as points. */
export function seriesOfSamples(series: number, samples: SampleSink, first: number, end: number): SeriesRange {
  const value = samples.value.slice(first, end)
  return {
    series,
    atMs: samples.at.slice(first, end),
    value,
    min: value.slice(),
    max: value.slice(),
    count: new Float64Array(end - first).fill(1),
  }
}
