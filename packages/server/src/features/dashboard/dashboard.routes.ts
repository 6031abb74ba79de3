import { dashboardRoutes } from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { DashboardService } from './dashboard.service.ts'
import { PROBLEM_EXPORT } from './problem-export.ts'

export const dashboardHandlers = (dashboard: DashboardService): Mounted[] => [
  on(dashboardRoutes.main, (_, viewer) => dashboard.main(viewer)),
  on(dashboardRoutes.hosts, (_, viewer) => dashboard.hosts(viewer)),
  on(dashboardRoutes.datatable.get, (_, viewer) => dashboard.datatable(viewer, FIRST_PAGE)),
  on(dashboardRoutes.datatable.put, ({ body, format }, viewer) =>
    format === null
      ? dashboard.datatable(viewer, body)
      : exported(format, { name: 'problemes', columns: PROBLEM_EXPORT, slices: dashboard.everything(viewer, body) }),
  ),
]
