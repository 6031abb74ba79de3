import type { MetricData } from '@narval/contracts'

type Series = MetricData['series'][number]

/** Columns as uPlot draws them: seconds, value, lower and upper edge of the band. */
export type ChartColumns = [number[], (number | null)[], (number | null)[], (number | null)[]]

const GAP_STEPS = 3

const medianStep = (at: readonly number[]): number => {
  const steps = at.slice(1).map((x, index) => x - (at[index] ?? x))
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
}

/** A series for the chart: where nothing was measured for three usual steps the line is broken, never drawn across. */
export const chartColumns = (series: Series | undefined, stepMs: number): ChartColumns => {
  const columns: ChartColumns = [[], [], [], []]
  if (series === undefined) return columns
  const usual = Math.max(stepMs, medianStep(series.at))
  let previous: number | null = null
  series.at.forEach((at, index) => {
    if (previous !== null && usual > 0 && at - previous > usual * GAP_STEPS)
      push(columns, (previous + usual) / 1_000, null, null, null)
    push(columns, at / 1_000, series.value[index] ?? null, series.min[index] ?? null, series.max[index] ?? null)
    previous = at
  })
  return columns
}

const push = (columns: ChartColumns, ...row: [number, number | null, number | null, number | null]): void => {
  columns[0].push(row[0])
  columns[1].push(row[1])
  columns[2].push(row[2])
  columns[3].push(row[3])
}

export interface ChartSummary {
  readonly min: number
  readonly avg: number
  readonly max: number
  readonly last: number
}

/** What a chart says in words; null when it shows nothing. */
export const summarise = (series: Series | undefined): ChartSummary | null => {
  const values = series?.value.filter(value => value !== null) ?? []
  const last = values.at(-1)
  if (series === undefined || last === undefined) return null
  const edges = (column: readonly (number | null)[]) => column.filter(value => value !== null)
  return {
    min: Math.min(...edges(series.min), ...values),
    avg: values.reduce((sum, value) => sum + value, 0) / values.length,
    max: Math.max(...edges(series.max), ...values),
    last,
  }
}

/** Ranges that a chart offers, in ms. */
export const RANGES = [
  { key: '1h', label: '1 h', ms: 3_600_000 },
  { key: '6h', label: '6 h', ms: 6 * 3_600_000 },
  { key: '24h', label: '24 h', ms: 24 * 3_600_000 },
  { key: '7j', label: '7 j', ms: 7 * 24 * 3_600_000 },
  { key: '30j', label: '30 j', ms: 30 * 24 * 3_600_000 },
] as const
export type RangeKey = (typeof RANGES)[number]['key']
export const rangeOf = (key: string | null): (typeof RANGES)[number] =>
  RANGES.find(range => range.key === key) ?? RANGES[0]
