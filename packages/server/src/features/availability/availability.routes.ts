import {
  type AvailabilityRow,
  availabilityRoutes,
  type MetricAvailabilityRow,
  metricAvailabilityRoutes,
} from '@narval/contracts'
import { type ExportFormat, exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { batches } from '../../store/batches.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { AvailabilityService } from './availability.service.ts'
import { AVAILABILITY_EXPORT, INTERVAL_EXPORT, METRIC_EXPORT, METRIC_INTERVAL_EXPORT } from './availability-export.ts'
import type { MetricAvailabilityService } from './metric-availability.service.ts'

export const availabilityHandlers = (
  availability: AvailabilityService,
  metrics: MetricAvailabilityService,
): Mounted[] => [...hostHandlers(availability), ...metricHandlers(metrics)]

const hostHandlers = (availability: AvailabilityService): Mounted[] => [
  on(availabilityRoutes.list, async ({ query, format }, viewer) => {
    const rows = await availability.list(viewer, query)
    return format === null ? rows : fileOf(format, rows)
  }),
  on(availabilityRoutes.summary, ({ query }, viewer) => availability.summary(viewer, query)),
  on(availabilityRoutes.host, async ({ params, query, format }, viewer) => {
    const found = await availability.ofHost(viewer, params.id, query, format !== null)
    if (format === null) return found
    return exported(format, {
      name: `disponibilite-${params.id}`,
      columns: INTERVAL_EXPORT,
      slices: slicesOf(found.intervals),
    })
  }),
  on(availabilityRoutes.datatable.get, (_, viewer) => availability.datatable(viewer, FIRST_PAGE)),
  on(availabilityRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? availability.datatable(viewer, body)
      : fileOf(format, await availability.everything(viewer, body)),
  ),
]

const metricHandlers = (availability: MetricAvailabilityService): Mounted[] => [
  on(metricAvailabilityRoutes.list, async ({ query, format }, viewer) => {
    const rows = await availability.list(viewer, query)
    return format === null ? rows : metricFileOf(format, rows)
  }),
  on(metricAvailabilityRoutes.summary, ({ query }, viewer) => availability.summary(viewer, query)),
  on(metricAvailabilityRoutes.metric, async ({ params, query, format }, viewer) => {
    const found = await availability.ofMetric(viewer, params.id, query, format !== null)
    if (format === null) return found
    return exported(format, {
      name: `disponibilite-metrique-${params.id}`,
      columns: METRIC_INTERVAL_EXPORT,
      slices: slicesOf(found.intervals),
    })
  }),
  on(metricAvailabilityRoutes.datatable.get, (_, viewer) => availability.datatable(viewer, FIRST_PAGE)),
  on(metricAvailabilityRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? availability.datatable(viewer, body)
      : metricFileOf(format, await availability.everything(viewer, body)),
  ),
]

const metricFileOf = (format: ExportFormat, rows: readonly MetricAvailabilityRow[]) =>
  exported(format, { name: 'disponibilite-metriques', columns: METRIC_EXPORT, slices: slicesOf(rows) })

const fileOf = (format: ExportFormat, rows: readonly AvailabilityRow[]) =>
  exported(format, { name: 'disponibilite', columns: AVAILABILITY_EXPORT, slices: slicesOf(rows) })

async function* slicesOf<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield* batches(rows)
}
