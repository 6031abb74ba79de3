import { serviceRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { ServiceService } from './service.service.ts'

export const serviceHandlers = (services: ServiceService): Mounted[] => [
  on(serviceRoutes.list, (_, viewer) => services.list(viewer)),
  on(serviceRoutes.get, ({ params }, viewer) => services.get(viewer, params.id)),
  on(serviceRoutes.storage, () => services.storage()),
  on(serviceRoutes.datatable.get, (_, viewer) => services.datatable(viewer, FIRST_PAGE)),
  on(serviceRoutes.datatable.put, ({ body }, viewer) => services.datatable(viewer, body)),
]
