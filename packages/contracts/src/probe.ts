import * as z from 'zod/mini'
import { datatableRoutes } from './datatable.ts'
import { answerBody, enrollBody, enrollReply, ordersReply, resultsBody, sealKey } from './probe-wire.ts'
import { route } from './route.ts'
import { basedOn, idParams, instant, lastUpdate, nullableId, requiredLine, stamps } from './schema.ts'

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
    reply: z.object({ code: z.string(), expiresAt: instant }),
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
} as const
