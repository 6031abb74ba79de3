import { savedViewRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { ViewService } from './view.service.ts'

export const viewHandlers = (views: ViewService): Mounted[] => [
  on(savedViewRoutes.list, (_, viewer) => views.list(viewer)),
  on(savedViewRoutes.create, ({ body }, viewer) => views.create(viewer, body)),
  on(savedViewRoutes.update, ({ params, body }, viewer) => views.update(viewer, params.id, body)),
  on(savedViewRoutes.delete, ({ params }, viewer) => views.delete(viewer, params.id)),
  on(savedViewRoutes.preferences, (_, viewer) => views.preferences(viewer)),
  on(savedViewRoutes.setPreference, ({ body }, viewer) => views.setPreference(viewer, body)),
]
