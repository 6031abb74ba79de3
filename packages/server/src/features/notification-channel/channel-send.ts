import { CHANNEL_SETTINGS, type ChannelKind, type NotificationMessage } from '@narval/contracts'
import type { Person } from '../../store/person.ts'
import type { Charts } from './chart-picture.ts'
import { zoneOf } from './message-lines.ts'
import type { Outgoing, SendResult } from './sender.ts'
import { sendMattermost, sendSlack } from './senders/chat.ts'
import { sendEmail } from './senders/email.ts'
import { sendNtfy } from './senders/ntfy.ts'
import { sendSms } from './senders/sms.ts'
import { sendTeams } from './senders/teams.ts'
import { sendWebhook } from './senders/webhook.ts'

/** A channel, opened. */
export interface OpenChannel {
  readonly kind: ChannelKind
  readonly settings: unknown
  readonly secrets: Readonly<Record<string, string>>
}

/** What is to be sent, and to whom. */
export interface Parcel {
  readonly key: string
  readonly message: NotificationMessage
  readonly reason: string
  readonly ruleName: string
  readonly person: Person | null
  readonly address: string | null
  readonly stop: AbortSignal
}
export type TimedResult = SendResult & { readonly durationMs: number }
export type ChannelSend = (channel: OpenChannel, parcel: Parcel) => Promise<TimedResult>

export interface ChannelSendDeps {
  readonly charts: Charts
  readonly now: () => number
  /** Address of the console, without its last slash; null when nobody said it. */
  readonly base: () => string | null
  readonly product: () => string
}

/** Sends by a channel of any kind. What comes back never holds a secret, even where the other side repeats it. */
export const createChannelSend =
  ({ charts, now, base, product }: ChannelSendDeps): ChannelSend =>
  async (channel, { key, message, reason, ruleName, person, address, stop }) => {
    const startedMs = performance.now()
    const around = { key, reason, ruleName, recipient: person, base: base() }
    const common = {
      ...{ secrets: channel.secrets, person, address, message, around, product: product(), nowMs: now(), stop },
      picture: () => pictureOf(charts, message),
    }
    const result = await sendBy(channel, common)
    const hide = redactor(channel.secrets)
    return {
      ...{ ok: result.ok, permanent: result.permanent, recipient: hide(result.recipient) },
      ...{ error: hide(result.error), answer: hide(result.answer) },
      durationMs: Math.round(performance.now() - startedMs),
    }
  }

const sendBy = ({ kind, settings }: OpenChannel, common: Omit<Outgoing, 'settings'>): Promise<SendResult> => {
  switch (kind) {
    case 'email':
      return sendEmail({ ...common, settings: CHANNEL_SETTINGS.email.parse(settings) })
    case 'webhook':
      return sendWebhook({ ...common, settings: CHANNEL_SETTINGS.webhook.parse(settings) })
    case 'slack':
      return sendSlack({ ...common, settings: CHANNEL_SETTINGS.slack.parse(settings) })
    case 'mattermost':
      return sendMattermost({ ...common, settings: CHANNEL_SETTINGS.mattermost.parse(settings) })
    case 'teams':
      return sendTeams({ ...common, settings: CHANNEL_SETTINGS.teams.parse(settings) })
    case 'ntfy':
      return sendNtfy({ ...common, settings: CHANNEL_SETTINGS.ntfy.parse(settings) })
    case 'sms':
      return sendSms({ ...common, settings: CHANNEL_SETTINGS.sms.parse(settings) })
  }
}

/** A message goes out without its chart rather than not at all. */
const pictureOf = async (charts: Charts, message: NotificationMessage) => {
  const metricId = message.incidents.find(incident => incident.metricId !== null)?.metricId
  if (metricId == null) return null
  return charts(metricId, Date.parse(message.at), zoneOf(message)).catch(() => null)
}

/** Shorter ones would blot out ordinary words. */
const REDACTED_MIN = 4

const redactor = (secrets: Readonly<Record<string, string>>) => {
  const forms = Object.values(secrets)
    .filter(secret => secret.length >= REDACTED_MIN)
    .flatMap(secret => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), pathOf(secret)])
    .filter(form => form.length >= REDACTED_MIN)
  return (text: string): string => forms.reduce((shown, form) => shown.replaceAll(form, '•••'), text)
}
/** Of an address, what an answer would repeat of it. */
const pathOf = (secret: string): string => {
  const url = URL.parse(secret)
  return url === null || url.pathname === '/' ? '' : url.pathname
}
