import {
  type DashboardMain,
  dashboardRoutes,
  GLOBAL_STREAM,
  type MetricChanged,
  type ProblemRow,
} from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useLiveRows } from '../../ui/live-rows.ts'

const MAIN_KEY = ['dashboard', 'main'] as const
export const PROBLEM_LIST = 'problem'

/** The counters, kept by the service hub; asked again at each join, for what was missed. */
export const useDashboardMain = () => {
  const client = useQueryClient()
  useHubEvent('service', GLOBAL_STREAM, ({ probes: _probes, maintenances: _maintenances, ...counters }) => {
    client.setQueryData<DashboardMain>(MAIN_KEY, main => (main === undefined ? main : { ...main, ...counters }))
  })
  useHubJoined('service', () => void client.invalidateQueries({ queryKey: MAIN_KEY }))
  return useQuery({ queryKey: MAIN_KEY, queryFn: ({ signal }) => call(dashboardRoutes.main, { signal }) })
}

/** The fields of a row that a message of the metric hub brings. */
export const liveFields = ({
  id,
  value,
  at,
  severity,
  kind,
  attempt,
  maxAttempts,
  cause,
  flapping,
  since,
  information,
  inMaintenance,
  maintenance,
}: MetricChanged['metrics'][number]): Partial<ProblemRow> & { id: number } => ({
  id,
  value,
  at,
  severity,
  kind,
  attempt,
  maxAttempts,
  cause,
  flapping,
  since,
  information,
  inMaintenance,
  maintenance,
})

/** Rows change in place at once; the list itself is asked again when what it holds may have changed. */
export const useLiveProblems = (): void => {
  const rows = useLiveRows<ProblemRow>(PROBLEM_LIST)
  useHubEvent('metric', GLOBAL_STREAM, ({ metrics, entities }) => {
    rows.patch(new Map(metrics.map(metric => [metric.id, liveFields(metric)])))
    if (metrics.length > 0 || (entities?.length ?? 0) > 0) rows.refetch()
  })
  useHubEvent('service', GLOBAL_STREAM, ({ maintenances = [] }) => {
    if (maintenances.length > 0) rows.refetch()
  })
  useHubJoined('metric', rows.refetch)
}
