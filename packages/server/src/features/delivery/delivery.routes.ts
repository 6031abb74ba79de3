import { deliveryRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { DeliveryService } from './delivery.service.ts'

export const deliveryHandlers = (deliveries: DeliveryService): Mounted[] => [
  on(deliveryRoutes.ofIncident, ({ params }, viewer) => deliveries.ofIncident(viewer, params.id)),
  on(deliveryRoutes.retry, ({ params }, viewer) => deliveries.retry(viewer, params.id)),
  on(deliveryRoutes.cancel, ({ params }, viewer) => deliveries.cancel(viewer, params.id)),
  on(deliveryRoutes.datatable.get, () => deliveries.list(FIRST_PAGE)),
  on(deliveryRoutes.datatable.put, ({ body }) => deliveries.list(body)),
]
