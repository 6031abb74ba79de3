import { CHANNEL_KINDS, type ChannelKind } from '@narval/contracts'
import type { Selectable } from 'kysely'
import type { SecretBox } from '../secret-box.ts'
import type { Db } from './database.ts'
import type { NotificationChannelTable } from './tables/notification.ts'

export type ChannelRow = Selectable<NotificationChannelTable>

/** The place to which the secrets of a channel are bound. */
export const channelPlace = (id: number): string => `notification-channel:${id}`

export const readChannels = (db: Db): Promise<ChannelRow[]> =>
  db.selectFrom('notification_channel').selectAll().orderBy('name_folded').execute()

export const readChannel = async (db: Db, id: number): Promise<ChannelRow | null> =>
  (await db.selectFrom('notification_channel').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/** The secrets of a channel by name; null when no known key opens them, or when they were put there by a copy. */
export const openChannelSecrets = (
  box: Pick<SecretBox, 'open'>,
  row: Pick<ChannelRow, 'id' | 'secret'>,
): Readonly<Record<string, string>> | null => {
  if (row.secret === '') return {}
  const text = box.open(row.secret, channelPlace(row.id))
  return text === null ? null : JSON.parse(text)
}

export const channelKindOf = (text: string): ChannelKind => {
  const kind = CHANNEL_KINDS.find(one => one === text)
  if (kind === undefined) throw new Error(`unknown kind of channel: ${text}`)
  return kind
}

export interface ChannelOutcome {
  readonly atMs: number
  readonly ok: boolean
  readonly answer: string
  readonly durationMs: number
}

/** What a channel did last; `failing_since` holds from its first failure to its next success. */
export const saveOutcome = async (db: Db, id: number, outcome: ChannelOutcome): Promise<void> => {
  await db
    .updateTable('notification_channel')
    .set(eb => ({
      last_at: outcome.atMs,
      last_outcome: outcome.ok ? 'sent' : 'failed',
      last_answer: outcome.answer.slice(0, 1_000),
      last_ms: outcome.durationMs,
      failing_since: outcome.ok ? null : eb.fn.coalesce('failing_since', eb.val(outcome.atMs)),
      ...(outcome.ok ? { alerted: 0 as const } : {}),
    }))
    .where('id', '=', id)
    .execute()
}
