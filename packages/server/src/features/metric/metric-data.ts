import type { MetricData } from '@narval/contracts'
import { rates } from '@narval/engine'
import { invalid } from '../../http/refusal.ts'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Aggregate, RangeAnswer, SampleStore } from '../../samples/sample-store.ts'

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
  monitoring: Monitoring,
  query: DataQuery,
  nowMs: number,
): Promise<MetricData> => {
  const toMs = query.to === undefined ? nowMs : Date.parse(query.to)
  const fromMs = query.from === undefined ? toMs - HOUR_MS : Date.parse(query.from)
  if (fromMs >= toMs) throw invalid(['Le début de la période doit précéder sa fin.'], { from: 'Avant la fin' })
  if (toMs - fromMs > LONGEST_MS)
    throw invalid(['La période ne peut dépasser six ans.'], { from: 'Période trop longue' })
  const metrics = (query.ids ?? []).flatMap(id => monitoring.model.metrics.get(id) ?? [])
  if (metrics.length === 0) return { stepMs: 0, series: [] }
  const range = { fromMs, toMs, points: query.points ?? DEFAULT_POINTS }
  const counters = metrics.filter(metric => metric.type === 'counter')
  const gauges = metrics.filter(metric => metric.type !== 'counter')
  const [gaugeAnswer, counterAnswer] = await Promise.all([
    read(samples, gauges, { ...range, aggregate: query.aggregate ?? 'avg' }),
    read(samples, counters, { ...range, aggregate: 'last' }),
  ])
  const series = [
    ...gaugeAnswer.series.map(one => wire(monitoring, one.series, one.atMs, one.value, one.min, one.max)),
    ...counterAnswer.series.map(one => {
      const rate = rates(one.atMs, one.value)
      return wire(monitoring, one.series, one.atMs, rate, rate, rate)
    }),
  ]
  const order = new Map((query.ids ?? []).map((id, index) => [id, index]))
  return {
    stepMs: Math.max(gaugeAnswer.stepMs, counterAnswer.stepMs),
    series: series.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)),
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

type Numbers = Iterable<number | null>
const wire = (
  monitoring: Monitoring,
  id: number,
  at: Numbers,
  value: Numbers,
  min: Numbers,
  max: Numbers,
): MetricData['series'][number] => ({
  id,
  unit: monitoring.model.metrics.get(id)?.unit ?? '',
  at: [...at].map(Number),
  value: rounded(value),
  min: rounded(min),
  max: rounded(max),
})

/** Six significant figures are more than a chart shows; the answer is half as long. */
const rounded = (values: Numbers): (number | null)[] =>
  [...values].map(value => (value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(6))))
