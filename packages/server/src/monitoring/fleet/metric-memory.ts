import { fold } from '@narval/contracts'
import { SEVERITIES, severityRank } from '@narval/engine'
import type { FilterValue } from '../../store/datatable.ts'
import { amongIds, amongWords, flagged } from '../../store/memory-filters.ts'
import {
  createVisibleLists,
  type MemoryColumn,
  type MemoryList,
  type Test,
  textColumn,
} from '../../store/memory-list.ts'
import type { MetricEntry, Model } from './model.ts'

/** What lists of metrics have in common: the columns that memory knows, told of their state as it is now. */
export const METRIC_COLUMNS: ReadonlyMap<string, MemoryColumn<MetricEntry>> = new Map<
  string,
  MemoryColumn<MetricEntry>
>([
  ['id', { sort: metric => metric.id }],
  ['name', textColumn(metric => metric.folded)],
  ['key', textColumn(metric => metric.key)],
  ['unit', { sort: metric => metric.unit }],
  ['type', { sort: metric => metric.type }],
  ['hostName', textColumn(metric => metric.scanner.host.folded)],
  ['siteName', textColumn(metric => metric.scanner.host.site.folded)],
  ['scannerName', textColumn(metric => metric.scanner.folded)],
  ['severity', { sort: metric => severityRank(metric.state.severity) }],
  ['since', { sort: metric => metric.state.sinceMs }],
  ['attempt', { sort: metric => metric.state.attempt }],
  ['information', textColumn(metric => (metric.information === '' ? '' : fold(metric.information)))],
])

/** Their states, and what is said of them. */
export const METRIC_LIVE: ReadonlySet<string> = new Set([
  'severity',
  'since',
  'attempt',
  'information',
  'inMaintenance',
])

export const METRIC_FILTERS: MemoryList<MetricEntry>['filters'] = new Map<
  string,
  (value: FilterValue) => Test<MetricEntry>
>([
  ['id', amongIds(metric => metric.id)],
  ['hostId', amongIds(metric => metric.scanner.host.id)],
  ['siteId', amongIds(metric => metric.scanner.host.site.id)],
  ['scannerId', amongIds(metric => metric.scanner.id)],
  ['severity', amongWords(SEVERITIES, metric => metric.state.severity)],
  ['inMaintenance', flagged(metric => metric.maintenance !== null)],
])

/** The list of all metrics, disabled ones too. What is left empty has to be asked of the database: names of probes, dates. */
export const METRIC_MEMORY: MemoryList<MetricEntry> = {
  columns: new Map<string, MemoryColumn<MetricEntry>>([
    ...METRIC_COLUMNS,
    ['enabled', { sort: metric => Number(metric.enabled) }],
    ['probeName', {}],
    ['acknowledgedBy', {}],
    ['createdAt', {}],
    ['updatedAt', {}],
  ]),
  filters: new Map<string, (value: FilterValue) => Test<MetricEntry>>([
    ...METRIC_FILTERS,
    ['enabled', flagged(metric => metric.enabled)],
  ]),
  live: METRIC_LIVE,
  order: [['name', 'asc']],
}

/** The metrics that one may see. */
export const createMetricsInMemory = (model: Model) =>
  createVisibleLists(
    METRIC_MEMORY,
    () => model.version,
    () => model.metrics.values(),
    metric => metric.scanner.host,
  )
