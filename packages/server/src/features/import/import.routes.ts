import { importRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { ImportService } from './import.service.ts'

export const importHandlers = (imports: ImportService): Mounted[] => [
  on(importRoutes.file, ({ query, body }, viewer) => imports.file(viewer, query, body), imports.admit),
  on(importRoutes.check, ({ params, body }, viewer) => imports.check(viewer, params.id, body)),
  on(importRoutes.run, ({ params, body }, viewer) => imports.run(viewer, params.id, body)),
  on(importRoutes.get, ({ params }, viewer) => imports.get(viewer, params.id)),
  on(importRoutes.delete, ({ params }, viewer) => imports.delete(viewer, params.id)),
]
