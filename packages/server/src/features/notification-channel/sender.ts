import type { ChannelKind, ChannelSettings, MessageSurroundings, NotificationMessage } from '@narval/contracts'
import type { Person } from '../../store/person.ts'

/** A PNG picture of a metric. */
export interface Picture {
  readonly png: Buffer
  readonly width: number
  readonly height: number
  /** What it shows, for who does not see it. */
  readonly alternative: string
}

/** Everything that a sender is given, opened: settings, secrets, whom, what. */
export interface Outgoing<K extends ChannelKind = ChannelKind> {
  readonly settings: ChannelSettings<K>
  readonly secrets: Readonly<Record<string, string>>
  /** Null: the place of the channel itself. */
  readonly person: Person | null
  /** Written to instead of the person's own: what a test asks for. */
  readonly address: string | null
  readonly message: NotificationMessage
  readonly around: MessageSurroundings
  readonly product: string
  readonly nowMs: number
  /** The chart of the metric; null where there is none. */
  picture(): Promise<Picture | null>
  /** Aborted when the server must stop. */
  readonly stop: AbortSignal
}

export interface SendResult {
  readonly ok: boolean
  /** French; '' when it was sent. */
  readonly error: string
  /** As the other side said it. */
  readonly answer: string
  /** Whom or what it went to. */
  readonly recipient: string
  /** To try again changes nothing: nobody is there, or it will never be taken. */
  readonly permanent: boolean
}

export type Sender<K extends ChannelKind = ChannelKind> = (outgoing: Outgoing<K>) => Promise<SendResult>

export const sent = (recipient: string, answer: string): SendResult => ({
  ...{ ok: true, error: '', permanent: false },
  recipient,
  answer,
})
export const unsent = (recipient: string, error: string, more: Partial<SendResult> = {}): SendResult => ({
  ...{ ok: false, answer: '', permanent: false },
  recipient,
  error,
  ...more,
})
