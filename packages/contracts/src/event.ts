import * as z from 'zod/mini'
import { CHECK_KINDS } from './check.ts'
import { EVENT_SEVERITIES } from './probe-events.ts'
import { route } from './route.ts'
import { idText, idValue, instant } from './schema.ts'

/** Messages of one answer. */
export const EVENTS_SHOWN = 100

/** A message that was received, and what it means. */
export const receivedEvent = z.object({
  id: idValue,
  /** When it was received. */
  at: instant,
  severity: z.enum(EVENT_SEVERITIES),
  kind: z.enum(CHECK_KINDS),
  source: z.string(),
  /** As the sender wrote it: to be shown as text. */
  text: z.string(),
  scannerId: idValue,
  hostId: idValue,
  hostName: z.string(),
  siteId: idValue,
  siteName: z.string(),
})
export type ReceivedEvent = z.output<typeof receivedEvent>

export const eventRoutes = {
  ofScanner: route({
    method: 'GET',
    path: '/api/Scanner/Get/Event',
    access: 'scanner_read',
    summary: 'Les derniers messages reçus d’un scanner, le plus récent d’abord',
    query: z.object({ id: idText, before: z.optional(idText) }),
    reply: z.array(receivedEvent),
  }),
}
