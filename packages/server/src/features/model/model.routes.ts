import { monitoringModelRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { ModelService } from './model.service.ts'

export const modelHandlers = (models: ModelService): Mounted[] => [
  on(monitoringModelRoutes.list, () => models.list()),
  on(monitoringModelRoutes.get, ({ params }) => models.get(params.id)),
  on(monitoringModelRoutes.lastUpdate, () => models.lastUpdate()),
  on(monitoringModelRoutes.create, ({ body }, viewer) => models.create(viewer, body)),
  on(monitoringModelRoutes.update, ({ params, body, query }, viewer) => models.update(viewer, params.id, body, query)),
  on(monitoringModelRoutes.undo, ({ params, body, query }, viewer) => models.undo(viewer, params.id, body, query)),
  on(monitoringModelRoutes.versions, ({ params, query }) => models.versions(params.id, query.before)),
  on(monitoringModelRoutes.delete, ({ params, query }, viewer) => models.delete(viewer, params.id, query)),
  on(monitoringModelRoutes.select2, ({ query }) => models.select2(query)),
  on(monitoringModelRoutes.datatable.get, () => models.datatable(FIRST_PAGE)),
  on(monitoringModelRoutes.datatable.put, ({ body }) => models.datatable(body)),
]
