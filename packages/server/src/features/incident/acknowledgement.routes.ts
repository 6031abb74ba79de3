import { acknowledgementRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { AcknowledgementService } from './acknowledgement.ts'

export const acknowledgementHandlers = (service: AcknowledgementService): Mounted[] => [
  on(acknowledgementRoutes.acknowledge, ({ params, body }, viewer) => service.acknowledge(viewer, params.id, body)),
  on(acknowledgementRoutes.unacknowledge, ({ params }, viewer) => service.unacknowledge(viewer, params.id)),
  on(acknowledgementRoutes.own, ({ params, body }, viewer) => service.own(viewer, params.id, body.owner)),
  on(acknowledgementRoutes.bulk, ({ body }, viewer) => service.bulk(viewer, body)),
  on(acknowledgementRoutes.check, ({ body }, viewer) => service.check(viewer, body)),
  on(acknowledgementRoutes.owners, ({ query: { of = 'incident', id } }, viewer) =>
    service.owners(viewer, id === undefined ? null : { of, id: Number(id) }),
  ),
]
