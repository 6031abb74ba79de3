import * as z from 'zod/mini'
import { CHECK_KINDS } from './check.ts'
import { fieldValue } from './custom-field.ts'
import { datatableRoutes, select2Route } from './datatable.ts'
import { NO_DATA_POLICIES, thresholdFormulas, thresholds } from './metric.ts'
import { route } from './route.ts'
import { ATTEMPTS, INTERVAL_SECONDS, RETRY_SECONDS } from './scanner.ts'
import { TIMEOUT_MS } from './scanner-run.ts'
import { basedOn, idParams, idText, idValue, instant, lastUpdate, line, requiredLine, stamps } from './schema.ts'
import { severity } from './state.ts'

const between = (limits: { readonly min: number; readonly max: number }) =>
  z._default(z.nullable(z.int().check(z.minimum(limits.min), z.maximum(limits.max))), null)

/** What a model says of one metric of one of its scanners. Null: what the check kind says. */
export const modelMetric = z.object({
  key: requiredLine(200),
  thresholds: z._default(z.nullable(thresholds), null),
  /** Formulas over custom fields that replace sides of the thresholds, computed for each host. */
  formulas: z._default(thresholdFormulas, {}),
  attempts: between(ATTEMPTS),
  noData: z._default(z.enum(NO_DATA_POLICIES), 'unknown'),
  enabled: z._default(z.boolean(), true),
})

/** A scanner that each host of the model gets. Two models of a host that say one of the same kind and name: the first one's counts. */
export const modelScanner = z.object({
  /** Identity of the item through changes of name: chosen by the client once, unique in the model. */
  item: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, 'Identifiant d’élément incorrect')),
  name: requiredLine(120),
  kind: z.enum(CHECK_KINDS),
  intervalSeconds: between(INTERVAL_SECONDS),
  retryIntervalSeconds: between(RETRY_SECONDS),
  timeoutMs: between(TIMEOUT_MS),
  attempts: between(ATTEMPTS),
  parameters: z._default(z.record(z.string().check(z.maxLength(64)), z.unknown()), {}),
  enabled: z._default(z.boolean(), true),
  metrics: z._default(z.array(modelMetric).check(z.maxLength(200)), []),
})
export type ModelScanner = z.output<typeof modelScanner>

export const modelDefinition = z.object({
  scanners: z._default(z.array(modelScanner).check(z.maxLength(50)), []),
  /** Values of custom fields of hosts, by key, where the host has none of its own. */
  fields: z._default(z.record(z.string().check(z.maxLength(40)), fieldValue), {}),
})
export type ModelDefinition = z.output<typeof modelDefinition>

const fields = {
  name: requiredLine(120),
  description: z._default(line(500), ''),
  definition: z._default(modelDefinition, { scanners: [], fields: {} }),
}
export const monitoringModelBody = z.object(fields)
export const monitoringModelUpdateBody = z.object({ ...fields, ...basedOn })
export type MonitoringModelInput = z.output<typeof monitoringModelBody>

export const monitoringModel = z.object({
  ...stamps,
  ...fields,
  hosts: z.int(),
  /** How many former versions there are: `Undo` goes back to the last one. */
  versions: z.int(),
})
export type MonitoringModel = z.output<typeof monitoringModel>

/** What a change would do to the hosts of the model, said before it is done. */
export const modelPlan = z.object({
  hosts: z.int(),
  /** Hosts whose severity would change with the values of now: only thresholds and what disappears can be foreseen. */
  hostsChangingState: z.int(),
  scannersCreated: z.int(),
  scannersUpdated: z.int(),
  scannersDeleted: z.int(),
  metricsUpdated: z.int(),
  metricsDeleted: z.int(),
  /** Some of the hosts that would change state, 20 at most. */
  examples: z.array(
    z.object({ hostId: idValue, hostName: z.string(), before: severity, after: severity, because: z.string() }),
  ),
})
export type ModelPlan = z.output<typeof modelPlan>

const planQuery = z.object({ plan: z.optional(z.enum(['true', 'false'])) })
/** Without `cascade`, a model that hosts have is not deleted (409). */
const deleteQuery = z.object({ ...planQuery.shape, cascade: z.optional(z.enum(['true', 'false'])) })
/** `model` null when only the plan was asked for, or when the model is gone. */
export const modelChangeReply = z.object({ model: z.nullable(monitoringModel), plan: modelPlan })
export type ModelChange = z.output<typeof modelChangeReply>
export const modelVersion = z.object({
  id: idValue,
  name: z.string(),
  description: z.string(),
  definition: modelDefinition,
  at: instant,
  by: z.nullable(z.string()),
})
export type ModelVersion = z.output<typeof modelVersion>

/** As scanners themselves: a definition tells the addresses that they call. */
const read = 'scanner_read' as const
/** Changing the scanners of a definition asks for `scanner_write` too, and what it says of metrics for `metric_write`. */
const write = 'host_write' as const
export const monitoringModelRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Model/Get',
    access: read,
    summary: 'Tous les modèles de supervision',
    reply: z.array(monitoringModel),
  }),
  get: route({
    method: 'GET',
    path: '/api/Model/Get/:id',
    access: read,
    summary: 'Un modèle de supervision',
    params: idParams,
    reply: monitoringModel,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Model/Get/LastUpdate',
    access: 'user',
    summary: 'Dernier changement des modèles de supervision',
    reply: lastUpdate,
  }),
  create: route({
    method: 'POST',
    path: '/api/Model/Create',
    access: write,
    summary: 'Créer un modèle de supervision',
    body: monitoringModelBody,
    status: 201,
    reply: monitoringModel,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Model/Update/:id',
    access: write,
    rate: 'heavy',
    summary: 'Modifier un modèle de supervision et ce qui en hérite',
    params: idParams,
    query: planQuery,
    body: monitoringModelUpdateBody,
    reply: modelChangeReply,
  }),
  undo: route({
    method: 'POST',
    path: '/api/Model/Undo/:id',
    access: write,
    rate: 'heavy',
    summary: 'Revenir à la version précédente d’un modèle de supervision',
    params: idParams,
    query: planQuery,
    body: z.object(basedOn),
    reply: modelChangeReply,
  }),
  versions: route({
    method: 'GET',
    path: '/api/Model/Version/:id',
    access: read,
    summary: 'Versions précédentes d’un modèle de supervision, la plus récente d’abord',
    params: idParams,
    query: z.object({ before: z.optional(idText) }),
    reply: z.array(modelVersion),
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Model/Delete/:id',
    access: write,
    rate: 'heavy',
    summary: 'Supprimer un modèle de supervision, avec les scanners qui en viennent',
    params: idParams,
    query: deleteQuery,
    reply: modelChangeReply,
  }),
  select2: select2Route('/api/Model/Select2D/Get', 'Modèles de supervision, pour une liste déroulante'),
  datatable: datatableRoutes('ModelDatatable', read, 'Modèles de supervision', monitoringModel),
} as const
