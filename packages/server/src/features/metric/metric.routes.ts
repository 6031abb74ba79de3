import { metricRoutes } from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { MetricService } from './metric.service.ts'
import type { MetricBulk } from './metric-bulk.ts'
import { METRIC_EXPORT } from './metric-export.ts'

export const metricHandlers = (metrics: MetricService, bulk: MetricBulk): Mounted[] => [
  on(metricRoutes.bulk, ({ body }, viewer) => bulk(viewer, body)),
  on(metricRoutes.list, ({ query }, viewer) => metrics.list(viewer, query.host)),
  on(metricRoutes.get, ({ params }, viewer) => metrics.get(viewer, params.id)),
  on(metricRoutes.lastUpdate, () => metrics.lastUpdate()),
  on(metricRoutes.rule, ({ query }, viewer) => metrics.rule(viewer, query.id)),
  on(metricRoutes.live, ({ query }, viewer) => metrics.live(viewer, query)),
  on(metricRoutes.lastData, ({ query }, viewer) => metrics.lastData(viewer, query.ids)),
  on(metricRoutes.data, ({ query }, viewer) => metrics.data(viewer, query)),
  on(metricRoutes.event, ({ query }, viewer) => metrics.events(viewer, query)),
  on(metricRoutes.create, ({ body }, viewer) => metrics.create(viewer, body)),
  on(metricRoutes.update, ({ params, body }, viewer) => metrics.update(viewer, params.id, body)),
  on(metricRoutes.delete, ({ params }, viewer) => metrics.delete(viewer, params.id)),
  on(metricRoutes.datatable.get, (_, viewer) => metrics.datatable(viewer, FIRST_PAGE)),
  on(metricRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? metrics.datatable(viewer, body)
      : exported(format, { name: 'metriques', columns: METRIC_EXPORT, slices: await metrics.everything(viewer, body) }),
  ),
]
