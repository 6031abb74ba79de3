import { METRIC_INHERITED, type Metric, type ProblemRow, statesOf, type Thresholds } from '@narval/contracts'
import { initialMetricState, SEVERITIES } from '@narval/engine'
import { sql } from 'kysely'
import type { Viewer } from '../http/caller.ts'
import { flagFilter, idFilter, type ListSpec, memoryFilter, wordFilter } from '../store/datatable.ts'
import { type Models, modelScannerOf } from '../store/model-changes.ts'
import { differingFields } from '../store/model-reconcile.ts'
import {
  formulasOf,
  inheritedMetric,
  type MetricValues,
  metricOverrides,
  metricParameters,
} from '../store/model-values.ts'
import { toIso } from '../store/time.ts'
import { visibleHost } from '../store/visible.ts'
import type { MetricEntry, Model } from './fleet/model.ts'
import { computedFaults } from './fleet/threshold-rules.ts'
import { toMaintenance, toMetricLive } from './live.ts'
import { typeOf, unitOf } from './monitoring.store.ts'
import { kindOf } from './run/scanner-list.ts'

export interface MetricListRow {
  id: number
  key: string
  name: string
  unit: string
  type: string
  thresholds: string
  attempts: number | null
  no_data: string
  enabled: number
  host_id: number
  host_name: string
  site_id: number
  site_name: string
  scanner_id: number
  scanner_name: string
  scanner_kind: string
  scanner_parameters: string
  scanner_attempts: number | null
  model_id: number | null
  model_item: string | null
  overrides: string
  formulas: string
  probe_name: string | null
  incident_id: number | null
  acknowledged_by: string | null
  acknowledged_comment: string | null
  created_at: number
  updated_at: number
  updated_by: string | null
}

const SEVERITY_WORDS = new Map<string, number>(SEVERITIES.map((severity, rank) => [severity, rank]))

/** Metrics with their host, site, scanner, state and open incident: behind both the list of metrics and the live view. */
export const metricList = (viewer: Viewer | 'system'): ListSpec => ({
  select: sql`metric.id, metric.key, metric.name, metric.unit, metric.type, metric.thresholds, metric.attempts, metric.no_data, metric.enabled,
    metric.host_id, host.name as host_name, host.site_id, site.name as site_name, metric.scanner_id, scanner.name as scanner_name,
    scanner.kind as scanner_kind, scanner.parameters as scanner_parameters, scanner.attempts as scanner_attempts, scanner.model_id, scanner.model_item, metric.overrides, metric.formulas,
    (select probe.name from probe where probe.id = coalesce(scanner.probe_id, host.probe_id, site.probe_id)) as probe_name,
    state.incident_id, incident.acknowledged_by, incident.acknowledged_comment, metric.created_at, metric.updated_at, metric.updated_by`,
  from: sql`metric join host on host.id = metric.host_id join site on site.id = host.site_id join scanner on scanner.id = metric.scanner_id
    left join metric_state state on state.metric_id = metric.id left join incident on incident.id = state.incident_id`,
  visible: visibleHost(viewer),
  columns: {
    id: { sort: sql`metric.id` },
    name: { sort: sql`metric.name_folded`, search: sql`metric.name_folded` },
    key: { sort: sql`metric.key`, search: sql`metric.key` },
    unit: { sort: sql`metric.unit` },
    type: { sort: sql`metric.type` },
    hostName: { sort: sql`host.name_folded`, search: sql`host.name_folded` },
    siteName: { sort: sql`site.name_folded`, search: sql`site.name_folded` },
    scannerName: { sort: sql`scanner.name_folded`, search: sql`scanner.name_folded` },
    probeName: { sort: sql`probe_name` },
    enabled: { sort: sql`metric.enabled` },
    severity: { sort: sql`coalesce(state.severity_rank, 2)` },
    since: { sort: sql`coalesce(state.since, metric.created_at)` },
    attempt: { sort: sql`coalesce(state.attempt, 0)` },
    information: { sort: sql`lower(coalesce(state.information, ''))`, search: sql`lower(state.information)` },
    acknowledgedBy: { sort: sql`incident.acknowledged_by` },
    createdAt: { sort: sql`metric.created_at` },
    updatedAt: { sort: sql`metric.updated_at` },
  },
  filters: {
    id: idFilter(sql`metric.id`),
    hostId: idFilter(sql`metric.host_id`),
    siteId: idFilter(sql`host.site_id`),
    scannerId: idFilter(sql`metric.scanner_id`),
    severity: wordFilter(sql`coalesce(state.severity_rank, 2)`, SEVERITY_WORDS),
    enabled: flagFilter(sql`metric.enabled`),
    inMaintenance: memoryFilter,
  },
  order: sql`metric.name_folded`,
  tie: sql`metric.id`,
})

const thresholdsOf = (text: string): Thresholds => JSON.parse(text)

const liveOf = (row: MetricListRow, entry: MetricEntry | undefined) =>
  entry === undefined
    ? { ...initialLive(row.created_at), id: row.id, maxAttempts: row.attempts ?? 1 }
    : toMetricLive(entry)
const initialLive = (createdMs: number) => {
  const { severity, kind, attempt, cause } = initialMetricState(createdMs)
  return {
    value: null,
    at: null,
    severity,
    kind,
    attempt,
    cause,
    flapping: null,
    since: toIso(createdMs),
    information: '',
    ...toMaintenance(null),
  }
}

/** What a metric inherits, as it is kept: `attempts` null for its scanner's. */
export const metricInherits = (row: MetricListRow, models: Models): MetricValues => {
  const kind = kindOf(row.scanner_kind)
  const parameters = metricParameters(kind, row.scanner_parameters)
  return inheritedMetric(kind, row.scanner_name, row.key, modelScannerOf(models, row), parameters)
}

const inheritanceOf = (
  row: MetricListRow,
  model: Model,
  models: Models,
): Pick<Metric, 'overrides' | 'inherited' | 'inheritedFrom'> => {
  const values = metricInherits(row, models)
  const { name, thresholds, formulas, noData, enabled, fromModel } = values
  const stored = metricOverrides(row.overrides)
  // What was set by hand before fields had origins is its own too; a model's metrics always had them.
  const differing = row.model_id === null ? differingFields(row, values) : []
  const scanner = model.scanners.get(row.scanner_id)?.rules.attempts ?? row.scanner_attempts ?? 1
  const aboveScanner = model.hosts.get(row.host_id)?.rules.isPlatform.attempts === false ? 'rule' : 'platform'
  const others = fromModel.others ? 'model' : 'kind'
  return {
    overrides: METRIC_INHERITED.filter(field => stored.includes(field) || differing.includes(field)),
    inherited: { name, thresholds, formulas, attempts: values.attempts ?? scanner, noData, enabled },
    inheritedFrom: {
      name: 'kind',
      thresholds: fromModel.thresholds ? 'model' : 'kind',
      attempts: fromModel.attempts ? 'model' : row.scanner_attempts === null ? aboveScanner : 'scanner',
      noData: others,
      enabled: others,
    },
  }
}

const wordsOfStates = (row: MetricListRow): Metric['states'] =>
  row.type === 'state' ? statesOf(kindOf(row.scanner_kind), row.key) : null

export const toMetric = (row: MetricListRow, model: Model, models: Models): Metric => ({
  ...liveOf(row, model.metrics.get(row.id)),
  key: row.key,
  name: row.name,
  unit: unitOf(row.unit),
  type: typeOf(row.type),
  states: wordsOfStates(row),
  thresholds: thresholdsOf(row.thresholds),
  attempts: row.attempts,
  noData: row.no_data === 'keep' ? 'keep' : 'unknown',
  enabled: row.enabled === 1,
  hostId: row.host_id,
  hostName: row.host_name,
  siteId: row.site_id,
  siteName: row.site_name,
  scannerId: row.scanner_id,
  scannerName: row.scanner_name,
  formulas: formulasOf(row.formulas),
  formulaFaults: computedFaults(thresholdsOf(row.thresholds), formulasOf(row.formulas)),
  modelId: row.model_id,
  modelName: models.get(row.model_id ?? 0)?.name ?? null,
  ...inheritanceOf(row, model, models),
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
  updatedBy: row.updated_by,
})

export const toProblem = (row: MetricListRow, model: Model): ProblemRow => ({
  ...liveOf(row, model.metrics.get(row.id)),
  name: row.name,
  key: row.key,
  unit: unitOf(row.unit),
  type: typeOf(row.type),
  states: wordsOfStates(row),
  thresholds: thresholdsOf(row.thresholds),
  hostId: row.host_id,
  hostName: row.host_name,
  siteId: row.site_id,
  siteName: row.site_name,
  probeName: row.probe_name,
  incidentId: row.incident_id,
  acknowledgedBy: row.acknowledged_by,
  acknowledgedComment: row.acknowledged_comment,
})
