import type { DashboardMain, DatatableReply, DatatableRequest, HostGrid, ProblemRow } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { gridOf } from '../../monitoring/host-grid.ts'
import { countFleet } from '../../monitoring/live.ts'
import { type MetricListRow, metricList, toProblem } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { listProblems, matchingProblems } from '../../monitoring/problem-list.ts'
import type { Database } from '../../store/database.ts'
import { fetchByIds } from '../../store/fetch.ts'
import { matchingRows } from '../../store/matching.ts'
import { hostTypeNames } from '../../store/names.ts'
import { probesSeen } from '../../store/site-probe.ts'
import { toIso } from '../../store/time.ts'
import { seesHost } from '../../store/visible.ts'

export const createDashboardService = (database: Database, monitoring: Monitoring, now: () => number) => ({
  async main(viewer: Viewer): Promise<DashboardMain> {
    const ids = await probesSeen(database.db, viewer, [...monitoring.presence.probes.keys()])
    const states = ids.map(id => monitoring.presence.state(id))
    return {
      ...countFleet(monitoring.model, seesHost(viewer)),
      probes: states.filter(state => state === 'online' || state === 'offline').length,
      probesOffline: states.filter(state => state === 'offline').length,
      at: toIso(now()),
    }
  },
  hosts: async (viewer: Viewer): Promise<HostGrid> =>
    gridOf(monitoring.model, seesHost(viewer), await hostTypeNames(database.db), now()),
  /** All that a request matches, whatever its page, by slices. @throws Refusal at once, as `datatable`. */
  everything(viewer: Viewer, request: DatatableRequest): AsyncGenerator<readonly ProblemRow[]> {
    const ids = matchingProblems(monitoring.model, request, seesHost(viewer)).map(metric => metric.id)
    const { model } = monitoring
    return (async function* () {
      for await (const rows of matchingRows<MetricListRow>(database.db, metricList(viewer), ids))
        yield rows.map(row => toProblem(row, model))
    })()
  },
  async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<ProblemRow>> {
    const { total, filtered, page } = listProblems(monitoring.model, request, seesHost(viewer))
    const rows = await fetchByIds<MetricListRow>(
      database.db,
      metricList(viewer),
      page.map(metric => metric.id),
    )
    const data = rows.map(row => toProblem(row, monitoring.model))
    return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data }
  },
})
export type DashboardService = ReturnType<typeof createDashboardService>
