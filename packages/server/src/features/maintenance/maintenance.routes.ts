import { maintenanceRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { MaintenanceService } from './maintenance.service.ts'
import type { createMaintenanceCalendar } from './maintenance-calendar.ts'

export const maintenanceHandlers = (
  maintenances: MaintenanceService,
  calendar: ReturnType<typeof createMaintenanceCalendar>,
): Mounted[] => [
  on(maintenanceRoutes.list, (_, viewer) => maintenances.list(viewer)),
  on(maintenanceRoutes.get, ({ params }, viewer) => maintenances.get(viewer, params.id)),
  on(maintenanceRoutes.lastUpdate, () => maintenances.lastUpdate()),
  on(maintenanceRoutes.runs, ({ params }, viewer) => maintenances.runs(viewer, params.id)),
  on(maintenanceRoutes.create, ({ body }, viewer) => maintenances.create(viewer, body)),
  on(maintenanceRoutes.update, ({ params, body }, viewer) => maintenances.update(viewer, params.id, body)),
  on(maintenanceRoutes.delete, ({ params }, viewer) => maintenances.delete(viewer, params.id)),
  on(maintenanceRoutes.end, ({ params }, viewer) => maintenances.end(viewer, params.id)),
  on(maintenanceRoutes.extend, ({ params, body }, viewer) => maintenances.extend(viewer, params.id, body.minutes)),
  on(maintenanceRoutes.calendar, ({ query }, viewer) => calendar.calendar(viewer, query)),
  on(maintenanceRoutes.preview, ({ body }, viewer) => calendar.preview(viewer, body)),
  on(maintenanceRoutes.datatable.get, (_, viewer) => maintenances.datatable(viewer, FIRST_PAGE)),
  on(maintenanceRoutes.datatable.put, ({ body }, viewer) => maintenances.datatable(viewer, body)),
]
