import * as z from 'zod/mini'
import { CHECK_KINDS } from './check.ts'
import { LOGIN_KINDS, SNMP_AUTH_PROTOCOLS, SNMP_PRIV_PROTOCOLS, SNMP_VERSIONS } from './credential.ts'
import { diagnosedOutcome, diagnosticTask } from './diagnostic-wire.ts'
import { discoveredPart, discoveryTask } from './discovery-wire.ts'
import { checkEvent, EVENTS_PER_RESULT } from './probe-events.ts'

/**
 * What a probe and the server say to each other. Every call but Enroll is signed by the probe's Ed25519 key over
 * `signedText`; every answer is signed by the server's key over the request's nonce and the body, and the probe, which
 * pinned that key at enrolment, trusts nothing else. Unknown fields are ignored on both sides (R36).
 */
export const PROBE_PROTOCOL = 1
/** Requests whose date is further than this from the server's clock are refused. */
export const PROBE_CLOCK_TOLERANCE_MS = 5 * 60_000
/** How long the server keeps an Orders call open without news. */
export const ORDERS_WAIT_MS = 25_000
/** Largest batch, in results and in bytes of body. */
export const BATCH_MAX_RESULTS = 2_000
export const BATCH_MAX_BYTES = 2 * 1024 * 1024
/** A result of the live lane is at most this old when it is sent; older ones go to the backlog lane. */
export const LIVE_MAX_AGE_MS = 60_000

export const PROBE_HEADERS = {
  probe: 'x-narval-probe',
  date: 'x-narval-date',
  nonce: 'x-narval-nonce',
  signature: 'x-narval-signature',
  serverSignature: 'x-narval-server-signature',
} as const

/** The text that a probe signs: method, path with query, date (epoch ms), nonce, SHA-256 of the body in hex, by lines. */
export const signedText = (method: string, path: string, dateMs: string, nonce: string, bodySha256: string): string =>
  [method, path, dateMs, nonce, bodySha256].join('\n')

/** The text that the server signs in its answer: nonce of the request, status, SHA-256 of the body in hex. */
export const answerText = (nonce: string, status: number, bodySha256: string): string =>
  [nonce, String(status), bodySha256].join('\n')

const epochMs = z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000))
const id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** Ed25519 public key, SPKI DER in base64. */
const ed25519Key = z.string().check(z.maxLength(200), z.regex(/^[A-Za-z0-9+/]+=*$/))

export const enrollBody = z.object({
  protocol: z.int(),
  code: z.string().check(z.minLength(8), z.maxLength(200)),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  version: z.string().check(z.maxLength(50)),
  publicKey: ed25519Key,
})

/** A change of key: the call is signed by the key in force, `proof` is the new key's signature of `rotationText`. */
export const rotateBody = z.object({
  publicKey: ed25519Key,
  proof: z.string().check(z.maxLength(200), z.regex(/^[A-Za-z0-9+/]+=*$/)),
})
/** Who holds the new key says by it for which probe, and in place of which key, so that it serves nowhere else. */
export const rotationText = (probe: number, oldKey: string, newKey: string): string =>
  ['narval probe key 1', String(probe), oldKey, newKey].join('\n')

export const enrollReply = z.object({
  probe: id,
  state: z.enum(['pending', 'online', 'offline', 'revoked']),
  /** The server's Ed25519 public key, SPKI DER in base64: pinned by the probe. */
  serverKey: z.string(),
})

/**
 * A credential sealed for one probe, so that neither a link without TLS nor the probe's disk shows it: the server's
 * ephemeral X25519 key (SPKI DER), a nonce and AES-256-GCM ciphertext with tag, each in base64url, joined by points. The
 * key is HKDF-SHA256 of the shared secret, salted with both public keys, for `SEAL_INFO`; `sealBound` is authenticated.
 */
export const SEAL_INFO = 'narval probe credential 1'
export const SEAL_NONCE_BYTES = 12
export const SEAL_TAG_BYTES = 16
/** What a sealed box is bound to: another probe can't be given it. */
export const sealBound = (probe: number): string => `probe ${probe}`
/** The probe's public key for it: X25519, SPKI DER in base64. */
export const sealKey = z.string().check(z.maxLength(100), z.regex(/^[A-Za-z0-9+/]{40,}=*$/))

/** What a check shows to its target; scanners hold none, the probe keeps it in memory only. */
export const checkCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(LOGIN_KINDS), username: z.string(), password: z.string() }),
  z.object({
    kind: z.literal('snmp'),
    version: z.enum(SNMP_VERSIONS),
    port: z.int(),
    /** Of v1 and v2c; empty in v3. */
    community: z.string(),
    user: z.string(),
    authProtocol: z.enum(SNMP_AUTH_PROTOCOLS),
    authPassword: z.string(),
    privProtocol: z.enum(SNMP_PRIV_PROTOCOLS),
    privPassword: z.string(),
    contextName: z.string(),
  }),
  z.object({ kind: z.literal('sealed'), box: z.string().check(z.maxLength(20_000)) }),
  /** It needs one that can't be had: it is not started, and fails with that for a reason. */
  z.object({ kind: z.literal('none'), reason: z.enum(['missing', 'unreadable']) }),
])
export type CheckCredential = z.output<typeof checkCredential>

/** One check to run: everything the probe needs, nothing it must look up. */
export const probeCheck = z.object({
  scanner: id,
  kind: z.enum(CHECK_KINDS),
  /** IP address or DNS name of the host. */
  address: z.string(),
  intervalMs: z.int(),
  retryIntervalMs: z.int(),
  /** Bad results in a row before a state is confirmed; the probe retries a failing check at the retry interval. */
  attempts: z.int(),
  timeoutMs: z.int(),
  parameters: z.record(z.string(), z.unknown()),
  credential: z.optional(checkCredential),
  /** Loopback targets are refused unless true (S47): the local and the demo probe. */
  loopback: z.boolean(),
})
export type ProbeCheck = z.output<typeof probeCheck>

export const probeConfiguration = z.object({
  /** Changes whenever the configuration does; given back in `?revision=`. */
  revision: z.string(),
  checks: z.array(probeCheck),
})
export type ProbeConfiguration = z.output<typeof probeConfiguration>

const orderStamps = { id: z.string(), deadlineMs: epochMs }
/**
 * What the server asks of a probe out of schedule; forgotten by the probe after its deadline. `recheck` runs scanners that
 * it has, the others are answered by Answer calls that bear the order's id.
 */
export const probeOrder = z.discriminatedUnion('kind', [
  z.object({ ...orderStamps, kind: z.literal('recheck'), scanners: z.array(id) }),
  /** Runs a check that need not be one of its scanners: a test before saving, a second opinion. */
  z.object({ ...orderStamps, kind: z.literal('test'), check: probeCheck }),
  /** Goes through addresses; answered in parts. `deadlineMs`: until when it may begin. */
  z.object({
    ...orderStamps,
    kind: z.literal('discover'),
    task: discoveryTask,
    credential: z.optional(checkCredential),
  }),
  /** Tries something out for a person, who waits; at most `limitMs`. */
  z.object({
    ...orderStamps,
    kind: z.literal('diagnose'),
    task: diagnosticTask,
    limitMs: z.int().check(z.minimum(1), z.maximum(120_000)),
    loopback: z.boolean(),
    credential: z.optional(checkCredential),
  }),
  /** Makes a new key and has the server take it, by `POST /api/Probe/Rotate`. */
  z.object({ ...orderStamps, kind: z.literal('rotate') }),
  /** Ends a discovery or a diagnostic that is under way. */
  z.object({ ...orderStamps, kind: z.literal('cancel'), order: z.string().check(z.maxLength(100)) }),
])
export type ProbeOrder = z.output<typeof probeOrder>

/** Answer of `GET /api/Probe/Orders?after=&revision=`: the configuration only when `revision` is not the current one. */
export const ordersReply = z.object({
  state: z.enum(['pending', 'online', 'offline', 'revoked']),
  configuration: z.nullable(probeConfiguration),
  orders: z.array(probeOrder),
  /** To give back as `?after=`: orders up to here are not sent again. */
  after: z.int(),
  serverTimeMs: epochMs,
})
export type OrdersReply = z.output<typeof ordersReply>

/** In this order in journals: new ones go to the end. Why a check failed, as codes that the server turns into causes; `message` is French and for people. */
export const FAILURE_CODES = [
  'timeout',
  'refused',
  'unreachable',
  'dns',
  'tls',
  'protocol',
  'mismatch',
  'denied',
  'internal',
  'credentials',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

export const checkResult = z.object({
  scanner: id,
  /** When the run ended, by the probe's clock. */
  at: epochMs,
  durationMs: z.number().check(z.minimum(0), z.maximum(3_600_000)),
  /** Null when the check succeeded. */
  failure: z.nullable(z.object({ code: z.enum(FAILURE_CODES), message: z.string().check(z.maxLength(500)) })),
  /** Metric key → value; the availability is not among them, the server derives it from `failure`. */
  values: z.record(z.string().check(z.maxLength(200)), z.number()),
  /** French or the equipment's own words for an instance (`Gi0/1` → `Gi0/1 · Uplink Lyon`), for the names of new metrics. */
  labels: z.optional(z.record(z.string().check(z.maxLength(128)), z.string().check(z.maxLength(200)))),
  /** Messages that it received since its last run. */
  events: z.optional(z.array(checkEvent).check(z.maxLength(EVENTS_PER_RESULT))),
})
export type CheckResult = z.output<typeof checkResult>

/** Longest text of one detail of an outcome, in characters, and how many there are. */
export const DETAIL_MAX_LENGTH = 16_384
export const DETAILS_MAX = 20
/** What a check got, raw, for the person who tests it: never kept. */
export const checkDetail = z.object({
  label: z.string().check(z.maxLength(200)),
  text: z.string().check(z.maxLength(DETAIL_MAX_LENGTH)),
})
export type CheckDetail = z.output<typeof checkDetail>

export const testOutcome = z.object({
  kind: z.literal('test'),
  at: epochMs,
  durationMs: z.number(),
  failure: checkResult.shape.failure,
  values: checkResult.shape.values,
  labels: checkResult.shape.labels,
  details: z.array(checkDetail).check(z.maxLength(DETAILS_MAX)),
})
export type TestOutcome = z.output<typeof testOutcome>

/** Answer to an order. `refused`: the probe does not know this kind of order, or can not. */
export const answerBody = z.object({
  order: z.string().check(z.maxLength(100)),
  outcome: z.discriminatedUnion('kind', [
    testOutcome,
    discoveredPart,
    diagnosedOutcome,
    z.object({ kind: z.literal('rotated') }),
    z.object({ kind: z.literal('refused'), message: z.string().check(z.maxLength(500)) }),
  ]),
})
export type AnswerBody = z.output<typeof answerBody>

export const probeHealth = z.object({
  version: z.string().check(z.maxLength(50)),
  backlog: z.int(),
  /** Age in ms of the oldest result not yet acknowledged, 0 when none. */
  lagMs: z.number(),
  checksPerSecond: z.number(),
  /** Checks that could not start in time since the probe's start. */
  late: z.int(),
  /** Results dropped because the spool was full or they were too old, since the spool was made. */
  dropped: z.int(),
  cpuRatio: z.number(),
  memoryBytes: z.number(),
})
export type ProbeHealth = z.output<typeof probeHealth>

export const resultsBody = z.object({
  bootId: z.string().check(z.regex(/^[0-9a-f]{16,64}$/)),
  lane: z.enum(['live', 'backlog']),
  /** 1, 2, 3 … by boot and lane. */
  sequence: z.int().check(z.minimum(1)),
  /** When the batch was sent, by the probe's clock: measures the skew. */
  sentAt: epochMs,
  health: z.optional(probeHealth),
  results: z.array(checkResult).check(z.maxLength(BATCH_MAX_RESULTS)),
})
export type ResultsBody = z.output<typeof resultsBody>
