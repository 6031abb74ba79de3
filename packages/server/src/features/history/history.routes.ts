import { accountRoutes, historyRoutes, userGroupRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { HistoryService } from './history.service.ts'

export const historyHandlers = (history: HistoryService): Mounted[] => [
  on(historyRoutes.list, ({ query }, viewer) => history.list(viewer, query.object, query.id, query.before)),
  on(accountRoutes.history, ({ params, query }, viewer) => history.list(viewer, 'account', params.id, query.before)),
  on(userGroupRoutes.history, ({ params, query }, viewer) =>
    history.list(viewer, 'user-group', params.id, query.before),
  ),
]
