import type { Thresholds } from '@narval/engine'
import * as z from 'zod/mini'

/**
 * Kinds of check a probe can run, in the order in which the console's gallery shows them. Each kind says the metrics it
 * produces; a metric key with an instance is written `key[instance]`, e.g. `disk_used_ratio[/data]`.
 * Adding a kind is one entry here and one file in `probe/src/checks/`.
 */
export const CHECK_KINDS = ['ping', 'tcp', 'http', 'system'] as const
export type CheckKind = (typeof CHECK_KINDS)[number]

/** Units of metrics, written as on the wire; the console shows them in French. `ratio` is 0 … 1 shown as %. */
export const UNITS = [
  '',
  'ms',
  's',
  'ratio',
  'bytes',
  'bytes/s',
  'bits/s',
  'count',
  'count/s',
  'code',
  'celsius',
] as const
export type Unit = (typeof UNITS)[number]

/** `counter` samples are stored raw and shown as a rate per second. */
export const METRIC_TYPES = ['gauge', 'counter', 'state'] as const
export type MetricType = (typeof METRIC_TYPES)[number]

export { NO_THRESHOLDS, type Thresholds } from '@narval/engine'

export interface MetricDefinition {
  readonly key: string
  /** French, as shown; `{instance}` is replaced by the instance of the key. */
  readonly name: string
  readonly unit: Unit
  readonly type: MetricType
  readonly thresholds?: Partial<Thresholds>
  /** Not brought by every run that succeeds: the metric is created with its first value instead of with its scanner. */
  readonly optional?: true
}

/** Every scanner has this metric: 1 when the check succeeded, 0 when it failed. */
export const AVAILABILITY_KEY = 'availability'
const AVAILABILITY: MetricDefinition = { key: AVAILABILITY_KEY, name: 'Disponibilité', unit: '', type: 'state' }

const port = z.int().check(z.minimum(1), z.maximum(65_535))
const shortText = (max: number) => z.string().check(z.maxLength(max))

export const pingParameters = z.strictObject({
  /** Echoes per run. */
  count: z._default(z.int().check(z.minimum(1), z.maximum(20)), 5),
  /** Bytes of payload. */
  size: z._default(z.int().check(z.minimum(16), z.maximum(1472)), 56),
})
export const tcpParameters = z.strictObject({
  port,
  /** What the service's first bytes must contain; empty: not read. */
  banner: z._default(shortText(200), ''),
})
export const HTTP_AUTHENTICATIONS = ['none', 'host'] as const
export const httpParameters = z.strictObject({
  /** `{address}` stands for the host's address. */
  url: z._default(
    z
      .string()
      .check(z.maxLength(2000), z.regex(/^https?:\/\/[^\s]+$/i, 'Une adresse en http:// ou https:// est attendue')),
    'http://{address}/',
  ),
  method: z._default(z.enum(['GET', 'HEAD', 'POST']), 'GET'),
  /** Accepted status codes: `200`, `200-299`, separated by commas. */
  status: z._default(
    z
      .string()
      .check(
        z.regex(/^\d{3}(-\d{3})?(,\d{3}(-\d{3})?)*$/, 'Codes attendus : 200 ou 200-299, séparés par des virgules'),
      ),
    '200-399',
  ),
  /** Text that the answer must contain; empty: not looked for. */
  contains: z._default(shortText(500), ''),
  followRedirects: z._default(z.boolean(), true),
  /** When false, a certificate that does not verify is accepted. */
  verifyTls: z._default(z.boolean(), true),
  /** `host`: Basic authentication with the HTTP credentials that the host has or inherits. */
  authentication: z._default(z.enum(HTTP_AUTHENTICATIONS), 'none'),
})
export const systemParameters = z.strictObject({})

export interface CheckDefinition {
  readonly kind: CheckKind
  readonly label: string
  readonly family: 'Réseau' | 'Services' | 'Système'
  readonly description: string
  readonly metrics: readonly MetricDefinition[]
}

/** The catalogue: labels, and the metrics that each kind produces. Values without a definition are refused at ingest. */
export const CHECKS: Readonly<Record<CheckKind, CheckDefinition>> = {
  ping: {
    kind: 'ping',
    label: 'Ping',
    family: 'Réseau',
    description: 'Échos ICMP\u202f: perte de paquets, temps de réponse et gigue.',
    metrics: [
      AVAILABILITY,
      {
        key: 'loss_ratio',
        name: 'Perte de paquets',
        unit: 'ratio',
        type: 'gauge',
        thresholds: { warningHigh: 0.1, errorHigh: 0.5 },
      },
      { key: 'rtt_avg', name: 'Temps de réponse', unit: 'ms', type: 'gauge' },
      { key: 'rtt_min', name: 'Temps de réponse minimal', unit: 'ms', type: 'gauge' },
      { key: 'rtt_max', name: 'Temps de réponse maximal', unit: 'ms', type: 'gauge' },
      { key: 'jitter', name: 'Gigue', unit: 'ms', type: 'gauge' },
    ],
  },
  tcp: {
    kind: 'tcp',
    label: 'Port TCP',
    family: 'Réseau',
    description: 'Ouverture d’une connexion TCP, et texte d’accueil du service si on le demande.',
    metrics: [AVAILABILITY, { key: 'connect_time', name: 'Temps de connexion', unit: 'ms', type: 'gauge' }],
  },
  http: {
    kind: 'http',
    label: 'HTTP',
    family: 'Services',
    description: 'Requête HTTP ou HTTPS\u202f: code, temps de chaque étape, taille, texte attendu.',
    metrics: [
      AVAILABILITY,
      { key: 'total_time', name: 'Temps total', unit: 'ms', type: 'gauge' },
      { key: 'dns_time', name: 'Résolution du nom', unit: 'ms', type: 'gauge', optional: true },
      { key: 'connect_time', name: 'Temps de connexion', unit: 'ms', type: 'gauge' },
      { key: 'tls_time', name: 'Négociation TLS', unit: 'ms', type: 'gauge', optional: true },
      { key: 'first_byte_time', name: 'Premier octet', unit: 'ms', type: 'gauge' },
      { key: 'status_code', name: 'Code de réponse', unit: 'code', type: 'gauge' },
      { key: 'size', name: 'Taille de la réponse', unit: 'bytes', type: 'gauge' },
    ],
  },
  system: {
    kind: 'system',
    label: 'Système de la sonde',
    family: 'Système',
    description: 'La machine où tourne la sonde\u202f: processeur, mémoire, charge, disques, réseau.',
    metrics: [
      AVAILABILITY,
      {
        key: 'cpu_used_ratio',
        name: 'Processeur',
        unit: 'ratio',
        type: 'gauge',
        thresholds: { warningHigh: 0.9, errorHigh: 0.98 },
      },
      { key: 'load_1m', name: 'Charge sur 1 min', unit: '', type: 'gauge' },
      {
        key: 'memory_used_ratio',
        name: 'Mémoire',
        unit: 'ratio',
        type: 'gauge',
        thresholds: { warningHigh: 0.9, errorHigh: 0.97 },
      },
      { key: 'swap_used_ratio', name: 'Espace d’échange', unit: 'ratio', type: 'gauge', optional: true },
      { key: 'uptime', name: 'En marche depuis', unit: 's', type: 'gauge' },
      {
        key: 'disk_used_ratio',
        name: 'Espace disque {instance}',
        unit: 'ratio',
        type: 'gauge',
        thresholds: { warningHigh: 0.9, errorHigh: 0.95 },
      },
      { key: 'disk_free', name: 'Espace libre {instance}', unit: 'bytes', type: 'gauge' },
      { key: 'network_in', name: 'Débit entrant {instance}', unit: 'bytes/s', type: 'counter' },
      { key: 'network_out', name: 'Débit sortant {instance}', unit: 'bytes/s', type: 'counter' },
    ],
  },
}

/** Schema of a scanner's parameters by kind; `parameters` of a scanner are always kept in this shape. */
export const CHECK_PARAMETERS = {
  ping: pingParameters,
  tcp: tcpParameters,
  http: httpParameters,
  system: systemParameters,
} as const satisfies Record<CheckKind, z.ZodMiniType>

export type CheckParameters<K extends CheckKind = CheckKind> = z.output<(typeof CHECK_PARAMETERS)[K]>

const INSTANCE = /^([a-z][a-z0-9_]{0,63})(?:\[(.{1,128})\])?$/su

/** Splits `key[instance]`; null when it is not a metric key at all. */
export const parseMetricKey = (text: string): { key: string; instance: string | null } | null => {
  const match = INSTANCE.exec(text)
  return match?.[1] === undefined ? null : { key: match[1], instance: match[2] ?? null }
}

/** Definition of a metric key for a kind of check, or null when that kind never produces it. */
export const metricDefinition = (
  kind: CheckKind,
  text: string,
): (MetricDefinition & { instance: string | null }) | null => {
  const parsed = parseMetricKey(text)
  if (parsed === null) return null
  const definition = CHECKS[kind].metrics.find(metric => metric.key === parsed.key)
  if (definition === undefined) return null
  const hasSlot = definition.name.includes('{instance}')
  if (hasSlot !== (parsed.instance !== null)) return null
  return {
    ...definition,
    // A function: in a text, what an instance is called could be read as a pattern (`$&`).
    name: definition.name.replace('{instance}', () => parsed.instance ?? ''),
    instance: parsed.instance,
  }
}
