import { AVAILABILITY_REASONS } from '@narval/engine'
import * as z from 'zod/mini'
import { DATATABLE_MAX_LENGTH, datatableRoutes } from './datatable.ts'
import { route } from './route.ts'
import { idParams, idValue, instant, nullableId } from './schema.ts'
import { HOST_STATES } from './state.ts'

/** Longest period of a report: a leap year and a few days. */
export const AVAILABILITY_MAX_DAYS = 400
/** The period where none is asked for, up to now. */
export const AVAILABILITY_DEFAULT_DAYS = 30
/** Intervals of one host that an answer tells one by one; its figures count all of them. */
export const AVAILABILITY_MAX_INTERVALS = 2_000
/** Rows of a report on paper, one page of a list. */
export const AVAILABILITY_PRINTED = DATATABLE_MAX_LENGTH

export const AVAILABILITY_BY = ['host', 'site', 'type'] as const
export type AvailabilityBy = (typeof AVAILABILITY_BY)[number]
/** Whether time beyond a site's opening hours counts; the first one holds where none is asked for, as below. */
export const AVAILABILITY_HOURS = ['service', 'all'] as const
export const AVAILABILITY_MAINTENANCE = ['apart', 'ignored', 'available'] as const
export const AVAILABILITY_UNREACHABLE = ['down', 'apart'] as const
export const AVAILABILITY_UNKNOWN = ['apart', 'down'] as const

/** Objects that a report may be narrowed to, of each kind. */
export const AVAILABILITY_MAX_IDS = 1_000
const idsText = z.string().check(z.regex(/^\d{1,10}(,\d{1,10})*$/, 'Identifiants séparés par des virgules attendus'))
export const availabilityIds = z.optional(
  z.pipe(
    z.union([idsText, z.int(), z.array(z.union([idsText, z.int()])).check(z.maxLength(AVAILABILITY_MAX_IDS))], {
      error: 'Identifiants séparés par des virgules attendus',
    }),
    z.transform(value => String(value).split(',').map(Number)),
  ),
)
/** Of which time, and what of it counts, for hosts and metrics alike. */
export const availabilityTimeQuery = {
  from: z.optional(instant),
  to: z.optional(instant),
  hours: z.optional(z.enum(AVAILABILITY_HOURS)),
  maintenance: z.optional(z.enum(AVAILABILITY_MAINTENANCE)),
  unknown: z.optional(z.enum(AVAILABILITY_UNKNOWN)),
}
/** Of which equipment, for hosts and metrics alike. */
export const availabilityObjects = {
  host: availabilityIds,
  site: availabilityIds,
  /** 0: equipment without a type. */
  type: availabilityIds,
}
const rules = { ...availabilityTimeQuery, unreachable: z.optional(z.enum(AVAILABILITY_UNREACHABLE)) }
/** Of which time, by which rules. */
export const availabilityRulesQuery = z.object(rules)
export type AvailabilityRulesQuery = z.output<typeof availabilityRulesQuery>
/** The same, of which equipment, and what each row stands for. */
export const availabilityQuery = z.object({
  ...rules,
  by: z.optional(z.enum(AVAILABILITY_BY)),
  ...availabilityObjects,
})
export type AvailabilityQuery = z.output<typeof availabilityQuery>

/** Times and figures of hosts and metrics alike. */
export const availabilityTimes = {
  unknownMs: z.int(),
  maintenanceMs: z.int(),
  outOfServiceMs: z.int(),
  notMonitoredMs: z.int(),
  outages: z.int(),
  longestOutageMs: z.int(),
  /** Floored to five decimals; null: no time counted. */
  ratio: z.nullable(z.number()),
  mttrMs: z.nullable(z.int()),
  mtbfMs: z.nullable(z.int()),
}
const times = {
  availableMs: z.int(),
  downMs: z.int(),
  unreachableMs: z.int(),
  flappingMs: z.int(),
  ...availabilityTimes,
}
/** Times of all the equipment of a report, added up. */
export const availabilityTotal = z.object({ hosts: z.int(), ...times })
export type AvailabilityTotal = z.output<typeof availabilityTotal>

/** A host, a site or a type of equipment; its times are those of its equipment added up. */
export const availabilityRow = z.object({
  /** Of the host, the site or the type; 0: equipment without a type. */
  id: z.int(),
  name: z.string(),
  siteId: nullableId,
  siteName: z.nullable(z.string()),
  typeId: nullableId,
  typeName: z.nullable(z.string()),
  hosts: z.int(),
  ...times,
})
export type AvailabilityRow = z.output<typeof availabilityRow>

export const AVAILABILITY_SOURCES = ['live', 'late', 'stopped', 'none'] as const
/** What an interval tells whatever it is of. */
export const availabilityTold = {
  from: instant,
  to: instant,
  source: z.enum(AVAILABILITY_SOURCES),
  /** The incident that tells of it. */
  incident: z.nullable(z.object({ id: idValue, title: z.string() })),
  /** Maintenances that covered it; without id: one that was deleted since. */
  maintenances: z.array(z.object({ id: nullableId, comment: z.string() })),
}
export const availabilityInterval = z.object({
  ...availabilityTold,
  /** What it counts as. */
  reason: z.enum(AVAILABILITY_REASONS),
  /** What the host's state was meanwhile. */
  state: z.enum(HOST_STATES),
})
export type AvailabilityInterval = z.output<typeof availabilityInterval>

/** What a report says of itself. */
export const availabilityAbout = {
  from: instant,
  /** No later than now. */
  to: instant,
  /** When its figures were computed: a report is kept for some seconds. */
  computedAt: instant,
}
export const availabilitySummary = z.object({ ...availabilityAbout, total: availabilityTotal })
export type AvailabilitySummary = z.output<typeof availabilitySummary>
export const availabilityOfHost = z.object({
  ...availabilityAbout,
  row: availabilityRow,
  /** Oldest first, without holes, the first 2,000. */
  intervals: z.array(availabilityInterval),
  /** How many there are in all. */
  intervalCount: z.int(),
})
export type AvailabilityOfHost = z.output<typeof availabilityOfHost>

export const availabilityRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Availability/Get',
    access: 'user',
    rate: 'heavy',
    summary: 'Disponibilité sur une période, par équipement, site ou type (Accept : text/csv pour un fichier)',
    query: availabilityQuery,
    reply: z.array(availabilityRow),
  }),
  summary: route({
    method: 'GET',
    path: '/api/Availability/Summary',
    access: 'user',
    rate: 'read',
    summary: 'Disponibilité de tout un ensemble : la somme de ses équipements',
    query: availabilityQuery,
    reply: availabilitySummary,
  }),
  host: route({
    method: 'GET',
    path: '/api/Availability/Host/:id',
    access: 'user',
    rate: 'read',
    summary: 'Disponibilité d’un équipement, et les intervalles qui la font (Accept : text/csv pour un fichier)',
    params: idParams,
    query: availabilityRulesQuery,
    reply: availabilityOfHost,
  }),
  datatable: datatableRoutes('AvailabilityDatatable', 'user', 'Disponibilité', availabilityRow),
} as const
