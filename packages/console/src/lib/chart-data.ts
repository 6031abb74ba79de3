import type { MetricData } from '@narval/contracts'

/** Columns of one metric, as the server gives them. */
export type Series = MetricData['series'][number]

/** Columns as uPlot draws them: seconds, value, lower and upper edge of the band. */
export type ChartColumns = [number[], (number | null)[], (number | null)[], (number | null)[]]

const GAP_STEPS = 3

const medianStep = (at: readonly number[]): number => {
  const steps = at.slice(1).map((x, index) => x - (at[index] ?? x))
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
}

/** The same values at another time: of the day before, beside today's. */
export const shifted = (series: Series | undefined, byMs: number): Series | undefined =>
  series === undefined ? undefined : { ...series, at: series.at.map(at => at + byMs) }

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
