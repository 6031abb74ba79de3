import {
  AVAILABILITY_MAX_INTERVALS,
  AVAILABILITY_MAX_METRICS,
  type AvailabilityOfMetric,
  type DatatableReply,
  type DatatableRequest,
  type MetricAvailabilityQuery,
  type MetricAvailabilityRow,
  type MetricAvailabilityRulesQuery,
  type MetricAvailabilitySummary,
  metricAvailabilityQuery,
} from '@narval/contracts'
import { DEFAULT_METRIC_RULES, type MetricAvailabilityRules, type MetricTotals } from '@narval/engine'
import type { Viewer } from '../../http/caller.ts'
import { invalid, notFound } from '../../http/refusal.ts'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { matchedInMemory, pageInMemory } from '../../store/memory-list.ts'
import { seesHost } from '../../store/visible.ts'
import { type Asked, aboutOf, askedPeriod, createKeptReports, filtersBy, WHOLE } from './asked.ts'
import { readIncidents } from './availability.store.ts'
import { METRICS } from './availability-metrics.ts'
import { askedHosts } from './availability-rows.ts'
import { computeAll, computeOne } from './computing.ts'
import { type ListedMetric, METRIC_AVAILABILITY_LIST, metricRowOf, sumOfMetrics, toMetricRow } from './metric-rows.ts'
import { tellMetricInterval } from './told-interval.ts'

const MISSING = "Cette métrique n'existe pas."

interface Report {
  readonly asked: Asked<MetricAvailabilityRules>
  readonly totals: ReadonlyMap<MetricEntry, MetricTotals>
}

/** Availability of metrics: of those of some equipment at once, never of a whole large fleet. */
export const createMetricAvailabilityService = (database: Database, monitoring: Monitoring, now: () => number) => {
  const { db } = database
  const { model } = monitoring
  const kept = createKeptReports<Report>(now)

  /** What is computed is what somebody may see, no more: its number is told when there are too many. */
  const reportOf = (viewer: Viewer, query: MetricAvailabilityQuery) => {
    const asked = askedOf(query, now())
    const metrics = metricsOf(viewer, query)
    const ids = metrics.map(({ id }) => id).join()
    return kept(`${JSON.stringify([model.version, query])} ${ids}`, async () => ({
      asked,
      totals: await computeAll(METRICS, db, metrics, asked),
    }))
  }
  const metricsOf = (viewer: Viewer, query: MetricAvailabilityQuery): MetricEntry[] => {
    const [sees, isAsked] = [seesHost(viewer), askedHosts(query)]
    const hosts = [...model.hosts.values()].filter(host => sees(host) && isAsked(host))
    const scanners = hosts.flatMap(host => [...host.scanners.values()])
    const all = scanners.flatMap(({ metrics }) => [...metrics.values()])
    const ids = query.metric === undefined ? null : new Set(query.metric)
    const metrics = ids === null ? all : all.filter(({ id }) => ids.has(id))
    if (metrics.length > AVAILABILITY_MAX_METRICS) throw invalid([tooMany(metrics.length)])
    return metrics
  }
  const listed = async (viewer: Viewer, query: MetricAvailabilityQuery): Promise<ListedMetric[]> => {
    const { asked, totals } = (await reportOf(viewer, query)).report
    return [...totals].map(one => metricRowOf(one, asked.rules))
  }
  const heldList = (rows: readonly ListedMetric[]) => ({
    ...{ list: METRIC_AVAILABILITY_LIST, all: rows, visible: () => true },
  })

  return {
    /** Every row, the least available first. */
    async list(viewer: Viewer, query: MetricAvailabilityQuery): Promise<MetricAvailabilityRow[]> {
      return matchedInMemory(heldList(await listed(viewer, query)), WHOLE).found.map(toMetricRow)
    },
    async summary(viewer: Viewer, query: MetricAvailabilityQuery): Promise<MetricAvailabilitySummary> {
      const { atMs, report } = await reportOf(viewer, query)
      return { ...aboutOf(report.asked, atMs), total: sumOfMetrics([...report.totals], report.asked.rules) }
    },
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<MetricAvailabilityRow>> {
      const rows = await listed(viewer, filtersBy(metricAvailabilityQuery, request.filters))
      const { total, filtered, page } = pageInMemory(heldList(rows), { ...request, filters: {} })
      return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data: page.map(toMetricRow) }
    },
    /** All that a request matches, in its order. */
    async everything(viewer: Viewer, request: DatatableRequest): Promise<MetricAvailabilityRow[]> {
      const rows = await listed(viewer, filtersBy(metricAvailabilityQuery, request.filters))
      return matchedInMemory(heldList(rows), { ...request, filters: {} }).found.map(toMetricRow)
    },
    async ofMetric(
      viewer: Viewer,
      id: number,
      query: MetricAvailabilityRulesQuery,
      all = false,
    ): Promise<AvailabilityOfMetric> {
      const metric = model.metrics.get(id)
      if (metric === undefined || !seesHost(viewer)(metric.scanner.host)) throw notFound(MISSING)
      const nowMs = now()
      const asked = askedOf(query, nowMs)
      const { intervals, totals, runs } = await computeOne(METRICS, db, metric, asked)
      const { host, probeId } = metric.scanner
      const known = { id: host.id, lifeId: host.life?.id ?? null, probeId }
      const incidents = await readIncidents(db, viewer, known, asked.period)
      const told = all ? intervals : intervals.slice(0, AVAILABILITY_MAX_INTERVALS)
      const about = { id, scanner: metric.scanner.metrics.get('availability')?.id ?? null }
      return {
        ...aboutOf(asked, nowMs),
        row: toMetricRow(metricRowOf([metric, totals], asked.rules)),
        intervals: told.map(interval => tellMetricInterval(interval, about, incidents, runs)),
        intervalCount: intervals.length,
      }
    },
  }
}
export type MetricAvailabilityService = ReturnType<typeof createMetricAvailabilityService>

const countText = new Intl.NumberFormat('fr-FR')
const tooMany = (count: number): string =>
  `Cette sélection a ${countText.format(count)} métriques ; un rapport par métrique en compte au plus ${countText.format(AVAILABILITY_MAX_METRICS)}. Choisissez un équipement, un site ou un type.`

/** @throws Refusal for a period that cannot be. */
const askedOf = (query: MetricAvailabilityRulesQuery, nowMs: number): Asked<MetricAvailabilityRules> => ({
  period: askedPeriod(query, nowMs),
  rules: {
    maintenance: query.maintenance ?? DEFAULT_METRIC_RULES.maintenance,
    warning: query.warning ?? DEFAULT_METRIC_RULES.warning,
    unknown: query.unknown ?? DEFAULT_METRIC_RULES.unknown,
  },
  serviceHours: query.hours !== 'all',
})
