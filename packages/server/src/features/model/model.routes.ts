import { monitoringModelRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { ModelService } from './model.service.ts'

export const modelHandlers = (models: ModelService): Mounted[] => [
  on(monitoringModelRoutes.list, (_, viewer) => models.list(viewer)),
  on(monitoringModelRoutes.get, ({ params }, viewer) => models.get(viewer, params.id)),
  on(monitoringModelRoutes.lastUpdate, () => models.lastUpdate()),
  on(monitoringModelRoutes.create, ({ body }, viewer) => models.create(viewer, body)),
  on(monitoringModelRoutes.update, ({ params, body, query }, viewer) => models.update(viewer, params.id, body, query)),
  on(monitoringModelRoutes.undo, ({ params, body, query }, viewer) => models.undo(viewer, params.id, body, query)),
  on(monitoringModelRoutes.versions, ({ params, query }, viewer) => models.versions(viewer, params.id, query.before)),
  on(monitoringModelRoutes.delete, ({ params, query }, viewer) => models.delete(viewer, params.id, query)),
  on(monitoringModelRoutes.select2, ({ query }) => models.select2(query)),
  on(monitoringModelRoutes.datatable.get, (_, viewer) => models.datatable(viewer, FIRST_PAGE)),
  on(monitoringModelRoutes.datatable.put, ({ body }, viewer) => models.datatable(viewer, body)),
]
