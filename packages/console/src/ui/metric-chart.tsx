import type { Metric } from '@narval/contracts'
import { useMemo } from 'react'
import { useChartData } from '../lib/chart-queries.ts'
import type { ChartSpan, View } from '../lib/chart-range.ts'
import { isLive } from '../lib/chart-range.ts'
import { Chart } from './chart/chart.tsx'
import type { ChartMark } from './chart/draw.ts'
import type { ChartSeries } from './chart/series.ts'
import type { ViewChange } from './chart/use-view.ts'

interface MetricChartProps {
  readonly metric: Pick<Metric, 'id' | 'name' | 'unit' | 'states' | 'thresholds'>
  readonly span: ChartSpan
  readonly onView: (view: View, how: ViewChange) => void
  readonly onBack: () => void
  readonly height?: number
  readonly sync?: string
  readonly marks?: readonly ChartMark[]
}

const POINTS = 480

/** A small chart of one metric over a range, asked again about once a point. */
export const MetricChart = ({ metric, span, onView, onBack, height, sync, marks }: MetricChartProps) => {
  const { id, name, unit, states, thresholds } = metric
  const { data, view, isPending } = useChartData([id], span, null, POINTS)
  const series = useMemo(
    (): ChartSeries[] => [{ key: `m${id}`, name, unit, states, thresholds, data: data?.now.series[0] }],
    [id, name, unit, states, thresholds, data],
  )
  return (
    <Chart
      name={name}
      series={series}
      stepMs={data?.now.stepMs ?? 0}
      view={view}
      isLive={isLive(span)}
      isLoading={isPending}
      onView={onView}
      onBack={onBack}
      {...(height === undefined ? {} : { height })}
      {...(sync === undefined ? {} : { sync })}
      {...(marks === undefined ? {} : { marks })}
    />
  )
}
