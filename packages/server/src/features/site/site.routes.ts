import { siteRoutes } from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { SiteService } from './site.service.ts'
import type { SiteBulk } from './site-bulk.ts'
import type { SiteTypeService } from './site-type.service.ts'

export const siteHandlers = (sites: SiteService, types: SiteTypeService, bulk: SiteBulk): Mounted[] => [
  on(siteRoutes.list, (_, viewer) => sites.list(viewer)),
  on(siteRoutes.get, ({ params }, viewer) => sites.get(viewer, params.id)),
  on(siteRoutes.lastUpdate, () => sites.lastUpdate()),
  on(siteRoutes.create, ({ body }, viewer) => sites.create(viewer, body)),
  on(siteRoutes.update, ({ params, body }, viewer) => sites.update(viewer, params.id, body)),
  on(siteRoutes.delete, ({ params, query }, viewer) => sites.delete(viewer, params.id, query)),
  on(siteRoutes.tree, (_, viewer) => sites.tree(viewer)),
  on(siteRoutes.types, () => types.list()),
  on(siteRoutes.createType, ({ body }, viewer) => types.create(viewer, body)),
  on(siteRoutes.updateType, ({ params, body }, viewer) => types.update(viewer, params.id, body)),
  on(siteRoutes.deleteType, ({ params }, viewer) => types.delete(viewer, params.id)),
  on(siteRoutes.select2, ({ query }, viewer) => sites.select2(viewer, query)),
  on(siteRoutes.select2Type, ({ query }) => types.select2(query)),
  on(siteRoutes.datatable.get, (_, viewer) => sites.datatable(viewer, FIRST_PAGE)),
  on(siteRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? sites.datatable(viewer, body)
      : exported(format, {
          name: 'sites',
          columns: await sites.columns(viewer),
          slices: await sites.everything(viewer, body, format === 'csv' ? 'own' : 'in-force'),
        }),
  ),
  on(siteRoutes.bulk, ({ body }, viewer) => bulk(viewer, body)),
]
