import {
  CHANNEL_INPUTS,
  CHANNEL_SECRETS,
  type ChannelKind,
  channelBody,
  DEFAULT_WEBHOOK_BODY,
  type NotificationChannel,
  notificationChannel,
} from '@narval/contracts'
import * as z from 'zod/mini'

/** What the form holds, whatever the kind; secrets: '' keeps the stored one, null takes it away. */
export interface ChannelValues {
  name: string
  enabled: boolean
  settings: Record<string, unknown>
}

const STARTS: Readonly<Record<ChannelKind, Readonly<Record<string, unknown>>>> = {
  email: {
    ...{ host: '', port: 587, security: 'starttls', checkCertificate: true, user: '', from: '', fromName: 'Narval' },
    ...{ replyTo: '', to: [] },
  },
  webhook: { url: '', method: 'POST', headers: [], body: DEFAULT_WEBHOOK_BODY },
  slack: {},
  mattermost: { channel: '', username: 'Narval' },
  teams: {},
  ntfy: { server: 'https://ntfy.sh', topic: '', priorities: { error: 5, warning: 4, unknown: 3, ok: 3 }, tags: [] },
  sms: {
    ...{ url: '', method: 'POST', headers: [], format: 'json', parts: 2, to: [] },
    body: '{"to": "{number}", "message": "{text}"}',
  },
}
const noSecrets = (kind: ChannelKind) => Object.fromEntries(CHANNEL_SECRETS[kind].map(name => [name, '']))

export const valuesOf = (channel: NotificationChannel | null, kind: ChannelKind): ChannelValues => ({
  name: channel?.name ?? '',
  enabled: channel?.enabled ?? true,
  settings: { ...STARTS[kind], ...channel?.settings, ...noSecrets(kind) },
})

/** The values in a newer version that the server shows; null when it can't be read. */
export const readNewer = (current: unknown): ChannelValues | null => {
  const newer = notificationChannel.safeParse(current)
  return newer.success ? valuesOf(newer.data, newer.data.kind) : null
}

/** A field left empty keeps the secret that is stored. */
export const sentSettings = (kind: ChannelKind, settings: ChannelValues['settings']): Record<string, unknown> => {
  const names: readonly string[] = CHANNEL_SECRETS[kind]
  const kept = Object.entries(settings).filter(([name, value]) => !(names.includes(name) && value === ''))
  return Object.fromEntries(kept)
}

/** The form of a kind, which sends what the API's own schema accepts. */
export const channelForm = (kind: ChannelKind) =>
  z.pipe(
    z.transform((values: ChannelValues) => asBody({ ...values, kind, settings: sentSettings(kind, values.settings) })),
    channelBody,
  )
/** The one cast: what was typed is anything, and the schema that follows judges it. */
const asBody = (values: unknown): z.input<typeof channelBody> => values as z.input<typeof channelBody>

/** Settings as a test sends them; null when the schema refuses them. */
export const draftOf = (kind: ChannelKind, settings: ChannelValues['settings']) => {
  const parsed = CHANNEL_INPUTS[kind].safeParse(sentSettings(kind, settings))
  return parsed.success ? parsed.data : null
}
