import { discoveryRoutes, lookRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { DiscoveryService } from './discovery.service.ts'

export const discoveryHandlers = (discovery: DiscoveryService): Mounted[] => [
  on(discoveryRoutes.list, () => discovery.ranges.list()),
  on(discoveryRoutes.get, ({ params }) => discovery.ranges.get(params.id)),
  on(discoveryRoutes.create, ({ body }, viewer) => discovery.ranges.create(viewer, body)),
  on(discoveryRoutes.update, ({ params, body }, viewer) => discovery.ranges.update(viewer, params.id, body)),
  on(discoveryRoutes.delete, ({ params }, viewer) => discovery.ranges.delete(viewer, params.id)),
  on(discoveryRoutes.run, ({ params }, viewer) => discovery.runs.start(params.id, viewer.login)),
  on(discoveryRoutes.runs, ({ query }) => discovery.runs.book.last(query.range)),
  on(discoveryRoutes.cancel, ({ params }, viewer) => discovery.runs.cancel(params.id, viewer.login)),
  on(discoveryRoutes.finding, ({ params }) => discovery.finding(params.id)),
  on(discoveryRoutes.approve, ({ body }, viewer) => discovery.approve(viewer, body)),
  on(discoveryRoutes.review, ({ body }, viewer) => discovery.review(viewer, body)),
  on(lookRoutes.suggestions, () => discovery.looks.suggestions()),
  on(lookRoutes.look, ({ body, signal }, viewer) => discovery.looks.look(viewer, body, signal)),
  on(discoveryRoutes.datatable.get, () => discovery.datatable(FIRST_PAGE)),
  on(discoveryRoutes.datatable.put, ({ body }) => discovery.datatable(body)),
]
