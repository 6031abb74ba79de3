import { historyRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { HistoryService } from './history.service.ts'

export const historyHandlers = (history: HistoryService): Mounted[] => [
  on(historyRoutes.list, ({ query }) => history.list(query.object, query.id, query.before)),
]
