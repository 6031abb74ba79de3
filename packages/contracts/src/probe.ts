import * as z from 'zod/mini'
import { datatableRoutes } from './datatable.ts'
import { diagnoseBody, diagnosis } from './diagnostic-wire.ts'
import { answerBody, enrollBody, enrollReply, ordersReply, resultsBody, rotateBody, sealKey } from './probe-wire.ts'
import { route } from './route.ts'
import { basedOn, idParams, idValue, instant, lastUpdate, nullableId, requiredLine, stamps } from './schema.ts'

export const PROBE_STATES = ['pending', 'online', 'offline', 'revoked'] as const
export type ProbeState = (typeof PROBE_STATES)[number]
/** How long an enrolment code works. */
export const PROBE_CODE_MS = 24 * 3_600_000

const fields = { name: requiredLine(100), siteId: z._default(nullableId, null) }
export const probeUpdateBody = z.object({ ...fields, ...basedOn })

export const probe = z.object({
  ...stamps,
  ...fields,
  siteName: z.nullable(z.string()),
  state: z.enum(PROBE_STATES),
  local: z.boolean(),
  version: z.string(),
  address: z.string(),
  /** First 16 hexadecimal digits of the SHA-256 of its public key, which the probe says too: to be compared by eye. */
  fingerprint: z.string(),
  /** Since when it has this key. */
  keyAt: instant,
  lastContact: z.nullable(instant),
  backlog: z.nullable(z.int()),
  lagMs: z.nullable(z.number()),
  skewMs: z.nullable(z.number()),
  checksPerSecond: z.nullable(z.number()),
  late: z.nullable(z.int()),
  dropped: z.nullable(z.int()),
  cpuRatio: z.nullable(z.number()),
  memoryBytes: z.nullable(z.number()),
  hosts: z.int(),
  scanners: z.int(),
})
export type Probe = z.output<typeof probe>

/** What a probe is in charge of by name, or because no other is chosen (the local one). */
export const probeDuties = z.object({ sites: z.int(), hosts: z.int(), scanners: z.int(), discoveryRanges: z.int() })
export type ProbeDuties = z.output<typeof probeDuties>
export const PROBE_MOVE_MAX_HOSTS = 10_000
export const probeMoveBody = z.object({
  to: idValue,
  /** Only these hosts; all that it is in charge of unless said. */
  hostIds: z.optional(z.array(idValue).check(z.minLength(1), z.maxLength(PROBE_MOVE_MAX_HOSTS))),
  /** True: only says what would move. */
  plan: z._default(z.boolean(), false),
})
export type ProbeMoveInput = z.output<typeof probeMoveBody>
export const diagnoseReply = z.object({ probe: z.object({ id: idValue, name: z.string() }), at: instant, ...diagnosis })
export type Diagnosis = z.output<typeof diagnoseReply>

export const probeRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Probe/Get',
    access: 'probe_write',
    rate: 'heavy',
    summary: 'Toutes les sondes',
    reply: z.array(probe),
  }),
  get: route({
    method: 'GET',
    path: '/api/Probe/Get/:id',
    access: 'probe_write',
    summary: 'Une sonde',
    params: idParams,
    reply: probe,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Probe/Get/LastUpdate',
    access: 'probe_write',
    summary: 'Dernier changement des sondes',
    reply: lastUpdate,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Probe/Update/:id',
    access: 'probe_write',
    summary: 'Renommer une sonde, la rattacher à un site',
    params: idParams,
    body: probeUpdateBody,
    reply: probe,
  }),
  code: route({
    method: 'POST',
    path: '/api/Probe/Code',
    access: 'probe_write',
    summary: "Obtenir un code d'enrôlement à usage unique",
    reply: z.object({
      code: z.string(),
      expiresAt: instant,
      /** Where probes reach the server (`NARVAL_PUBLIC_URL`); null: it is not known. */
      serverUrl: z.nullable(z.string()),
    }),
  }),
  approve: route({
    method: 'POST',
    path: '/api/Probe/Approve/:id',
    access: 'probe_write',
    summary: 'Approuver une sonde',
    params: idParams,
    reply: probe,
  }),
  revoke: route({
    method: 'POST',
    path: '/api/Probe/Revoke/:id',
    access: 'probe_write',
    summary: 'Révoquer une sonde',
    params: idParams,
    reply: probe,
  }),
  diagnose: route({
    method: 'POST',
    path: '/api/Probe/Diagnose/:id',
    access: 'probe_write',
    summary: 'Faire un essai depuis une sonde : ping, traceroute, DNS, HTTP, parcours SNMP',
    params: idParams,
    body: diagnoseBody,
    reply: diagnoseReply,
  }),
  renewKey: route({
    method: 'POST',
    path: '/api/Probe/RenewKey/:id',
    access: 'probe_write',
    summary: 'Faire renouveler sa clé à une sonde',
    params: idParams,
    reply: probe,
  }),
  move: route({
    method: 'POST',
    path: '/api/Probe/Move/:id',
    access: 'probe_write',
    summary: 'Confier à une autre sonde les équipements d’une sonde',
    params: idParams,
    body: probeMoveBody,
    reply: z.object({ moved: z.boolean(), duties: probeDuties }),
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Probe/Delete/:id',
    access: 'probe_write',
    summary: 'Supprimer une sonde révoquée',
    params: idParams,
    query: z.object({ plan: z.optional(z.enum(['true', 'false'])) }),
    reply: z.object({ deleted: z.boolean(), duties: probeDuties }),
  }),
  datatable: datatableRoutes('ProbeDatatable', 'probe_write', 'Sondes', probe),
  enroll: route({
    method: 'POST',
    path: '/api/Probe/Enroll',
    csrf: false,
    access: 'open',
    rate: 'authentication',
    summary: 'Enrôler une sonde',
    body: enrollBody,
    reply: enrollReply,
  }),
  orders: route({
    method: 'GET',
    path: '/api/Probe/Orders',
    access: 'probe',
    rate: 'ingest',
    summary: "Configuration et ordres d'une sonde (attente longue)",
    query: z.object({
      after: z._default(z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)), 0),
      revision: z._default(z.string().check(z.maxLength(100)), ''),
      wait: z.optional(z.enum(['0', '1'])),
      /** For whom credentials are to be sealed; without it, none is given. */
      sealKey: z.optional(sealKey),
    }),
    reply: ordersReply,
  }),
  results: route({
    method: 'POST',
    path: '/api/Probe/Results',
    access: 'probe',
    rate: 'ingest',
    summary: "Résultats d'une sonde",
    body: resultsBody,
  }),
  answer: route({
    method: 'POST',
    path: '/api/Probe/Answer',
    access: 'probe',
    rate: 'ingest',
    summary: "Réponse d'une sonde à un ordre",
    body: answerBody,
  }),
  rotate: route({
    method: 'POST',
    path: '/api/Probe/Rotate',
    access: 'probe',
    rate: 'ingest',
    summary: 'Nouvelle clé d’une sonde, signée par l’ancienne',
    body: rotateBody,
  }),
} as const
