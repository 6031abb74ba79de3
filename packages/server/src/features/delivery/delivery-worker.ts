import type { NotificationMessage } from '@narval/contracts'
import type { Logger } from 'pino'
import type { SecretBox } from '../../secret-box.ts'
import type { Database } from '../../store/database.ts'
import { type ChannelRow, channelKindOf, openChannelSecrets, readChannel } from '../../store/notification-channels.ts'
import { type Person, personOf } from '../../store/person.ts'
import { type DueRow, dueChannels, messageOf, takeDue } from './delivery.store.ts'
import { dropDelivery, type Settled, settleTry, type Tried } from './delivery-settle.ts'

/** What sends by a channel: the other feature, given by who puts the server together. */
export type SendBy = (
  channel: {
    readonly kind: ReturnType<typeof channelKindOf>
    readonly settings: unknown
    readonly secrets: Readonly<Record<string, string>>
  },
  parcel: {
    readonly key: string
    readonly message: NotificationMessage
    readonly reason: string
    readonly ruleName: string
    readonly person: Person | null
    readonly address: string | null
    readonly stop: AbortSignal
  },
) => Promise<Tried>

export interface DeliveryWorkerDeps {
  readonly database: Database
  readonly now: () => number
  readonly secrets: Pick<SecretBox, 'open'>
  readonly send: SendBy
  /** Something is amiss with a channel: told to who manages notifications, once until it works again. */
  readonly onTrouble: (channel: ChannelRow) => Promise<void>
  /** Something became of a delivery: those who look at them are told. */
  readonly onSettled?: () => void
  /** False: another server may have the database now, nothing is sent; left out: always true. */
  readonly mayTell?: (() => boolean) | undefined
  readonly log: Logger
  readonly random?: () => number
  /** Between two looks at what is due; tests look more often. */
  readonly pollMs?: number
  /** Called between a send and its being written down: where tests end the process. */
  readonly onSent?: () => void
}

export interface DeliveryWorker {
  start(): void
  /** Looks at once. */
  wake(): void
  /** Lets what is under way end for 5 s, then cuts it: it is sent again at the next start. */
  stop(): Promise<void>
  /** Takes what is due until nothing is; for tests, without the timer. */
  drain(): Promise<void>
}

const POLL_MS = 1_000
/** At once, by one channel: a slow one holds no more than that. */
const PER_CHANNEL = 4
const STOP_MS = 5_000
const SETTLE_AGAIN_MS = 1_000

export const createDeliveryWorker = (deps: DeliveryWorkerDeps): DeliveryWorker => {
  const { database, now, log } = deps
  const underWay = new Map<number, { readonly channelId: number; readonly done: Promise<void> }>()
  const ending = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> | null = null
  let again = false
  let stopped = false

  const look = async (): Promise<void> => {
    if (deps.mayTell?.() === false) return
    for (const channelId of await dueChannels(database.db, now())) {
      const busy = [...underWay].filter(([, one]) => one.channelId === channelId).map(([id]) => id)
      const limit = PER_CHANNEL - busy.length
      if (limit <= 0 || stopped) continue
      for (const row of await takeDue(database.db, channelId, { nowMs: now(), limit, underWay: busy })) begin(row)
    }
  }
  const begin = (row: DueRow): void => {
    if (stopped || underWay.has(row.id) || deps.mayTell?.() === false) return
    const done = deliver(deps, row, ending.signal)
      .catch(err => log.error({ err, delivery: row.id }, 'a delivery was not settled'))
      .finally(() => {
        underWay.delete(row.id)
        deps.onSettled?.()
        wake()
      })
    underWay.set(row.id, { channelId: row.channel_id, done })
  }
  const run = (): Promise<void> => {
    looking ??= look()
      .catch(err => log.error({ err }, 'what is to be delivered was not read'))
      .finally(() => {
        looking = null
        if (again && !stopped) {
          again = false
          void run()
        }
      })
    return looking
  }
  const wake = (): void => {
    if (stopped) return
    if (looking !== null) again = true
    else void run()
  }
  return {
    start() {
      timer = setInterval(wake, deps.pollMs ?? POLL_MS)
      wake()
    },
    wake,
    async drain() {
      do {
        await run()
        await Promise.all([...underWay.values()].map(one => one.done))
        await looking
      } while (underWay.size > 0 || looking !== null)
    },
    async stop() {
      stopped = true
      if (timer !== null) clearInterval(timer)
      const cut = setTimeout(() => ending.abort(new DOMException('stopping', 'AbortError')), STOP_MS)
      await looking
      await Promise.all([...underWay.values()].map(one => one.done))
      clearTimeout(cut)
    },
  }
}

const deliver = async (deps: DeliveryWorkerDeps, row: DueRow, stop: AbortSignal): Promise<void> => {
  const { database, now, onSent } = deps
  const channel = await readChannel(database.db, row.channel_id)
  if (channel === null) return void (await dropDelivery(database, row, 'Le canal a été supprimé.', now()))
  if (channel.enabled === 0)
    return void (await dropDelivery(database, row, `Le canal « ${channel.name} » est désactivé.`, now()))
  const person = row.account_id === null ? null : await personOf(database.db, row.account_id)
  if (row.account_id !== null && person === null)
    return void (await dropDelivery(database, row, 'Ce compte a été supprimé.', now()))
  if (person !== null && !person.enabled)
    return void (await dropDelivery(database, row, `Le compte de ${person.name} est désactivé.`, now()))
  const tried = await tryOnce(deps, { row, channel, person, stop })
  if (!tried.ok && stop.aborted) return
  if (tried.ok) onSent?.()
  const whom = person?.name ?? (tried.recipient || channel.name)
  const settled = await settle(deps, () =>
    settleTry(database, { row, channel, tried, whom }, now(), deps.random ?? Math.random),
  )
  if (settled === null || settled.state === 'sent') return
  const fresh = await readChannel(database.db, channel.id)
  if (fresh !== null && isTrouble(fresh, settled, now())) await deps.onTrouble(fresh)
}

/** A channel that fails for so long, or a message given up. */
const TROUBLE_MS = 5 * 60_000
const isTrouble = (channel: ChannelRow, settled: Settled, nowMs: number): boolean =>
  channel.alerted === 0 &&
  channel.failing_since !== null &&
  (settled.state === 'failed' || nowMs - channel.failing_since >= TROUBLE_MS)

const tryOnce = async (
  { secrets, send }: DeliveryWorkerDeps,
  {
    row,
    channel,
    person,
    stop,
  }: { readonly row: DueRow; readonly channel: ChannelRow; readonly person: Person | null; readonly stop: AbortSignal },
): Promise<Tried> => {
  const opened = openChannelSecrets(secrets, channel)
  const failed = (error: string): Tried => ({
    ...{ ok: false, permanent: false, answer: '', recipient: '', durationMs: 0 },
    error,
  })
  if (opened === null) return failed('Les secrets du canal ne sont pas lisibles.')
  try {
    return await send(
      { kind: channelKindOf(channel.kind), settings: JSON.parse(channel.settings), secrets: opened },
      {
        ...{ key: row.delivery_key, message: messageOf(row), reason: row.reason, ruleName: row.rule_name },
        ...{ person, address: null, stop },
      },
    )
  } catch {
    // A sender answers with values; what is thrown is a fault of ours, and never holds back the others.
    return failed('Une erreur interne a empêché l’envoi.')
  }
}

/** What was sent must be written down, or it is sent again: tried until it is, or until the server stops. */
const settle = async (deps: DeliveryWorkerDeps, write: () => Promise<Settled>): Promise<Settled | null> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await write()
    } catch (err) {
      deps.log.error({ err }, 'what came of a delivery was not written')
      if (attempt === 30) return null
      await new Promise(resolve => setTimeout(resolve, SETTLE_AGAIN_MS))
    }
  }
}
