import { topologyRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { TopologyService } from './topology.service.ts'

export const topologyHandlers = (topology: TopologyService): Mounted[] => [
  on(topologyRoutes.get, ({ query }, viewer) => topology.read(viewer, query.site ?? null)),
]
