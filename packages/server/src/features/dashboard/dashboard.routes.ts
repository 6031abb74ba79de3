import { dashboardRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { DashboardService } from './dashboard.service.ts'

export const dashboardHandlers = (dashboard: DashboardService): Mounted[] => [
  on(dashboardRoutes.main, () => dashboard.main()),
  on(dashboardRoutes.status, () => dashboard.status()),
  on(dashboardRoutes.datatable.get, (_, viewer) => dashboard.datatable(viewer, FIRST_PAGE)),
  on(dashboardRoutes.datatable.put, ({ body }, viewer) => dashboard.datatable(viewer, body)),
]
