import { maintenanceRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { MaintenanceService } from './maintenance.service.ts'
import type { createMaintenanceCalendar } from './maintenance-calendar.ts'

export const maintenanceHandlers = (
  maintenances: MaintenanceService,
  calendar: ReturnType<typeof createMaintenanceCalendar>,
): Mounted[] => [
  on(maintenanceRoutes.list, () => maintenances.list()),
  on(maintenanceRoutes.get, ({ params }) => maintenances.get(params.id)),
  on(maintenanceRoutes.lastUpdate, () => maintenances.lastUpdate()),
  on(maintenanceRoutes.runs, ({ params }) => maintenances.runs(params.id)),
  on(maintenanceRoutes.create, ({ body }, viewer) => maintenances.create(viewer, body)),
  on(maintenanceRoutes.update, ({ params, body }, viewer) => maintenances.update(viewer, params.id, body)),
  on(maintenanceRoutes.delete, ({ params }, viewer) => maintenances.delete(viewer, params.id)),
  on(maintenanceRoutes.end, ({ params }, viewer) => maintenances.end(viewer, params.id)),
  on(maintenanceRoutes.extend, ({ params, body }, viewer) => maintenances.extend(viewer, params.id, body.minutes)),
  on(maintenanceRoutes.calendar, ({ query }) => calendar.calendar(query)),
  on(maintenanceRoutes.preview, ({ body }, viewer) => calendar.preview(viewer, body)),
  on(maintenanceRoutes.datatable.get, () => maintenances.datatable(FIRST_PAGE)),
  on(maintenanceRoutes.datatable.put, ({ body }) => maintenances.datatable(body)),
]
