import { dashboardRoutes, statusRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { StatusChangeService } from './status-change.service.ts'
import type { StatusHourService } from './status-hour.service.ts'

export const statusHandlers = (status: StatusHourService, changes: StatusChangeService): Mounted[] => [
  on(dashboardRoutes.status, (_, viewer) => status.sites(viewer)),
  on(statusRoutes.hours, ({ query }, viewer) => status.hours(viewer, query)),
  on(statusRoutes.changeGroups, ({ query }, viewer) => changes.groups(viewer, query)),
  on(statusRoutes.changes.get, (_, viewer) => changes.datatable(viewer, FIRST_PAGE)),
  on(statusRoutes.changes.put, ({ body }, viewer) => changes.datatable(viewer, body)),
]
