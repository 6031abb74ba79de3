import * as z from 'zod/mini'
import { bulkReply, scannerBulkBody } from './bulk.ts'
import { CHECK_KINDS } from './check.ts'
import { datatableRoutes } from './datatable.ts'
import { metric } from './metric.ts'
import { route } from './route.ts'
import { scannerPing } from './scanner-ping.ts'
import { scannerLearnReply, scannerRuns, scannerTestBody, scannerTestReply, TIMEOUT_MS } from './scanner-run.ts'
import { basedOn, idParams, idText, idValue, instant, lastUpdate, nullableId, requiredLine, stamps } from './schema.ts'
import { standIn } from './stand-in.ts'

/** Bounds of a schedule. The retry interval never exceeds the interval, nor the timeout the retry interval. */
export const INTERVAL_SECONDS = { min: 5, max: 86_400 } as const
export const RETRY_SECONDS = { min: 1, max: 3_600 } as const
export const ATTEMPTS = { min: 1, max: 20 } as const

const between = (limits: { readonly min: number; readonly max: number }) =>
  z.nullable(z.int().check(z.minimum(limits.min), z.maximum(limits.max)))
const fields = {
  name: requiredLine(120),
  kind: z.enum(CHECK_KINDS),
  hostId: idValue,
  /** Null: the host's probe. */
  probeId: z._default(nullableId, null),
  /** Null in these four: the rule of the host, its models or its sites, else the platform's setting. */
  intervalSeconds: z._default(between(INTERVAL_SECONDS), null),
  retryIntervalSeconds: z._default(between(RETRY_SECONDS), null),
  timeoutMs: z._default(between(TIMEOUT_MS), null),
  attempts: z._default(between(ATTEMPTS), null),
  /** In the shape of the kind (`CHECK_PARAMETERS`); what it leaves out gets the kind's default. */
  parameters: z._default(z.record(z.string().check(z.maxLength(64)), z.unknown()), {}),
  enabled: z._default(z.boolean(), true),
}
/** Fields that a scanner of a monitoring model takes from it unless they are its own. */
export const SCANNER_INHERITED = [
  'intervalSeconds',
  'retryIntervalSeconds',
  'timeoutMs',
  'attempts',
  'parameters',
  'enabled',
] as const
export type ScannerInherited = (typeof SCANNER_INHERITED)[number]
const overrides = z.array(z.enum(SCANNER_INHERITED)).check(z.maxLength(SCANNER_INHERITED.length))

export const scannerBody = z.object(fields)
export const scannerUpdateBody = z.object({
  ...fields,
  ...basedOn,
  /** These become its own, and what is changed; the others go back to the model. Left out: what differs from the model becomes its own. */
  overrides: z.optional(overrides),
})
export type ScannerInput = z.output<typeof scannerBody>
export type ScannerUpdate = z.output<typeof scannerUpdateBody>

const figures = { intervalSeconds: z.int(), retryIntervalSeconds: z.int(), timeoutMs: z.int(), attempts: z.int() }
/** Who says each figure that is in force, or would be. */
const originsAmong = <const T extends readonly [string, ...string[]]>(names: T) => {
  const origin = z.enum(names)
  return z.object({ intervalSeconds: origin, retryIntervalSeconds: origin, timeoutMs: origin, attempts: origin })
}

export const scanner = z.object({
  ...stamps,
  ...fields,
  hostName: z.string(),
  hostAddress: z.string(),
  siteId: idValue,
  siteName: z.string(),
  probeName: z.nullable(z.string()),
  /** The probe that runs it for now in place of the one in charge of it; null: that one does. */
  standIn: z.nullable(standIn),
  /** What is in force after inheritance. */
  effective: z.object({
    probeId: z.nullable(idValue),
    ...figures,
    origin: originsAmong(['scanner', 'model', 'rule', 'platform']),
  }),
  /** The monitoring model that it comes from; null: it is the host's alone. */
  modelId: z.nullable(idValue),
  modelName: z.nullable(z.string()),
  /** Fields that are its own although it comes from a model. */
  overrides,
  /** What would hold without own fields, the platform's figures filled in; null without a model. */
  inherited: z.nullable(
    z.object({
      ...figures,
      parameters: z.record(z.string(), z.unknown()),
      enabled: z.boolean(),
      origin: originsAmong(['model', 'rule', 'platform']),
    }),
  ),
  metrics: z.int(),
  lastRun: z.nullable(instant),
  lastDurationMs: z.nullable(z.number()),
  /** French sentence of the last failure; null when the last run succeeded or none was heard of. */
  lastError: z.nullable(z.string()),
  /** When its probe is to run it next; null when it will not, or when that is not known: its probe is away, it was never heard. */
  nextRun: z.nullable(instant),
})
export type Scanner = z.output<typeof scanner>

export const scannerRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Scanner/Get',
    access: 'scanner_read',
    rate: 'heavy',
    summary: 'Tous les scanners',
    query: z.object({ host: z.optional(idText) }),
    reply: z.array(scanner),
  }),
  get: route({
    method: 'GET',
    path: '/api/Scanner/Get/:id',
    access: 'scanner_read',
    summary: 'Un scanner',
    params: idParams,
    reply: scanner,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Scanner/Get/LastUpdate',
    access: 'scanner_read',
    summary: 'Dernier changement des scanners',
    reply: lastUpdate,
  }),
  metrics: route({
    method: 'GET',
    path: '/api/Scanner/Get/Metric',
    access: 'scanner_read',
    summary: 'Les métriques produites par un scanner',
    query: z.object({ id: idText }),
    reply: z.array(metric),
  }),
  runs: route({
    method: 'GET',
    path: '/api/Scanner/Get/Run',
    access: 'scanner_read',
    summary: 'Les derniers contrôles d’un scanner',
    query: z.object({ id: idText }),
    reply: scannerRuns,
  }),
  test: route({
    method: 'POST',
    path: '/api/Scanner/Test',
    access: 'scanner_write',
    rate: 'heavy',
    summary: 'Exécuter un contrôle une fois depuis une sonde, sans rien enregistrer',
    body: scannerTestBody,
    reply: scannerTestReply,
  }),
  check: route({
    method: 'POST',
    path: '/api/Scanner/Check/:id',
    access: 'incident_write',
    summary: 'Vérifier maintenant ce scanner',
    params: idParams,
    reply: z.object({
      /** Probes that were told: 0 when none is in charge of it. */
      probes: z.int(),
    }),
  }),
  learn: route({
    method: 'POST',
    path: '/api/Scanner/Learn/:id',
    access: 'metric_write',
    summary: 'Réapprendre ce qui est attendu des métriques d’un scanner',
    params: idParams,
    body: z.object({
      /** Changes nothing: only says what it would do. */
      plan: z._default(z.boolean(), false),
    }),
    reply: scannerLearnReply,
  }),
  create: route({
    method: 'POST',
    path: '/api/Scanner/Create',
    access: 'scanner_write',
    summary: 'Créer un scanner',
    body: scannerBody,
    status: 201,
    reply: scanner,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Scanner/Update/:id',
    access: 'scanner_write',
    summary: 'Modifier un scanner',
    params: idParams,
    body: scannerUpdateBody,
    reply: scanner,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Scanner/Delete/:id',
    access: 'scanner_write',
    summary: 'Supprimer un scanner',
    params: idParams,
    reply: z.object({ deleted: z.boolean(), metrics: z.int() }),
  }),
  bulk: route({
    method: 'POST',
    path: '/api/Scanner/Bulk',
    access: 'scanner_write',
    rate: 'heavy',
    summary: 'Modifier ou supprimer plusieurs scanners',
    body: scannerBulkBody,
    reply: bulkReply,
  }),
  datatable: datatableRoutes('ScannerDatatable', 'scanner_read', 'Scanners', scanner),
  pingDatatable: datatableRoutes(
    'ScannerPingDatatable',
    'scanner_read',
    'Pings et leurs dernières mesures',
    scannerPing,
  ),
} as const
