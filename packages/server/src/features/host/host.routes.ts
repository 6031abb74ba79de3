import { hostRoutes } from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { HostService } from './host.service.ts'
import type { HostBulk } from './host-bulk.ts'
import type { HostCatalogue } from './host-catalogue.ts'

export const hostHandlers = (hosts: HostService, catalogue: HostCatalogue, bulk: HostBulk): Mounted[] => [
  on(hostRoutes.list, ({ query }, viewer) => hosts.list(viewer, query.site)),
  on(hostRoutes.get, ({ params }, viewer) => hosts.get(viewer, params.id)),
  on(hostRoutes.lastUpdate, () => hosts.lastUpdate()),
  on(hostRoutes.create, ({ body }, viewer) => hosts.create(viewer, body)),
  on(hostRoutes.update, ({ params, body }, viewer) => hosts.update(viewer, params.id, body)),
  on(hostRoutes.delete, ({ params, query }, viewer) => hosts.delete(viewer, params.id, query)),
  on(hostRoutes.check, ({ params }, viewer) => hosts.check(viewer, params.id)),
  on(hostRoutes.neighbours, ({ params }, viewer) => hosts.neighbours(viewer, params.id)),
  on(hostRoutes.bulk, ({ body }, viewer) => bulk(viewer, body)),
  on(hostRoutes.types, () => catalogue.types()),
  on(hostRoutes.createType, ({ body }, viewer) => catalogue.createType(viewer, body)),
  on(hostRoutes.updateType, ({ params, body }, viewer) => catalogue.updateType(viewer, params.id, body)),
  on(hostRoutes.deleteType, ({ params }, viewer) => catalogue.deleteType(viewer, params.id)),
  on(hostRoutes.models, () => catalogue.models()),
  on(hostRoutes.createModel, ({ body }, viewer) => catalogue.createModel(viewer, body)),
  on(hostRoutes.updateModel, ({ params, body }, viewer) => catalogue.updateModel(viewer, params.id, body)),
  on(hostRoutes.deleteModel, ({ params }, viewer) => catalogue.deleteModel(viewer, params.id)),
  on(hostRoutes.select2, ({ query }, viewer) => hosts.select2(viewer, query)),
  on(hostRoutes.select2Model, ({ query }) => hosts.select2Model(query)),
  on(hostRoutes.select2Type, ({ query }) => hosts.select2Type(query)),
  on(hostRoutes.datatable.get, (_, viewer) => hosts.datatable(viewer, FIRST_PAGE)),
  on(hostRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? hosts.datatable(viewer, body)
      : exported(format, {
          name: 'equipements',
          columns: await hosts.columns(viewer),
          slices: await hosts.everything(viewer, body, format === 'csv' ? 'own' : 'in-force'),
        }),
  ),
]
