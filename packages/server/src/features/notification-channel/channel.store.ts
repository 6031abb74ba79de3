import {
  CHANNEL_SECRETS,
  type ChannelBody,
  fold,
  type NotificationChannel,
  notificationChannel,
} from '@narval/contracts'
import { insertIncidentEvents } from '../../monitoring/incident/incident-log.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Seal, SecretBox } from '../../secret-box.ts'
import type { Db } from '../../store/database.ts'
import { type ChannelRow, channelKindOf, channelPlace, openChannelSecrets } from '../../store/notification-channels.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import type { Merged } from './channel-settings.ts'

/** Deliveries that wait, by channel. */
export const waitingOf = async (db: Db, channelId?: number): Promise<ReadonlyMap<number, number>> => {
  const rows = await db
    .selectFrom('delivery')
    .select(eb => ['channel_id', eb.fn.countAll<number>().as('n')])
    .where('state', '=', 'waiting')
    .$if(channelId !== undefined, query => query.where('channel_id', '=', channelId ?? 0))
    .groupBy('channel_id')
    .execute()
  return new Map(rows.map(row => [row.channel_id, Number(row.n)]))
}

/** What is told of a channel: which secrets there are, never what they are. */
export const shownChannel = (
  box: SecretBox,
  row: ChannelRow,
  waiting: ReadonlyMap<number, number>,
): NotificationChannel => {
  const kind = channelKindOf(row.kind)
  const secrets = openChannelSecrets(box, row)
  return notificationChannel.parse({
    ...{ id: row.id, name: row.name, kind, enabled: row.enabled === 1, settings: JSON.parse(row.settings) },
    secrets: Object.fromEntries(CHANNEL_SECRETS[kind].map(name => [name, secrets !== null && name in secrets])),
    unreadable: secrets === null,
    last:
      row.last_at === null
        ? null
        : {
            at: toIso(row.last_at),
            outcome: row.last_outcome === 'sent' ? 'sent' : 'failed',
            ...{ answer: row.last_answer ?? '', durationMs: row.last_ms ?? 0 },
          },
    failingSince: toIsoOrNull(row.failing_since),
    waiting: waiting.get(row.id) ?? 0,
    ...{ createdAt: toIso(row.created_at), updatedAt: toIso(row.updated_at), updatedBy: row.updated_by },
  })
}

/** What waits to leave by a channel that is no more is dropped, and its incidents say so. */
export const dropWaiting = async (trx: Db, channel: ChannelRow, nowMs: number): Promise<void> => {
  const why = `Le canal « ${channel.name} » a été supprimé.`
  const waiting = trx.selectFrom('delivery').where('channel_id', '=', channel.id).where('state', '=', 'waiting')
  const told = await waiting
    .innerJoin('delivery_incident', 'delivery_incident.delivery_id', 'delivery.id')
    .select(['delivery.id', 'delivery_key', 'attempts', 'severity_rank', 'subject'])
    .select('delivery_incident.incident_id')
    .orderBy('delivery.id')
    .execute()
  await trx
    .updateTable('delivery')
    .set({ state: 'dropped', answer: why, ended_at: nowMs })
    .where('channel_id', '=', channel.id)
    .where('state', '=', 'waiting')
    .execute()
  await insertIncidentEvents(
    trx,
    told.map(one => ({
      key: `delivery ${one.delivery_key} ${one.incident_id} notification-failed ${one.attempts}`,
      ...{ incidentId: one.incident_id, atMs: nowMs, kind: 'notification-failed' },
      ...{
        severity: severityOf(one.severity_rank),
        text: `${one.subject}\u202f: ${why}`,
        detail: { delivery: one.id },
      },
    })),
  )
}

interface Write {
  readonly body: Pick<ChannelBody, 'name' | 'kind' | 'enabled'>
  readonly merged: Merged
  readonly login: string
  readonly nowMs: number
}
const columnsOf = ({ body, merged, login, nowMs }: Write) => ({
  ...({ name: body.name, name_folded: fold(body.name), enabled: body.enabled ? 1 : 0 } as const),
  ...{ settings: JSON.stringify(merged.settings), updated_at: nowMs, updated_by: login },
})
const sealedFor = (seal: Seal, id: number, { secrets }: Merged): string =>
  Object.keys(secrets).length === 0 ? '' : seal(JSON.stringify(secrets), channelPlace(id))

/** The row is there before its secrets: they are bound to its id. */
export const insertChannel = async (trx: Db, seal: Seal, write: Write): Promise<number> => {
  const { id } = await trx
    .insertInto('notification_channel')
    .values({
      ...columnsOf(write),
      ...{ kind: write.body.kind, secret: '', created_at: write.nowMs },
      ...{ last_at: null, last_outcome: null, last_answer: null, last_ms: null, failing_since: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const secret = sealedFor(seal, id, write.merged)
  if (secret !== '') await trx.updateTable('notification_channel').set({ secret }).where('id', '=', id).execute()
  return id
}

export const updateChannel = async (trx: Db, seal: Seal, id: number, write: Write): Promise<void> => {
  await trx
    .updateTable('notification_channel')
    .set({ ...columnsOf(write), secret: sealedFor(seal, id, write.merged) })
    .where('id', '=', id)
    .execute()
}
