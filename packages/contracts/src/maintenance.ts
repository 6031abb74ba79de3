import * as z from 'zod/mini'
import { datatableRequest, datatableRoutes } from './datatable.ts'
import { route } from './route.ts'
import { basedOn, idParams, idValue, instant, lastUpdate, requiredLine, stamps, timeZone } from './schema.ts'
import { severity } from './state.ts'

/** Longest window, in minutes: 31 days. Longer, what is to be silenced is to be disabled. */
export const MAINTENANCE_MAX_MINUTES = 44_640
/** Objects that one maintenance names by their ids; more are chosen by the filter of a list. */
export const MAINTENANCE_MAX_IDS = 10_000
/** Names that an answer tells of each kind of object; their number is told whole. */
export const MAINTENANCE_MAX_NAMES = 200
/** Longest period of the calendar, and most occurrences that it answers. */
export const MAINTENANCE_CALENDAR_DAYS = 92
export const MAINTENANCE_MAX_OCCURRENCES = 2_000
export const MAINTENANCE_PREVIEWED = 5

const ids = z._default(z.array(idValue).check(z.maxLength(MAINTENANCE_MAX_IDS)), [])
const minutes = z.int().check(z.minimum(1), z.maximum(MAINTENANCE_MAX_MINUTES))
const LOCAL_TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/

/** When: once, or again and again by a rule of RFC 5545 on the clocks of a place. */
export const maintenanceSchedule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('one-off'), from: instant, to: instant }),
  z.object({
    kind: z.literal('recurring'),
    rrule: requiredLine(300),
    /** First occurrence, on the clocks of `timeZone`: `2026-03-01T02:30`. */
    start: z.string().check(z.regex(LOCAL_TIME, 'Date et heure attendues')),
    durationMinutes: minutes,
    timeZone,
  }),
])
export type MaintenanceSchedule = z.output<typeof maintenanceSchedule>

export const MAINTENANCE_LISTS = ['sites', 'hosts', 'metrics', 'problems', 'incidents'] as const
export type MaintenanceList = (typeof MAINTENANCE_LISTS)[number]

/** What it covers: sites with those below them and all that stands there, at any time; hosts; metrics alone. */
const objects = {
  sites: ids,
  hosts: ids,
  metrics: ids,
  /** Incidents: the metrics that they are about. */
  incidents: ids,
  /** All that the request of a list matches when it is saved (its page and order do not count). */
  filter: z.optional(z.object({ list: z.enum(MAINTENANCE_LISTS), request: datatableRequest })),
}
const plan = {
  comment: requiredLine(500),
  schedule: maintenanceSchedule,
  /** Starts at the first problem within the window and lasts so long, even beyond it; null: the whole window. */
  flexibleMinutes: z._default(z.nullable(minutes), null),
  /** Also covers the hosts that are reached through those covered, however far. */
  propagate: z._default(z.boolean(), false),
}
export const maintenanceTargets = z.object(objects)
export type MaintenanceTargets = z.input<typeof maintenanceTargets>
export const maintenanceBody = z.object({ ...plan, ...objects })
export type MaintenanceInput = z.output<typeof maintenanceBody>
/** What it covers is left as it is unless `targets` says otherwise. */
export const maintenanceUpdateBody = z.object({ ...plan, ...basedOn, targets: z.optional(maintenanceTargets) })
export type MaintenanceUpdate = z.output<typeof maintenanceUpdateBody>

/** `armed`: flexible, its window is open and no problem has come yet. */
export const MAINTENANCE_STATES = ['running', 'armed', 'planned', 'over'] as const
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number]

const named = z.object({ id: idValue, name: z.string() })
const span = z.object({ from: instant, to: instant })

/** A metric that did not come back. */
export const maintenanceLoss = z.object({
  metricId: idValue,
  hostId: idValue,
  /** « srv-1 : Ping ». */
  name: z.string(),
  severity,
  since: instant,
})
export type MaintenanceLoss = z.output<typeof maintenanceLoss>

/** What is told at the end of a window. */
export const maintenanceReport = z.object({
  /** Fine at the start, bad at the end; the first 500. */
  broken: z.array(maintenanceLoss),
  brokenCount: z.int(),
  /** Bad at the start, and still so; the first 500. */
  stillBroken: z.array(maintenanceLoss),
  stillBrokenCount: z.int(),
  /** Metrics covered that are fine. */
  back: z.int(),
})
export type MaintenanceReport = z.output<typeof maintenanceReport>

/** One time that a maintenance took place. */
export const maintenanceRun = z.object({
  id: idValue,
  maintenanceId: z.nullable(idValue),
  startedAt: instant,
  /** Null while it lasts. */
  endedAt: z.nullable(instant),
  /** When it is, or was, to end. */
  until: instant,
  /** Login of who ended it before; null: nobody. */
  endedBy: z.nullable(z.string()),
  hosts: z.int(),
  metrics: z.int(),
  report: z.nullable(maintenanceReport),
})
export type MaintenanceRun = z.output<typeof maintenanceRun>

export const maintenance = z.object({
  ...stamps,
  ...plan,
  /** Login of who planned it. */
  author: z.nullable(z.string()),
  /** The first names of each kind of object, and how many there are. */
  sites: z.array(named),
  siteCount: z.int(),
  hosts: z.array(named),
  hostCount: z.int(),
  metrics: z.array(z.object({ ...named.shape, hostId: idValue, hostName: z.string() })),
  metricCount: z.int(),
  /** Hosts and metrics that it covers now, through sites and dependencies too. */
  covered: z.object({ hosts: z.int(), metrics: z.int() }),
  state: z.enum(MAINTENANCE_STATES),
  /** The window that runs, or is armed. */
  current: z.nullable(span),
  next: z.nullable(span),
  /** The last time that ended; not told to who does not see all that it covers. */
  lastRun: z.nullable(maintenanceRun),
  /** One may change it: one holds the right on all that it names. */
  mayChange: z.boolean(),
})
export type Maintenance = z.output<typeof maintenance>

export const maintenanceOccurrence = z.object({
  maintenanceId: idValue,
  ...span.shape,
  comment: z.string(),
  recurring: z.boolean(),
  flexible: z.boolean(),
  state: z.enum(MAINTENANCE_STATES),
  /** « Lyon, srv-1 et 3 autres ». */
  objects: z.string(),
  /** Metrics that did not come back; null: no report. */
  broken: z.nullable(z.int()),
})
export type MaintenanceOccurrence = z.output<typeof maintenanceOccurrence>

export const maintenancePreview = z.object({
  /** The next occurrences, 5 at most. */
  occurrences: z.array(span),
  hosts: z.int(),
  metrics: z.int(),
  /** Objects that the filter matches; null without filter. */
  matched: z.nullable(z.int()),
})
export type MaintenancePreview = z.output<typeof maintenancePreview>

export const maintenanceRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Maintenance/Get',
    access: 'user',
    rate: 'heavy',
    summary: 'Les maintenances, de la plus récente à la plus ancienne (200 au plus)',
    reply: z.array(maintenance),
  }),
  get: route({
    method: 'GET',
    path: '/api/Maintenance/Get/:id',
    access: 'user',
    summary: 'Une maintenance',
    params: idParams,
    reply: maintenance,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Maintenance/Get/LastUpdate',
    access: 'user',
    summary: 'Dernier changement des maintenances',
    reply: lastUpdate,
  }),
  runs: route({
    method: 'GET',
    path: '/api/Maintenance/Runs/:id',
    access: 'user',
    summary: 'Les fois où une maintenance a eu lieu, la dernière d’abord (50 au plus), avec leur bilan',
    params: idParams,
    reply: z.array(maintenanceRun),
  }),
  create: route({
    method: 'POST',
    path: '/api/Maintenance/Create',
    access: 'incident_write',
    summary: 'Planifier une maintenance',
    body: maintenanceBody,
    status: 201,
    reply: maintenance,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Maintenance/Update/:id',
    access: 'incident_write',
    summary: 'Modifier une maintenance, même en cours',
    params: idParams,
    body: maintenanceUpdateBody,
    reply: maintenance,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Maintenance/Delete/:id',
    access: 'incident_write',
    summary: 'Supprimer une maintenance ; les fois où elle a eu lieu restent comptées',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  end: route({
    method: 'POST',
    path: '/api/Maintenance/End/:id',
    access: 'incident_write',
    summary: 'Terminer maintenant la plage en cours ; les suivantes demeurent',
    params: idParams,
    reply: maintenance,
  }),
  extend: route({
    method: 'POST',
    path: '/api/Maintenance/Extend/:id',
    access: 'incident_write',
    summary: 'Prolonger la plage en cours, ou rouvrir celle qui vient de finir',
    params: idParams,
    body: z.object({ minutes }),
    reply: maintenance,
  }),
  calendar: route({
    method: 'GET',
    path: '/api/Maintenance/Calendar',
    access: 'user',
    summary: 'Les plages de maintenance d’une période de 92 jours au plus',
    query: z.object({ from: instant, to: instant }),
    reply: z.array(maintenanceOccurrence),
  }),
  preview: route({
    method: 'POST',
    path: '/api/Maintenance/Preview',
    access: 'user',
    rate: 'read',
    summary:
      'Ce que donnerait une maintenance : ses prochaines plages, et ce qu’elle couvrirait ; rien n’est enregistré',
    body: z.object({
      schedule: maintenanceSchedule,
      propagate: z._default(z.boolean(), false),
      ...objects,
      /** Of a maintenance that exists: what it covers counts with the rest. */
      maintenanceId: z.optional(idValue),
    }),
    reply: maintenancePreview,
  }),
  datatable: datatableRoutes('MaintenanceDatatable', 'user', 'Maintenances', maintenance),
} as const
