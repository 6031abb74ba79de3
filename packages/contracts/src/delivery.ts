import * as z from 'zod/mini'
import { datatableRoutes } from './datatable.ts'
import { CHANNEL_KINDS } from './notification-channel.ts'
import { NOTIFICATION_MESSAGE_KINDS } from './notification-message.ts'
import { route } from './route.ts'
import { idParams, idValue, instant, nullableId } from './schema.ts'
import { severity } from './state.ts'

/** Where a delivery stands. `failed`: given up; `dropped`: its channel or its person is gone. */
export const DELIVERY_STATES = ['waiting', 'sent', 'failed', 'dropped', 'cancelled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** What is told to one person by one channel. */
export const delivery = z.object({
  id: idValue,
  incidentId: nullableId,
  ruleId: nullableId,
  ruleName: z.string(),
  channelId: idValue,
  /** Empty once the channel is gone. */
  channelName: z.string(),
  channelKind: z.nullable(z.enum(CHANNEL_KINDS)),
  accountId: nullableId,
  /** Whom it goes to: a name, or where the channel writes to. */
  recipient: z.string(),
  kind: z.enum(NOTIFICATION_MESSAGE_KINDS),
  severity,
  subject: z.string(),
  /** Why this person. */
  reason: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  createdAt: instant,
  /** When it is tried next; null: never again. */
  nextAt: z.nullable(instant),
  /** When it was sent, or given up. */
  endedAt: z.nullable(instant),
  /** What the channel answered last, or why nothing was sent. */
  answer: z.string(),
  durationMs: z.nullable(z.int()),
})
export type Delivery = z.output<typeof delivery>

export const deliveryRoutes = {
  ofIncident: route({
    method: 'GET',
    path: '/api/Delivery/Incident/:id',
    access: 'user',
    summary: 'Ce qui a été dit d’un incident, à qui, par où et pourquoi (500 envois au plus, les derniers)',
    params: idParams,
    reply: z.array(delivery),
  }),
  retry: route({
    method: 'POST',
    path: '/api/Delivery/Retry/:id',
    access: 'notification_write',
    summary: 'Renvoyer maintenant ce qui attend ou a été abandonné',
    params: idParams,
    reply: delivery,
  }),
  cancel: route({
    method: 'POST',
    path: '/api/Delivery/Cancel/:id',
    access: 'notification_write',
    summary: 'Ne pas envoyer ce qui attend',
    params: idParams,
    reply: delivery,
  }),
  datatable: datatableRoutes('DeliveryDatatable', 'notification_write', 'Envois', delivery),
} as const
