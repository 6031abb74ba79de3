import { incidentRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { IncidentService } from './incident.service.ts'

export const incidentHandlers = (incidents: IncidentService): Mounted[] => [
  on(incidentRoutes.list, ({ query }, viewer) => incidents.list(viewer, query)),
  on(incidentRoutes.get, ({ params }, viewer) => incidents.get(viewer, params.id)),
]
