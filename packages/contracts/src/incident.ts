import * as z from 'zod/mini'
import { datatableRoutes } from './datatable.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, nullableId } from './schema.ts'
import { secondOpinion } from './second-opinion.ts'
import { severity } from './state.ts'

/** What an incident is about: a metric of a host, a silent probe, or the link of a probe that misses what another one reaches. */
export const INCIDENT_KINDS = ['metric', 'probe', 'link'] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

export const incident = z.object({
  id: idValue,
  kind: z.enum(INCIDENT_KINDS),
  /** What is wrong, in words: « srv-1 : Ping », « Sonde Lyon hors ligne ». */
  title: z.string(),
  metricId: nullableId,
  metricName: z.nullable(z.string()),
  hostId: nullableId,
  hostName: z.nullable(z.string()),
  siteId: nullableId,
  siteName: z.nullable(z.string()),
  /** Of an incident of a probe or of its link. */
  probeId: nullableId,
  probeName: z.nullable(z.string()),
  severity,
  /** The worst that it has been. */
  worst: severity,
  information: z.string(),
  openedAt: instant,
  closedAt: z.nullable(instant),
  /** Since when it fails, or failed, without a break: its last reopening, else its opening. */
  failsSince: instant,
  /** How often it came back after it had ended. */
  reopened: z.int(),
  flapping: z.boolean(),
  inMaintenance: z.boolean(),
  acknowledgedBy: z.nullable(z.string()),
  acknowledgedAt: z.nullable(instant),
  acknowledgedComment: z.nullable(z.string()),
  /** Holds when the severity changes. */
  acknowledgedSticky: z.boolean(),
  acknowledgedUntil: z.nullable(instant),
  /** Login of who takes care of it. */
  owner: z.nullable(z.string()),
  /** Of an open one: that account may not act on it any more, so that nobody is in charge. */
  ownerLost: z.boolean(),
  /** The incident that explains it; null while it stands for itself. */
  parentId: nullableId,
  /** Incidents that it explains. */
  merged: z.int(),
  /** Hosts that can't be reached because of it: now, or at its end. */
  unreachable: z.int(),
  /** What another probe said of the host; null: none was asked. */
  opinion: z.nullable(secondOpinion),
})
export type Incident = z.output<typeof incident>

/** What can happen to an incident. */
export const INCIDENT_EVENTS = [
  'opened',
  'worsened',
  'eased',
  'reopened',
  'closed',
  'merged',
  'separated',
  'flapping-started',
  'flapping-ended',
  'unreachable',
  'reachable',
  'opinion',
  'acknowledged',
  'unacknowledged',
  'acknowledgement-expired',
  'acknowledgement-cleared',
  'owned',
  'maintenance-started',
  'maintenance-ended',
  'notified',
  'notification-failed',
] as const
export type IncidentEventKind = (typeof INCIDENT_EVENTS)[number]

/** One line of its timeline. */
export const incidentEvent = z.object({
  id: idValue,
  at: instant,
  kind: z.enum(INCIDENT_EVENTS),
  severity: z.nullable(severity),
  /** Login; null: Narval. */
  actor: z.nullable(z.string()),
  /** French sentence; '' where the kind says all. */
  text: z.string(),
})
export type IncidentEvent = z.output<typeof incidentEvent>

/** Links of « Pourquoi est-ce rouge ? », from the probe to the metric. */
export const CHAIN_KINDS = ['probe', 'link', 'host', 'metric'] as const
export const chainLink = z.object({
  kind: z.enum(CHAIN_KINDS),
  /** Of the probe, the host or the metric; a link has its probe's. */
  id: idValue,
  name: z.string(),
  severity,
  /** « Hors ligne », « Indisponible », « Injoignable », « Erreur »… */
  state: z.string(),
  since: z.nullable(instant),
  /** What shows it, in a sentence: the result, the last contact, another probe's word. */
  evidence: z.string(),
  /** When that was seen. */
  at: z.nullable(instant),
  /** Where the trouble begins. */
  cause: z.boolean(),
  /** Its open incident, if it has one. */
  incidentId: nullableId,
})
export type ChainLink = z.output<typeof chainLink>

export const incidentDetail = z.object({
  incident,
  /** From the probe down to what is wrong; of a closed incident: as it was when it was worst known, kept at its end. */
  chain: z.array(chainLink),
  /** What the sheets of its host and of its site, as far as one sees them, ask to do. */
  instructions: z.array(z.object({ kind: z.enum(['host', 'site']), id: idValue, name: z.string(), text: z.string() })),
  /** Oldest first. */
  timeline: z.array(incidentEvent),
  /** Incidents merged into it. */
  merged: z.array(incident),
  /**
   * Hosts made unreachable by it; of one of a probe those that are unknown because of it, once it is over all that were;
   * `until` null: still. So many at most (`EFFECTS_SHOWN`).
   */
  effects: z.array(z.object({ hostId: idValue, hostName: z.string(), since: instant, until: z.nullable(instant) })),
  /** How many hosts that are in all. */
  effectHosts: z.int(),
  /** How many it has ever taken along, back or not. */
  effectsEver: z.int(),
})
/** Effects that one answer gives. */
export const EFFECTS_SHOWN = 1_000

/** Causes for which something of a host is unknown that an incident of something else explains. */
export const EXPLAINED_CAUSES = ['probe-offline', 'probe-link', 'host-unreachable'] as const
export type ExplainedCause = (typeof EXPLAINED_CAUSES)[number]
export const hostCause = z.object({
  cause: z.enum(EXPLAINED_CAUSES),
  incidentId: idValue,
  title: z.string(),
  /** Of the host: those of which something is unknown because of it. */
  scannerIds: z.array(idValue),
})
export type HostCause = z.output<typeof hostCause>
export type IncidentDetail = z.output<typeof incidentDetail>

const idQuery = z.optional(z.string().check(z.regex(/^[1-9]\d{0,9}$/, 'Identifiant incorrect')))
const incidentQuery = z.object({
  host: idQuery,
  metric: idQuery,
  probe: idQuery,
  open: z.optional(z.enum(['true', 'false'])),
})
export const incidentRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Incident/Get',
    access: 'user',
    summary: 'Les incidents, du plus récent au plus ancien (200 au plus)',
    query: incidentQuery,
    reply: z.array(incident),
  }),
  get: route({
    method: 'GET',
    path: '/api/Incident/Get/:id',
    access: 'user',
    summary: 'Un incident',
    params: idParams,
    reply: incident,
  }),
  detail: route({
    method: 'GET',
    path: '/api/Incident/Detail/:id',
    access: 'user',
    summary: 'Pourquoi un incident est là, ce qui lui est arrivé, ce qu’il explique',
    params: idParams,
    reply: incidentDetail,
  }),
  causes: route({
    method: 'GET',
    path: '/api/Incident/Get/Cause',
    access: 'user',
    summary: 'Les incidents qui expliquent ce qui est inconnu d’un équipement',
    query: z.object({ host: idText }),
    reply: z.array(hostCause),
  }),
  datatable: datatableRoutes('IncidentDatatable', 'user', 'Incidents', incident),
  merge: route({
    method: 'POST',
    path: '/api/Incident/Merge/:id',
    access: 'incident_write',
    summary: 'Dire qu’un autre incident explique celui-ci',
    params: idParams,
    body: z.object({ into: idValue }),
    reply: incident,
  }),
  separate: route({
    method: 'POST',
    path: '/api/Incident/Separate/:id',
    access: 'incident_write',
    summary: 'Dire qu’un incident fusionné en est un à part',
    params: idParams,
    reply: incident,
  }),
} as const
