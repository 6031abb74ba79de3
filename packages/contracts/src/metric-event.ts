import * as z from 'zod/mini'
import { idValue, instant } from './schema.ts'
import { severity } from './state.ts'

/** What is shown beside the values of metrics, as it happened. */
export const METRIC_EVENT_KINDS = ['incident', 'maintenance', 'comment', 'change'] as const
export type MetricEventKind = (typeof METRIC_EVENT_KINDS)[number]
/** At most so many of a kind, the newest. */
export const METRIC_EVENTS_MAX = 300
/** What an event can be of. */
export const METRIC_EVENT_OBJECTS = ['site', 'host', 'scanner', 'metric'] as const

export const metricEvent = z.object({
  kind: z.enum(METRIC_EVENT_KINDS),
  /** Of the incident, of the run of the maintenance, of the comment, of the change in the journal: one of its kind. */
  id: idValue,
  /** Of the maintenance; null once it is deleted, and for all else. */
  maintenanceId: z.nullable(idValue),
  object: z.enum(METRIC_EVENT_OBJECTS),
  objectId: idValue,
  objectName: z.string(),
  from: instant,
  /** Null: an instant, or what lasts. */
  to: z.nullable(instant),
  lasts: z.boolean(),
  /** The worst that an incident has been. */
  severity: z.nullable(severity),
  /** Who wrote or changed it. */
  author: z.nullable(z.string()),
  text: z.string(),
  /** Those of the metrics asked that it concerns. */
  metricIds: z.array(idValue),
})
export type MetricEvent = z.output<typeof metricEvent>

/** Oldest first; `truncated`: of a kind there were more than {@link METRIC_EVENTS_MAX}. */
export const metricEvents = z.object({ events: z.array(metricEvent), truncated: z.boolean() })
export type MetricEvents = z.output<typeof metricEvents>
