import { metricRoutes } from '@narval/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from './api.ts'
import { type ChartSpan, type Comparison, isLive, type View, viewOf } from './chart-range.ts'
import { COMMENTED_KEY } from './comment-queries.ts'

const FASTEST_MS = 10_000
const SLOWEST_MS = 300_000
const EVENTS_MS = 30_000

const ask = (ids: readonly number[], { fromMs, toMs }: View, points: number, signal: AbortSignal) =>
  call(metricRoutes.data, {
    query: {
      ids: ids.join(','),
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      points: String(points),
    },
    signal,
  })

/**
 * What charts show of metrics over a range, with what it was before where that is compared: asked again about once a point while it
 * moves. `view` is the range asked for at once, whatever is there of it.
 */
export const useChartData = (
  ids: readonly number[],
  span: ChartSpan,
  comparison: Comparison | null,
  points: number,
) => {
  const { data, isPending, error } = useQuery({
    queryKey: ['metric-data', ids.join(), span, comparison?.key ?? null, points],
    queryFn: async ({ signal }) => {
      const view = viewOf(span, Date.now())
      const before =
        comparison === null ? null : { fromMs: view.fromMs - comparison.ms, toMs: view.toMs - comparison.ms }
      const [now, then] = await Promise.all([
        ask(ids, view, points, signal),
        before === null ? null : ask(ids, before, points, signal),
      ])
      return { now, then, view, span, comparison }
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: isLive(span) ? Math.min(Math.max(span.lastMs / points, FASTEST_MS), SLOWEST_MS) : false,
  })
  const isOfSpan = data !== undefined && isLive(span) && isLive(data.span) && data.span.lastMs === span.lastMs
  return { data, isPending: isPending && ids.length > 0, error, view: isOfSpan ? data.view : viewOf(span, Date.now()) }
}

/** What happened around metrics over a range; as comments are among it, it is asked again when one is written. */
export const useChartEvents = (ids: readonly number[], span: ChartSpan, isWanted: boolean) =>
  useQuery({
    queryKey: [...COMMENTED_KEY, 'chart', ids.join(), span],
    queryFn: ({ signal }) => {
      const { fromMs, toMs } = viewOf(span, Date.now())
      const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
      return call(metricRoutes.event, { query: { ids: ids.join(','), from, to }, signal })
    },
    enabled: isWanted && ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: isLive(span) ? EVENTS_MS : false,
  })
