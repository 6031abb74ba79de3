import type { Metric } from '@narval/contracts'
import { useMemo, useState } from 'react'
import { chart as words } from '../i18n/chart.ts'
import { shifted } from '../lib/chart-data.ts'
import { useChartData, useChartEvents } from '../lib/chart-queries.ts'
import { comparisonOf, isLive } from '../lib/chart-range.ts'
import { distinctNames } from '../lib/metric-names.ts'
import classes from './chart/chart.module.css'
import { Chart } from './chart/chart.tsx'
import { CommentDialog } from './chart/comment-dialog.tsx'
import { EventList } from './chart/event-strip.tsx'
import { eventsIn } from './chart/events.ts'
import type { ChartSeries } from './chart/series.ts'
import { ChartToolbar } from './chart/toolbar.tsx'
import type { ChartContent } from './chart/use-chart.ts'
import { ValuesTable } from './chart/values-table.tsx'
import { ErrorState } from './page.tsx'
import type { Range } from './range-control.tsx'
import { useAddress } from './use-address.ts'

interface MetricGraphProps {
  /** Of the chart, of its files. */
  readonly title: string
  readonly metrics: readonly Pick<
    Metric,
    'id' | 'hostId' | 'name' | 'hostName' | 'scannerName' | 'unit' | 'states' | 'thresholds'
  >[]
  readonly range: Range
  readonly height: number
}

const POINTS = 720
const NO_EVENTS = 'non'

/** What an address says of a chart besides its range: what it is compared with, whether events are shown. */
const useChoices = () => {
  const { params, put } = useAddress()
  return {
    comparison: comparisonOf(params.get('compare')),
    compare: (key: string | null) => put({ compare: key }),
    hasEvents: params.get('events') !== NO_EVENTS,
    showEvents: (isShown: boolean) => put({ events: isShown ? null : NO_EVENTS }),
  }
}

/** Metrics over time with all that is done with a chart: compared, commented, with what happened, kept as a file. */
export const MetricGraph = ({ title, metrics, range, height }: MetricGraphProps) => {
  const { comparison, compare, hasEvents, showEvents } = useChoices()
  const [hasValues, setHasValues] = useState(false)
  const [commented, setCommented] = useState<{ fromMs: number; toMs: number | null } | null>(null)
  const ids = metrics.map(({ id }) => id)
  const { data, view, isPending, error } = useChartData(ids, range.span, comparison, POINTS)
  const events = useChartEvents(ids, range.span, hasEvents)
  const series = useMemo(() => seriesOf(metrics, data), [metrics, data])
  const known = useMemo(
    () => (hasEvents && events.data !== undefined ? eventsIn(events.data.events, view) : null),
    [hasEvents, events.data, view.fromMs, view.toMs],
  )
  const tools = (content: ChartContent) => (
    <ChartToolbar
      title={title}
      content={content}
      comparison={comparison}
      onComparison={one => compare(one?.key ?? null)}
      hasEvents={hasEvents}
      onEvents={showEvents}
      hasValues={hasValues}
      onValues={setHasValues}
      onBack={range.isFree ? range.back : null}
      onComment={() => {
        const { pickedMs } = content
        setCommented(pickedMs === null ? content.view : { fromMs: pickedMs, toMs: null })
      }}
    />
  )
  if (error !== null && data === undefined) return <ErrorState error={error} />
  return (
    <>
      <Chart
        name={title}
        series={series}
        stepMs={Math.max(data?.now.stepMs ?? 0, data?.then?.stepMs ?? 0)}
        view={view}
        isLive={isLive(range.span)}
        isLoading={isPending}
        height={height}
        hasLegend
        onView={range.setView}
        onBack={range.back}
        tools={tools}
        foot={content => hasValues && <ValuesTable content={content} />}
        {...(known !== null && { events: known })}
      />
      {events.error !== null && hasEvents && <p className={classes.note}>{words.eventsFailed}</p>}
      {hasEvents && <EventList events={known} isTruncated={events.data?.truncated ?? false} />}
      {commented !== null && (
        <CommentDialog
          metrics={[...namesOf(metrics)].map(([id, name]) => ({ id, name }))}
          fromMs={commented.fromMs}
          toMs={commented.toMs}
          onClose={() => setCommented(null)}
        />
      )}
    </>
  )
}

/** Of one its own; of several with their hosts. */
const namesOf = (metrics: MetricGraphProps['metrics']): ReadonlyMap<number, string> => {
  const names = distinctNames(metrics)
  if (metrics.length === 1) return names
  return new Map(metrics.map(({ id, hostName }) => [id, `${hostName} · ${names.get(id)}`]))
}

type ChartAnswer = ReturnType<typeof useChartData>['data']
/** A curve a metric, and beside each what it was before, at the time of now. */
const seriesOf = (metrics: MetricGraphProps['metrics'], data: ChartAnswer): ChartSeries[] => {
  const then = data?.comparison ?? null
  const find = (all: readonly { readonly id: number }[] | undefined, id: number) =>
    all?.findIndex(one => one.id === id) ?? -1
  const names = namesOf(metrics)
  return metrics.flatMap((metric): ChartSeries[] => {
    const { id, unit, states, thresholds } = metric
    const name = names.get(id) ?? metric.name
    const key = `m${id}`
    const now = { key, name, unit, states, thresholds, data: data?.now.series[find(data.now.series, id)] }
    if (then === null) return [now]
    const past = data?.then?.series[find(data.then?.series, id)]
    return [
      now,
      {
        ...{ key: `${key}:${then.key}`, name: `${name} (${words.beforeName[then.key]})`, unit, states, before: key },
        data: shifted(past, then.ms),
      },
    ]
  })
}
