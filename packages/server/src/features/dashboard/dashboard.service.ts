import { type DashboardMain, type DatatableRequest, PROBLEM_VIEWS } from '@narval/contracts'
import { worstOfCounts } from '@narval/engine'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import { countFleet } from '../../monitoring/live.ts'
import { type MetricListRow, metricList, toProblem } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { type FilterValue, type ListSpec, runDatatable } from '../../store/datatable.ts'
import { toIso } from '../../store/time.ts'

/** Metrics that count: enabled, of an enabled scanner and host. */
const ACTIVE = sql<boolean>`metric.enabled = 1 and scanner.enabled = 1 and host.enabled = 1`
/** What awaits its first result is no problem. */
const PROBLEM = sql<boolean>`state.severity_rank < 3 and coalesce(state.cause, '') != 'pending'`

const viewFilter = (value: FilterValue) => {
  const view = PROBLEM_VIEWS.find(one => one === value)
  if (view === undefined) throw invalid([`Vue inconnue ; attendu : ${PROBLEM_VIEWS.join(', ')}.`])
  if (view === 'all') return sql<boolean>`1 = 1`
  return view === 'problems' ? PROBLEM : sql<boolean>`${PROBLEM} and incident.acknowledged_at is null`
}

/** The live view's list: worst first, then the newest. */
const problemList = (viewer: Viewer): ListSpec => {
  const metrics = metricList(viewer)
  return {
    ...metrics,
    visible: sql<boolean>`${metrics.visible} and ${ACTIVE}`,
    filters: {
      ...metrics.filters,
      view: viewFilter,
      acknowledged: value =>
        value === true || value === 'true'
          ? sql<boolean>`incident.acknowledged_at is not null`
          : sql<boolean>`incident.acknowledged_at is null`,
    },
    order: sql`coalesce(state.severity_rank, 2) asc, coalesce(state.since, metric.created_at) desc`,
  }
}

export const createDashboardService = (database: Database, monitoring: Monitoring, now: () => number) => ({
  main(): DashboardMain {
    const states = [...monitoring.presence.probes.keys()].map(id => monitoring.presence.state(id))
    return {
      ...countFleet(monitoring.model),
      inMaintenance: 0,
      probes: states.filter(state => state === 'online' || state === 'offline').length,
      probesOffline: states.filter(state => state === 'offline').length,
      at: toIso(now()),
    }
  },
  status: () =>
    [...monitoring.model.sites.values()].map(site => ({
      siteId: site.id,
      siteName: site.name,
      severity: worstOfCounts(site.counts) ?? ('ok' as const),
      counts: { ...site.counts },
      hosts: site.hosts.size,
    })),
  async datatable(viewer: Viewer, request: DatatableRequest) {
    const page = await runDatatable<MetricListRow>(database, problemList(viewer), request)
    return { ...page, data: page.data.map(row => toProblem(row, monitoring.model)) }
  },
})
export type DashboardService = ReturnType<typeof createDashboardService>
