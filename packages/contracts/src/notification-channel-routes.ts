import * as z from 'zod/mini'
import { CHANNEL_INPUTS, CHANNEL_SETTINGS } from './notification-channel.ts'
import { route } from './route.ts'
import { idParams, idValue, instant, line, requiredLine, stamps } from './schema.ts'

const common = { name: requiredLine(100), enabled: z._default(z.boolean(), true) }
const kindsOf = <S extends z.core.$ZodShape>(more: S) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('email'), settings: CHANNEL_INPUTS.email, ...more }),
    z.strictObject({ kind: z.literal('webhook'), settings: CHANNEL_INPUTS.webhook, ...more }),
    z.strictObject({ kind: z.literal('slack'), settings: CHANNEL_INPUTS.slack, ...more }),
    z.strictObject({ kind: z.literal('mattermost'), settings: CHANNEL_INPUTS.mattermost, ...more }),
    z.strictObject({ kind: z.literal('teams'), settings: CHANNEL_INPUTS.teams, ...more }),
    z.strictObject({ kind: z.literal('ntfy'), settings: CHANNEL_INPUTS.ntfy, ...more }),
    z.strictObject({ kind: z.literal('sms'), settings: CHANNEL_INPUTS.sms, ...more }),
  ])
export const channelBody = kindsOf(common)
export const channelUpdateBody = kindsOf({ ...common, updatedAt: instant })
export type ChannelBody = z.output<typeof channelBody>

/** Whom a test writes to: an e-mail address or a number; left out: who asks for it. Nothing to other kinds. */
const to = z.optional(line(254))
export const channelTestBody = z.object({ to })
/** Settings that are not saved yet; `id`: of the channel whose stored secrets are used where none is given. */
export const channelDraftBody = kindsOf({ id: z.optional(idValue), to })
export type ChannelDraft = z.output<typeof channelDraftBody>

const last = z.object({
  at: instant,
  outcome: z.enum(['sent', 'failed']),
  /** What the channel said. */
  answer: z.string(),
  durationMs: z.int(),
})
const shared = {
  ...stamps,
  name: z.string(),
  enabled: z.boolean(),
  /** Which secrets are there, never what they are. */
  secrets: z.record(z.string(), z.boolean()),
  /** The key of its secrets is missing or is not the right one: nothing is sent. */
  unreadable: z.boolean(),
  last: z.nullable(last),
  failingSince: z.nullable(instant),
  /** Deliveries that wait. */
  waiting: z.int(),
}
const shown = <K extends keyof typeof CHANNEL_SETTINGS>(kind: K) =>
  z.object({ kind: z.literal(kind), settings: CHANNEL_SETTINGS[kind], ...shared })
export const notificationChannel = z.discriminatedUnion('kind', [
  shown('email'),
  shown('webhook'),
  shown('slack'),
  shown('mattermost'),
  shown('teams'),
  shown('ntfy'),
  shown('sms'),
])
export type NotificationChannel = z.output<typeof notificationChannel>

export const channelTestReply = z.object({
  ok: z.boolean(),
  /** What went wrong, in French; '' when nothing did. */
  error: z.string(),
  /** As it came: the status and the first 500 characters, or the server's last lines. */
  answer: z.string(),
  /** To whom it went. */
  recipient: z.string(),
  durationMs: z.int(),
})
export type ChannelTestReply = z.output<typeof channelTestReply>

export const notificationChannelRoutes = {
  list: route({
    method: 'GET',
    path: '/api/NotificationChannel/Get',
    access: 'notification_write',
    summary: 'Tous les canaux de notification',
    reply: z.array(notificationChannel),
  }),
  get: route({
    method: 'GET',
    path: '/api/NotificationChannel/Get/:id',
    access: 'notification_write',
    summary: 'Un canal de notification, sans ses secrets',
    params: idParams,
    reply: notificationChannel,
  }),
  create: route({
    method: 'POST',
    path: '/api/NotificationChannel/Create',
    access: 'notification_write',
    summary: 'Créer un canal de notification',
    body: channelBody,
    status: 201,
    reply: notificationChannel,
  }),
  update: route({
    method: 'PUT',
    path: '/api/NotificationChannel/Update/:id',
    access: 'notification_write',
    summary: 'Modifier un canal de notification',
    params: idParams,
    body: channelUpdateBody,
    reply: notificationChannel,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/NotificationChannel/Delete/:id',
    access: 'notification_write',
    summary: 'Supprimer un canal de notification\u202f: ce qui attendait de partir par lui est abandonné',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  test: route({
    method: 'POST',
    path: '/api/NotificationChannel/Test/:id',
    access: 'notification_write',
    rate: 'heavy',
    summary: 'Envoyer un message d’essai par un canal, et lire ce qu’il répond',
    params: idParams,
    body: channelTestBody,
    reply: channelTestReply,
  }),
  testDraft: route({
    method: 'POST',
    path: '/api/NotificationChannel/Test',
    access: 'notification_write',
    rate: 'heavy',
    summary: 'Essayer un canal avant de l’enregistrer',
    body: channelDraftBody,
    reply: channelTestReply,
  }),
} as const
