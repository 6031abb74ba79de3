import { type Metric, metricRoutes } from '@narval/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { Chart, type ChartMark } from './chart.tsx'

interface MetricChartProps {
  readonly metric: Pick<Metric, 'id' | 'name' | 'unit' | 'states' | 'thresholds'>
  readonly rangeMs: number
  /** A part of the past that the reader zoomed into; null: the range up to now. */
  readonly zoom: { readonly fromMs: number; readonly toMs: number } | null
  readonly onZoom: (zoom: { fromMs: number; toMs: number }) => void
  readonly height?: number
  readonly sync?: string
  readonly marks?: readonly ChartMark[]
}

const POINTS = 480
const FASTEST_MS = 10_000
const SLOWEST_MS = 300_000

/** The chart of a metric over a range, asked again about once a point. */
export const MetricChart = ({ metric, rangeMs, zoom, onZoom, height, sync, marks }: MetricChartProps) => {
  const everyMs = Math.min(Math.max(rangeMs / POINTS, FASTEST_MS), SLOWEST_MS)
  const { data, isPending, dataUpdatedAt } = useQuery({
    queryKey: ['metric-data', metric.id, rangeMs, zoom],
    queryFn: async ({ signal }) => {
      const toMs = zoom?.toMs ?? Date.now()
      const fromMs = zoom?.fromMs ?? toMs - rangeMs
      const query = {
        ids: String(metric.id),
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        points: String(POINTS),
      }
      return { ...(await call(metricRoutes.data, { query, signal })), fromMs, toMs }
    },
    placeholderData: keepPreviousData,
    refetchInterval: zoom === null ? everyMs : false,
  })
  const toMs = data?.toMs ?? (dataUpdatedAt || Date.now())
  return (
    <Chart
      name={metric.name}
      unit={metric.unit}
      states={metric.states}
      thresholds={metric.thresholds}
      series={data?.series[0]}
      stepMs={data?.stepMs ?? 0}
      fromMs={data?.fromMs ?? toMs - rangeMs}
      toMs={toMs}
      loading={isPending}
      onZoom={(fromMs, untilMs) => onZoom({ fromMs, toMs: untilMs })}
      {...(height === undefined ? {} : { height })}
      {...(sync === undefined ? {} : { sync })}
      {...(marks === undefined ? {} : { marks })}
    />
  )
}
