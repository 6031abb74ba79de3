import { type Metric, metricRoutes } from '@narval/contracts'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../lib/api.ts'
import { GRAPH_MAX, graphIds, graphText } from '../../lib/graph-ids.ts'
import { distinctNames } from '../../lib/metric-names.ts'
import { metricOptions } from '../../lib/option-sources.ts'
import { FreshnessSign, LivePart } from '../../ui/freshness.tsx'
import { MetricGraph } from '../../ui/metric-graph.tsx'
import { Card, EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { RangeControl, useRange } from '../../ui/range-control.tsx'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { fr } from './fr.ts'

const HEIGHT_PX = 360
const PANEL_PX = 220
const STALE_MS = 60_000

/** Metrics in the order in which they were asked for; those that are no more are left out. */
const useMetrics = (ids: readonly number[]) => {
  const queries = useQueries({
    queries: ids.map(id => ({
      queryKey: ['metric', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(metricRoutes.get, { params: { id: String(id) }, signal }),
      staleTime: STALE_MS,
      retry: false,
    })),
  })
  const found = queries.flatMap(({ data }) => data ?? [])
  const version = found.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join()
  const metrics = useMemo((): Metric[] => found, [version])
  return {
    metrics,
    isPending: queries.some(query => query.isPending),
    error: queries.find(query => query.error !== null)?.error ?? null,
  }
}

/** /metric/graph?ids=1,2,3: metrics of any hosts over one another. */
export const GraphPage = () => {
  const { params, put } = useAddress()
  const range = useRange()
  const ids = graphIds(params.get('ids'))
  const { metrics, isPending, error } = useMetrics(ids)
  const choose = (chosen: readonly number[]): void => put({ ids: graphText(chosen) })
  const names = distinctNames(metrics)
  const units = new Set(metrics.map(({ unit, states }) => `${unit} ${JSON.stringify(states)}`)).size
  return (
    <>
      <PageHeader title={fr.graph.title} meta={<FreshnessSign hub="service" held />} />
      <LivePart hub="service">
        <Card aside={<RangeControl range={range} />}>
          <div style={{ marginBottom: 16 }}>
            <RemoteMultiSelect
              label={fr.graph.metrics}
              source={metricOptions}
              known={metrics.map(({ id, hostName }) => ({ id, name: `${hostName} · ${names.get(id)}` }))}
              values={ids}
              onChange={choose}
              max={GRAPH_MAX}
              help={fr.graph.help(GRAPH_MAX)}
              placeholder={fr.graph.search}
            />
          </div>
          {error !== null && <ErrorState error={error} />}
          {ids.length === 0 ? (
            <EmptyState title={fr.graph.emptyTitle}>{fr.graph.emptyText}</EmptyState>
          ) : isPending ? (
            <LoadingState height={HEIGHT_PX} />
          ) : (
            metrics.length > 0 && (
              <MetricGraph
                title={graphTitle(metrics)}
                metrics={metrics}
                range={range}
                height={units > 2 ? PANEL_PX : HEIGHT_PX}
              />
            )
          )}
        </Card>
      </LivePart>
    </>
  )
}

const NAMED = 2
/** The metrics by their names while they are few. */
const graphTitle = (metrics: readonly Metric[]): string =>
  metrics.length > NAMED
    ? fr.graph.titleOf(metrics.length)
    : metrics.map(({ hostName, name }) => `${hostName} · ${name}`).join(', ')
