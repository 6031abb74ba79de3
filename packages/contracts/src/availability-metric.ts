import { METRIC_REASONS, SEVERITIES, UNKNOWN_CAUSES } from '@narval/engine'
import * as z from 'zod/mini'
import {
  availabilityAbout,
  availabilityIds,
  availabilityObjects,
  availabilityTimeQuery,
  availabilityTimes,
  availabilityTold,
} from './availability.ts'
import { datatableRoutes } from './datatable.ts'
import { route } from './route.ts'
import { idParams, idValue } from './schema.ts'

/** Metrics of one report: a fleet has eleven for each host, which nobody reads at once. */
export const AVAILABILITY_MAX_METRICS = 5_000
/** The first one holds where none is asked for. */
export const AVAILABILITY_WARNING = ['available', 'down'] as const

const rules = { ...availabilityTimeQuery, warning: z.optional(z.enum(AVAILABILITY_WARNING)) }
/** Of which time, by which rules. */
export const metricAvailabilityRules = z.object(rules)
export type MetricAvailabilityRulesQuery = z.output<typeof metricAvailabilityRules>
/** The same, of which metrics: those of some equipment. */
export const metricAvailabilityQuery = z.object({
  ...rules,
  ...availabilityObjects,
  metric: availabilityIds,
})
export type MetricAvailabilityQuery = z.output<typeof metricAvailabilityQuery>

const times = {
  okMs: z.int(),
  warningMs: z.int(),
  errorMs: z.int(),
  ...availabilityTimes,
}
/** Times of all the metrics of a report, added up. */
export const metricAvailabilityTotal = z.object({ metrics: z.int(), ...times })
export type MetricAvailabilityTotal = z.output<typeof metricAvailabilityTotal>

export const metricAvailabilityRow = z.object({
  id: idValue,
  name: z.string(),
  hostId: idValue,
  hostName: z.string(),
  scannerId: idValue,
  scannerName: z.string(),
  siteId: idValue,
  siteName: z.string(),
  ...times,
})
export type MetricAvailabilityRow = z.output<typeof metricAvailabilityRow>

export const metricAvailabilityInterval = z.object({
  ...availabilityTold,
  /** What it counts as. */
  reason: z.enum(METRIC_REASONS),
  /** What its confirmed severity was meanwhile; disabled: it was not monitored. */
  severity: z.enum([...SEVERITIES, 'disabled']),
  /** Why it was unknown; null: it was not, or nothing says so. */
  cause: z.nullable(z.enum(UNKNOWN_CAUSES)),
})
export type MetricAvailabilityInterval = z.output<typeof metricAvailabilityInterval>

export const metricAvailabilitySummary = z.object({ ...availabilityAbout, total: metricAvailabilityTotal })
export type MetricAvailabilitySummary = z.output<typeof metricAvailabilitySummary>
export const availabilityOfMetric = z.object({
  ...availabilityAbout,
  row: metricAvailabilityRow,
  /** Oldest first, without holes, the first 2,000. */
  intervals: z.array(metricAvailabilityInterval),
  /** How many there are in all. */
  intervalCount: z.int(),
})
export type AvailabilityOfMetric = z.output<typeof availabilityOfMetric>

export const metricAvailabilityRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Availability/GetMetric',
    access: 'user',
    rate: 'heavy',
    summary: 'Disponibilité sur une période, par métrique, 5 000 au plus (Accept : text/csv pour un fichier)',
    query: metricAvailabilityQuery,
    reply: z.array(metricAvailabilityRow),
  }),
  summary: route({
    method: 'GET',
    path: '/api/Availability/SummaryMetric',
    access: 'user',
    rate: 'read',
    summary: 'Disponibilité de tout un ensemble de métriques, 5 000 au plus : leur somme',
    query: metricAvailabilityQuery,
    reply: metricAvailabilitySummary,
  }),
  metric: route({
    method: 'GET',
    path: '/api/Availability/Metric/:id',
    access: 'user',
    rate: 'read',
    summary: 'Disponibilité d’une métrique, et les intervalles qui la font (Accept : text/csv pour un fichier)',
    params: idParams,
    query: metricAvailabilityRules,
    reply: availabilityOfMetric,
  }),
  datatable: datatableRoutes(
    'MetricAvailabilityDatatable',
    'user',
    'Disponibilité des métriques',
    metricAvailabilityRow,
  ),
} as const
