import { dashboardRoutes, incidentRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { DashboardService } from './dashboard.service.ts'
import type { IncidentService } from './incident.service.ts'

export const dashboardHandlers = (dashboard: DashboardService, incidents: IncidentService): Mounted[] => [
  on(dashboardRoutes.main, () => dashboard.main()),
  on(dashboardRoutes.status, () => dashboard.status()),
  on(dashboardRoutes.datatable.get, (_, viewer) => dashboard.datatable(viewer, FIRST_PAGE)),
  on(dashboardRoutes.datatable.put, ({ body }, viewer) => dashboard.datatable(viewer, body)),
  on(incidentRoutes.list, ({ query }, viewer) => incidents.list(viewer, query)),
  on(incidentRoutes.get, ({ params }, viewer) => incidents.get(viewer, params.id)),
  on(incidentRoutes.acknowledge, ({ params, body }, viewer) => incidents.acknowledge(viewer, params.id, body.comment)),
  on(incidentRoutes.unacknowledge, ({ params }, viewer) => incidents.unacknowledge(viewer, params.id)),
]
