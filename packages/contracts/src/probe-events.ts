import * as z from 'zod/mini'

/** What a received message means, the best first: `ok` ends what others began. */
export const EVENT_SEVERITIES = ['ok', 'warning', 'error'] as const
export type EventSeverity = (typeof EVENT_SEVERITIES)[number]

/** Messages that one result brings, and their length; what is beyond is counted by the probe. */
export const EVENTS_PER_RESULT = 50
export const EVENT_TEXT_MAX = 500
export const EVENT_SOURCE_MAX = 100

/** A message that the probe received and a rule matched. */
export const checkEvent = z.object({
  /** When it arrived, by the probe's clock: what the sender says of the time is its own affair. */
  at: z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000)),
  severity: z.enum(EVENT_SEVERITIES),
  source: z.string().check(z.maxLength(EVENT_SOURCE_MAX)),
  text: z.string().check(z.maxLength(EVENT_TEXT_MAX)),
})
export type CheckEvent = z.output<typeof checkEvent>
