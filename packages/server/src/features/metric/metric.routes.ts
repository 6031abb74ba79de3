import { metricRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { MetricService } from './metric.service.ts'

export const metricHandlers = (metrics: MetricService): Mounted[] => [
  on(metricRoutes.list, ({ query }, viewer) => metrics.list(viewer, query.host)),
  on(metricRoutes.get, ({ params }, viewer) => metrics.get(viewer, params.id)),
  on(metricRoutes.lastUpdate, () => metrics.lastUpdate()),
  on(metricRoutes.live, ({ query }) => metrics.live(query)),
  on(metricRoutes.lastData, ({ query }) => metrics.lastData(query.ids)),
  on(metricRoutes.data, ({ query }) => metrics.data(query)),
  on(metricRoutes.create, ({ body }, viewer) => metrics.create(viewer, body)),
  on(metricRoutes.update, ({ params, body }, viewer) => metrics.update(viewer, params.id, body)),
  on(metricRoutes.delete, ({ params }, viewer) => metrics.delete(viewer, params.id)),
  on(metricRoutes.datatable.get, (_, viewer) => metrics.datatable(viewer, FIRST_PAGE)),
  on(metricRoutes.datatable.put, ({ body }, viewer) => metrics.datatable(viewer, body)),
]
