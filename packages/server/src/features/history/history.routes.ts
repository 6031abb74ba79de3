import { historyRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { HistoryService } from './history.service.ts'

export const historyHandlers = (history: HistoryService): Mounted[] => [
  on(historyRoutes.list, ({ query }, viewer) => history.list(viewer, query.object, query.id, query.before)),
]
