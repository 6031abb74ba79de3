import type { MetricAvailabilityRow, MetricAvailabilityTotal } from '@narval/contracts'
import {
  addMetricTotals,
  type MetricAvailabilityRules,
  type MetricTotals,
  metricFigures,
  NO_METRIC_TIME,
} from '@narval/engine'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import { type MemoryColumn, type MemoryList, textColumn } from '../../store/memory-list.ts'

type MetricTime = readonly [metric: MetricEntry, totals: MetricTotals]

/** A row, and the metric itself by whose names it is searched and sorted. */
export interface ListedMetric extends MetricAvailabilityRow {
  readonly entry: MetricEntry
}

export const toMetricRow = ({ entry: _, ...row }: ListedMetric): MetricAvailabilityRow => row

/** All of them as one. */
export const sumOfMetrics = (
  metrics: readonly MetricTime[],
  rules: MetricAvailabilityRules,
): MetricAvailabilityTotal => {
  const totals = metrics.reduce((sum, [, one]) => addMetricTotals(sum, one), NO_METRIC_TIME)
  return { metrics: metrics.length, ...totals, ...metricFigures(totals, rules) }
}

export const metricRowOf = ([entry, totals]: MetricTime, rules: MetricAvailabilityRules): ListedMetric => {
  const { scanner } = entry
  const { host } = scanner
  return {
    ...{ id: entry.id, name: entry.name, scannerId: scanner.id, scannerName: scanner.name },
    ...{ hostId: host.id, hostName: host.name, siteId: host.site.id, siteName: host.site.name },
    ...totals,
    ...metricFigures(totals, rules),
    entry,
  }
}

const FIGURES = [
  ...['ratio', 'okMs', 'warningMs', 'errorMs', 'unknownMs', 'maintenanceMs', 'outOfServiceMs', 'notMonitoredMs'],
  ...['outages', 'longestOutageMs', 'mttrMs', 'mtbfMs'],
] as const satisfies readonly (keyof MetricAvailabilityRow)[]

/** How rows are searched and sorted: the least available first, those of which no time counted last. */
export const METRIC_AVAILABILITY_LIST: MemoryList<ListedMetric> = {
  columns: new Map<string, MemoryColumn<ListedMetric>>([
    ['id', { sort: row => row.id }],
    ['name', textColumn(row => row.entry.folded)],
    ['hostName', textColumn(row => row.entry.scanner.host.folded)],
    ['scannerName', textColumn(row => row.entry.scanner.folded)],
    ['siteName', textColumn(row => row.entry.scanner.host.site.folded)],
    ...FIGURES.map(name => [name, { sort: (row: ListedMetric) => row[name] }] as const),
  ]),
  filters: new Map(),
  live: new Set(),
  order: [
    ['ratio', 'asc'],
    ['hostName', 'asc'],
    ['name', 'asc'],
  ],
}
