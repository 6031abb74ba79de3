import { incidentRoutes } from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { IncidentService } from './incident.service.ts'
import { INCIDENT_EXPORT } from './incident-export.ts'

export const incidentHandlers = (incidents: IncidentService): Mounted[] => [
  on(incidentRoutes.list, ({ query }, viewer) => incidents.list(viewer, query)),
  on(incidentRoutes.causes, ({ query }, viewer) => incidents.causes(viewer, query.host)),
  on(incidentRoutes.get, ({ params }, viewer) => incidents.get(viewer, params.id)),
  on(incidentRoutes.detail, ({ params }, viewer) => incidents.detail(viewer, params.id)),
  on(incidentRoutes.datatable.get, (_, viewer) => incidents.datatable(viewer, FIRST_PAGE)),
  on(incidentRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? incidents.datatable(viewer, body)
      : exported(format, {
          name: 'incidents',
          columns: INCIDENT_EXPORT,
          slices: await incidents.everything(viewer, body),
        }),
  ),
  on(incidentRoutes.merge, ({ params, body }, viewer) => incidents.merge(viewer, params.id, body.into)),
  on(incidentRoutes.separate, ({ params }, viewer) => incidents.separate(viewer, params.id)),
]
