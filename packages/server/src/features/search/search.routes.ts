import { searchRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { SearchService } from './search.service.ts'

/** The search box: objects found by name, and those found before. */
export const searchHandlers = (search: SearchService): Mounted[] => [
  on(searchRoutes.search, ({ query }, viewer) => search.find(viewer, query.term, query.kind)),
  on(searchRoutes.recall, ({ query }, viewer) => search.recall(viewer, query.objects)),
]
