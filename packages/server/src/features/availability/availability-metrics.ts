import {
  type MetricAvailabilityRules,
  type MetricInterval,
  type MetricStateChange,
  type MetricTotals,
  metricIntervals,
  metricTotals,
} from '@narval/engine'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import type { Reported } from './computing.ts'
import { readWrittenOfMetrics } from './metric.store.ts'

const isLife = (metric: MetricEntry): boolean => metric.scanner.host.life === metric

/** Metrics, by their severities; what came late is of a host's life test alone. */
export const METRICS: Reported<MetricEntry, MetricStateChange, MetricInterval, MetricTotals, MetricAvailabilityRules> =
  {
    coveredBy: run => run.metrics,
    siteOf: metric => metric.scanner.host.site.id,
    async read(db, metrics, period) {
      const ids = metrics.map(({ id }) => id)
      const lifeHosts = metrics.filter(isLife).map(({ scanner }) => scanner.host.id)
      const { createdMs, changes, late } = await readWrittenOfMetrics(db, ids, lifeHosts, period)
      return metric => ({
        sinceMs: createdMs.get(metric.id) ?? metric.scanner.host.createdMs,
        changes: changes.get(metric.id) ?? [],
        late: (isLife(metric) ? late.get(metric.scanner.host.id) : undefined) ?? [],
      })
    },
    intervals: metricIntervals,
    totals: metricTotals,
    stateKey: change => `${change?.severity}`,
  }
