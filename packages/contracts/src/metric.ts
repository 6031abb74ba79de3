import { THRESHOLD_SIDES } from '@narval/engine'
import * as z from 'zod/mini'
import { bulkReply, metricBulkBody } from './bulk.ts'
import { METRIC_TYPES, UNITS } from './check-definition.ts'
import { datatableRoutes } from './datatable.ts'
import { metricEvents } from './metric-event.ts'
import { route } from './route.ts'
import { metricRule } from './rule-setting.ts'
import { basedOn, idParams, idText, idValue, instant, lastUpdate, requiredLine, stamps } from './schema.ts'
import { metricLive } from './state.ts'

const bound = z._default(z.nullable(z.number()), null)
export const thresholds = z.object({
  warningHigh: bound,
  warningHighClear: bound,
  warningLow: bound,
  warningLowClear: bound,
  errorHigh: bound,
  errorHighClear: bound,
  errorLow: bound,
  errorLowClear: bound,
})
export { THRESHOLD_SIDES }
/** Sides whose figure is computed for each host from its custom fields: `champ.debit * 0,9`. */
export const thresholdFormulas = z.partialRecord(z.enum(THRESHOLD_SIDES), requiredLine(200))
export type ThresholdFormulas = z.output<typeof thresholdFormulas>
/** What silence means: `unknown` after max(3 × interval, 90 s), or nothing (`keep`). */
export const NO_DATA_POLICIES = ['unknown', 'keep'] as const

const editable = {
  name: requiredLine(160),
  thresholds,
  /** Null: the scanner's. */
  attempts: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(20))), null),
  noData: z._default(z.enum(NO_DATA_POLICIES), 'unknown'),
  enabled: z._default(z.boolean(), true),
}
/** Fields that a metric takes from its model, check kind, scanner or the platform unless they are its own. */
export const METRIC_INHERITED = ['name', 'thresholds', 'attempts', 'noData', 'enabled'] as const
export type MetricInherited = (typeof METRIC_INHERITED)[number]
const overrides = z.array(z.enum(METRIC_INHERITED)).check(z.maxLength(METRIC_INHERITED.length))
/** Who says a value that a metric has not of its own; `rule`: its host, a model or a site (`RuleSetting`). */
export const METRIC_ORIGINS = ['model', 'kind', 'scanner', 'rule', 'platform'] as const
const origin = z.enum(METRIC_ORIGINS)

/** Left out of an update: they stay as they are. */
const formulas = z.optional(thresholdFormulas)

/** A metric belongs to a scanner and has one of the keys that the scanner's kind produces. */
export const metricBody = z.object({ ...editable, formulas, scannerId: idValue, key: requiredLine(200) })
export const metricUpdateBody = z.object({
  ...editable,
  formulas,
  ...basedOn,
  /** These become its own, and what is changed; the others are inherited. Left out: what differs from what is inherited becomes its own. */
  overrides: z.optional(overrides),
})
export type MetricInput = z.output<typeof metricBody>
export type MetricUpdate = z.output<typeof metricUpdateBody>

/** French words of the values of a state, by value; null where values are figures. */
export const stateWords = z.nullable(z.record(z.string(), z.string()))
export type StateWords = z.output<typeof stateWords>

export const metric = z.object({
  ...stamps,
  ...editable,
  ...metricLive.shape,
  key: z.string(),
  unit: z.enum(UNITS),
  type: z.enum(METRIC_TYPES),
  states: stateWords,
  hostId: idValue,
  hostName: z.string(),
  siteId: idValue,
  siteName: z.string(),
  scannerId: idValue,
  scannerName: z.string(),
  /** Sides of `thresholds` that are computed from the host's custom fields. */
  formulas: thresholdFormulas,
  /** Why a side has no figure although it has a formula, or one that can not hold. */
  formulaFaults: z.partialRecord(z.enum(THRESHOLD_SIDES), z.string()),
  /** The monitoring model that its scanner comes from; null without. */
  modelId: z.nullable(idValue),
  modelName: z.nullable(z.string()),
  /** Fields that are its own. */
  overrides,
  /** What would hold without own fields. */
  inherited: z.object({
    name: z.string(),
    thresholds,
    /** Sides of `thresholds` that the model has computed for each host. */
    formulas: thresholdFormulas,
    attempts: z.int(),
    noData: z.enum(NO_DATA_POLICIES),
    enabled: z.boolean(),
  }),
  inheritedFrom: z.object({ name: origin, thresholds: origin, attempts: origin, noData: origin, enabled: origin }),
})
export type Metric = z.output<typeof metric>

const ids = z.pipe(
  z
    .string()
    .check(z.regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,199}$/, 'Identifiants séparés par des virgules, 200 au plus')),
  z.transform((text: string) => text.split(',').map(Number)),
)
export const METRIC_DATA_MAX_POINTS = 5_000
const points = z.pipe(
  z.string().check(z.regex(/^\d{1,5}$/, 'Nombre de points incorrect')),
  z.transform((text: string) => Math.min(Math.max(Number(text), 1), METRIC_DATA_MAX_POINTS)),
)

/** Columns of one series over the range: `at` in epoch ms (the start of each step), null where there is nothing. */
export const metricSeries = z.object({
  id: idValue,
  unit: z.enum(UNITS),
  at: z.array(z.number()),
  value: z.array(z.nullable(z.number())),
  min: z.array(z.nullable(z.number())),
  max: z.array(z.nullable(z.number())),
})
export const metricData = z.object({ stepMs: z.number(), series: z.array(metricSeries) })
export type MetricData = z.output<typeof metricData>

export const metricRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Metric/Get',
    access: 'user',
    rate: 'heavy',
    summary: 'Toutes les métriques',
    query: z.object({ host: z.optional(idText) }),
    reply: z.array(metric),
  }),
  get: route({
    method: 'GET',
    path: '/api/Metric/Get/:id',
    access: 'user',
    summary: 'Une métrique',
    params: idParams,
    reply: metric,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Metric/Get/LastUpdate',
    access: 'user',
    summary: 'Dernier changement des métriques',
    reply: lastUpdate,
  }),
  rule: route({
    method: 'GET',
    path: '/api/Metric/Get/Rule',
    access: 'user',
    summary: 'Quelle règle a donné l’état présent d’une métrique',
    query: z.object({ id: idText }),
    reply: metricRule,
  }),
  live: route({
    method: 'GET',
    path: '/api/Metric/Get/Live',
    access: 'user',
    summary: 'État présent de métriques',
    query: z.object({ host: z.optional(idText), ids: z.optional(ids) }),
    reply: z.array(metricLive),
  }),
  lastData: route({
    method: 'GET',
    path: '/api/Metric/Get/LastData',
    access: 'user',
    summary: 'Dernier échantillon de métriques',
    query: z.object({ ids: z.optional(ids) }),
    reply: z.array(z.object({ id: idValue, at: instant, value: z.number() })),
  }),
  data: route({
    method: 'GET',
    path: '/api/Metric/MetricData',
    access: 'user',
    summary: 'Échantillons de métriques sur une période',
    query: z.object({
      ids: z.optional(ids),
      from: z.optional(instant),
      to: z.optional(instant),
      points: z.optional(points),
      aggregate: z.optional(z.enum(['avg', 'min', 'max', 'last'])),
    }),
    reply: metricData,
  }),
  event: route({
    method: 'GET',
    path: '/api/Metric/Event',
    access: 'user',
    summary: 'Incidents, maintenances, commentaires et changements de configuration autour de métriques',
    query: z.object({ ids, from: instant, to: instant }),
    reply: metricEvents,
  }),
  create: route({
    method: 'POST',
    path: '/api/Metric/Create',
    access: 'metric_write',
    summary: 'Créer une métrique',
    body: metricBody,
    status: 201,
    reply: metric,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Metric/Update/:id',
    access: 'metric_write',
    summary: 'Modifier une métrique',
    params: idParams,
    body: metricUpdateBody,
    reply: metric,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Metric/Delete/:id',
    access: 'metric_write',
    summary: 'Supprimer une métrique',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  bulk: route({
    method: 'POST',
    path: '/api/Metric/Bulk',
    access: 'metric_write',
    rate: 'heavy',
    summary: 'Modifier ou supprimer plusieurs métriques',
    body: metricBulkBody,
    reply: bulkReply,
  }),
  datatable: datatableRoutes('MetricDatatable', 'user', 'Métriques', metric),
} as const
