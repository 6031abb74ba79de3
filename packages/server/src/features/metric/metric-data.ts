import type { MetricData, Unit } from '@narval/contracts'
import { rates } from '@narval/engine'
import { invalid } from '../../http/refusal.ts'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import type { Aggregate, RangeAnswer, SampleStore, SeriesRange } from '../../samples/sample-store.ts'

export interface DataQuery {
  readonly ids?: number[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly points?: number | undefined
  readonly aggregate?: Aggregate | undefined
}

const HOUR_MS = 3_600_000
const LONGEST_MS = 6 * 366 * 24 * HOUR_MS
const DEFAULT_POINTS = 500

/** Reads what a chart shows: the last hour by default, at most `points` steps a series, counters as rates per second. */
export const readMetricData = async (
  samples: SampleStore,
  metrics: readonly MetricEntry[],
  query: DataQuery,
  nowMs: number,
): Promise<MetricData> => {
  const toMs = query.to === undefined ? nowMs : Date.parse(query.to)
  const fromMs = query.from === undefined ? toMs - HOUR_MS : Date.parse(query.from)
  if (fromMs >= toMs) throw invalid(['Le début de la période doit précéder sa fin.'], { from: 'Avant la fin' })
  if (toMs - fromMs > LONGEST_MS)
    throw invalid(['La période ne peut dépasser six ans.'], { from: 'Période trop longue' })
  if (metrics.length === 0) return { stepMs: 0, series: [] }
  const range = { fromMs, toMs, points: query.points ?? DEFAULT_POINTS }
  const isCounter = ({ type }: MetricEntry): boolean => type === 'counter'
  const [gauges, counters] = await Promise.all([
    read(
      samples,
      metrics.filter(metric => !isCounter(metric)),
      { ...range, aggregate: query.aggregate ?? 'avg' },
    ),
    read(samples, metrics.filter(isCounter), { ...range, aggregate: 'last' }),
  ])
  const found = new Map([
    ...gauges.series.map(one => [one.series, one] as const),
    ...counters.series.map(one => [one.series, rated(one)] as const),
  ])
  return {
    stepMs: Math.max(gauges.stepMs, counters.stepMs),
    series: metrics.flatMap(({ id, unit }) => {
      const one = found.get(id)
      return one === undefined ? [] : wire(id, unit, one)
    }),
  }
}

const read = async (
  samples: SampleStore,
  metrics: readonly MetricEntry[],
  range: { fromMs: number; toMs: number; points: number; aggregate: Aggregate },
): Promise<RangeAnswer> =>
  metrics.length === 0
    ? { stepMs: 0, series: [] }
    : samples.range({ ...range, series: metrics.map(metric => metric.id) })

type Column = ArrayLike<number | null>
interface Columns {
  readonly atMs: ArrayLike<number>
  readonly value: Column
  readonly min: Column
  readonly max: Column
}

const rated = ({ atMs, value }: SeriesRange): Columns => {
  const rate = rates(atMs, value)
  return { atMs, value: rate, min: rate, max: rate }
}

const wire = (id: number, unit: Unit, { atMs, value, min, max }: Columns): MetricData['series'][number] => {
  const values = rounded(value)
  // Samples as they are: their extremes are their values.
  const isPlain = isSame(value, min) && isSame(value, max)
  return { id, unit, at: Array.from(atMs), value: values, ...(isPlain ? both(values) : edges(min, max)) }
}
const both = (values: (number | null)[]) => ({ min: values, max: values })
const edges = (min: Column, max: Column) => ({ min: rounded(min), max: rounded(max) })

const isSame = (a: Column, b: Column): boolean => {
  if (a === b) return true
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

const DIGITS = 6
/** Up to it, powers of ten are exact in floating point. */
const EXACT_POWERS = 22
/** Six significant figures are more than a chart shows; the answer is half as long. */
const rounded = (values: Column): (number | null)[] =>
  Array.from(values, value => (value === null || !Number.isFinite(value) ? null : significant(value)))

/** As `toPrecision` rounds, but for halves, without writing and reading a text for each value. */
const significant = (value: number): number => {
  if (value === 0) return 0
  const power = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)))
  if (Math.abs(power) > EXACT_POWERS) return Number(value.toPrecision(DIGITS))
  const scale = 10 ** Math.abs(power)
  return power >= 0 ? Math.round(value * scale) / scale : Math.round(value / scale) * scale
}
