import * as z from 'zod/mini'
import { datatableRoutes } from './datatable.ts'
import { route } from './route.ts'
import { idText, idValue, instant } from './schema.ts'
import { type HOST_STATES, severity, severityCounts, unknownCause } from './state.ts'

/** Longest time of which hours are told at once. */
export const STATUS_MAX_DAYS = 92
/** Longest time of which changes are told: a day, were it the longest of the year. */
export const STATUS_CHANGES_MAX_HOURS = 25

/** Metric-time in each confirmed severity, in ms: ten metrics that are good for an hour are 36,000,000 of `ok`. */
export const statusHour = z.object({
  hour: instant,
  /** Of the hour, ms in which the server ran; the rest is in no state. */
  watched: z.int(),
  error: z.int(),
  warning: z.int(),
  unknown: z.int(),
  ok: z.int(),
})
export type StatusHour = z.output<typeof statusHour>

const change = { from: z.nullable(severity), to: z.nullable(severity), cause: unknownCause }
/** Changes that are alike. */
export const statusChangeGroup = z.object({ ...change, changes: z.int() })
export type StatusChangeGroup = z.output<typeof statusChangeGroup>
/** A confirmed state that a metric took on; null: it did not count, or does no more. */
export const statusChange = z.object({
  at: instant,
  ...change,
  metricId: idValue,
  metricName: z.string(),
  hostId: idValue,
  hostName: z.string(),
  siteId: idValue,
  siteName: z.string(),
  incidentId: z.nullable(idValue),
})
export type StatusChange = z.output<typeof statusChange>
/** What a filter calls a metric that does not count. */
export const NOT_COUNTED = 'none'

const hostStates = z.object({
  down: z.int(),
  unreachable: z.int(),
  unknown: z.int(),
  pending: z.int(),
  available: z.int(),
  disabled: z.int(),
} satisfies Record<(typeof HOST_STATES)[number], unknown>)
/** A site of the dashboard: its equipment by severity and by state, its metrics by confirmed severity. */
export const statusSite = z.object({
  siteId: idValue,
  siteName: z.string(),
  severity,
  counts: severityCounts,
  hosts: z.int(),
  states: hostStates,
  metrics: severityCounts,
})
export type StatusSite = z.output<typeof statusSite>

const window = { from: instant, to: instant, site: z.optional(idText) }

export const statusRoutes = {
  hours: route({
    method: 'GET',
    path: '/api/Dashboard/Get/StatusHour',
    access: 'user',
    summary: 'Temps passé dans chaque état, heure par heure',
    /** Without `from` or `to`: the last 24 hours, the present one included. */
    query: z.object({ ...window, from: z.optional(instant), to: z.optional(instant) }),
    reply: z.array(statusHour),
  }),
  changeGroups: route({
    method: 'GET',
    path: '/api/Dashboard/Get/StatusHour/Change',
    access: 'user',
    summary: 'Changements d’état d’une heure, groupés',
    query: z.object(window),
    reply: z.array(statusChangeGroup),
  }),
  changes: datatableRoutes('StatusChangeDatatable', 'user', 'Changements d’état', statusChange),
} as const
