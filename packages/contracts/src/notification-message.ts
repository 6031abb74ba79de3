import * as z from 'zod/mini'
import { idValue, instant, nullableId } from './schema.ts'
import { severity } from './state.ts'

/** Why somebody is told something. `news`: an incident that changed since the first message. */
export const NOTIFICATION_MESSAGE_KINDS = [
  'problem',
  'news',
  'reminder',
  'recovery',
  'flapping',
  'maintenance-report',
  'test',
] as const
export type NotificationMessageKind = (typeof NOTIFICATION_MESSAGE_KINDS)[number]

/** One incident of a message, as it was when the message was written. */
export const notifiedIncident = z.object({
  id: idValue,
  title: z.string(),
  severity,
  /** Of one that came back: since it did. */
  since: instant,
  /** How often it came back, and when it first began; left out: it never did. */
  reopened: z.optional(z.int()),
  openedAt: z.optional(instant),
  until: z.nullable(instant),
  information: z.string(),
  siteName: z.nullable(z.string()),
  hostName: z.nullable(z.string()),
  /** What to do, as the host or the metric says; '' when nobody wrote it. */
  instruction: z.string(),
  metricId: nullableId,
  /** Path of the console. */
  link: z.string(),
  /** « Pourquoi est-ce rouge ? », one sentence a link. */
  chain: z.array(z.string()),
})
export type NotifiedIncident = z.output<typeof notifiedIncident>

/** What people are told, whatever the channel: each channel writes it in its own form. Texts are French and plain. */
export const notificationMessage = z.object({
  kind: z.enum(NOTIFICATION_MESSAGE_KINDS),
  subject: z.string(),
  severity,
  at: instant,
  /** Path of the console. */
  link: z.string(),
  /** Paragraphs. */
  text: z.array(z.string()),
  incidents: z.array(notifiedIncident),
  /** Whose clock tells its dates; without it, that of Paris. */
  timeZone: z.optional(z.string()),
})
export type NotificationMessage = z.output<typeof notificationMessage>
