import { probeGroupRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { ProbeGroupService } from './probe-group.service.ts'

export const probeGroupHandlers = (groups: ProbeGroupService): Mounted[] => [
  on(probeGroupRoutes.list, () => groups.list()),
  on(probeGroupRoutes.get, ({ params }) => groups.get(params.id)),
  on(probeGroupRoutes.create, ({ body }, viewer) => groups.create(viewer, body)),
  on(probeGroupRoutes.update, ({ params, body }, viewer) => groups.update(viewer, params.id, body)),
  on(probeGroupRoutes.delete, ({ params }, viewer) => groups.delete(viewer, params.id)),
]
