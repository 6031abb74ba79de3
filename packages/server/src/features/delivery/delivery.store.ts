import {
  CHANNEL_KINDS,
  DELIVERY_STATES,
  type Delivery,
  NOTIFICATION_MESSAGE_KINDS,
  type NotificationMessage,
  notificationMessage,
} from '@narval/contracts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Db } from '../../store/database.ts'
import { idFilter, type ListSpec, wordFilter } from '../../store/datatable.ts'
import type { DeliveryTable } from '../../store/tables/notification.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'

/** A delivery with the names that are shown of it. */
export interface DeliveryRow extends Selectable<DeliveryTable> {
  readonly channel_name: string | null
  readonly channel_kind: string | null
  readonly account_name: string | null
}

const NAME = sql<string>`case when trim(account.first_name || ' ' || account.last_name) <> ''
  then trim(account.first_name || ' ' || account.last_name) else account.login end`
const RECIPIENT = sql<string>`coalesce(${NAME}, delivery.recipient)`

/** Deliveries as they are listed; the newest first. */
export const deliveryList: ListSpec = {
  select: sql`delivery.*, channel.name as channel_name, channel.kind as channel_kind, ${NAME} as account_name`,
  from: sql`delivery left join notification_channel channel on channel.id = delivery.channel_id
    left join account on account.id = delivery.account_id`,
  visible: sql<boolean>`1 = 1`,
  columns: {
    createdAt: { sort: sql`delivery.created_at` },
    subject: { sort: sql`delivery.subject_folded`, search: sql`delivery.subject_folded` },
    recipient: { sort: sql`lower(${RECIPIENT})`, search: sql`lower(${RECIPIENT})` },
    channelName: { sort: sql`channel.name_folded`, search: sql`channel.name_folded` },
    ruleName: { sort: sql`lower(delivery.rule_name)`, search: sql`lower(delivery.rule_name)` },
    severity: { sort: sql`delivery.severity_rank` },
    kind: { sort: sql`delivery.kind` },
    state: { sort: sql`delivery.state` },
    attempts: { sort: sql`delivery.attempts` },
    endedAt: { sort: sql`delivery.ended_at` },
  },
  filters: {
    state: wordFilter(sql`delivery.state`, new Map(DELIVERY_STATES.map(state => [state, state]))),
    kind: wordFilter(sql`delivery.kind`, new Map(NOTIFICATION_MESSAGE_KINDS.map(kind => [kind, kind]))),
    channel: idFilter(sql`delivery.channel_id`),
    account: idFilter(sql`delivery.account_id`),
    incident: value => {
      const told: RawBuilder<boolean> = idFilter(sql`told.incident_id`)(value)
      return sql<boolean>`delivery.id in (select told.delivery_id from delivery_incident told where ${told})`
    },
  },
  order: sql`delivery.id desc`,
  tie: sql`delivery.id`,
}

const SHOWN_OF_INCIDENT = 500

/** What was told of an incident, the newest first. */
export const deliveriesOfIncident = async (db: Db, incidentId: number): Promise<DeliveryRow[]> => {
  const told = sql`select told.delivery_id from delivery_incident told where told.incident_id = ${incidentId}`
  const rows = await sql<DeliveryRow>`select ${deliveryList.select} from ${deliveryList.from}
    where delivery.id in (${told}) order by delivery.id desc limit ${SHOWN_OF_INCIDENT}`.execute(db)
  return rows.rows
}

export const readDelivery = async (db: Db, id: number): Promise<DeliveryRow | null> => {
  const rows =
    await sql<DeliveryRow>`select ${deliveryList.select} from ${deliveryList.from} where delivery.id = ${id}`.execute(
      db,
    )
  return rows.rows[0] ?? null
}

export const shownDelivery = (row: DeliveryRow): Delivery => ({
  ...{
    id: row.id,
    incidentId: row.incident_id,
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    channelId: row.channel_id,
  },
  channelName: row.channel_name ?? '',
  channelKind: CHANNEL_KINDS.find(kind => kind === row.channel_kind) ?? null,
  accountId: row.account_id,
  recipient: row.account_name ?? row.recipient,
  kind: NOTIFICATION_MESSAGE_KINDS.find(kind => kind === row.kind) ?? 'news',
  severity: severityOf(row.severity_rank),
  ...{ subject: row.subject, reason: row.reason },
  state: DELIVERY_STATES.find(state => state === row.state) ?? 'failed',
  attempts: row.attempts,
  createdAt: toIso(row.created_at),
  nextAt: row.state === 'waiting' ? toIso(row.next_at) : null,
  endedAt: toIsoOrNull(row.ended_at),
  answer: row.answer,
  durationMs: row.duration_ms,
})

export const messageOf = (row: Pick<DeliveryRow, 'message'>): NotificationMessage =>
  notificationMessage.parse(JSON.parse(row.message))

export type DueRow = Selectable<DeliveryTable>

/** A moment has come, or the clock was set back since it was written: then it says nothing any more. */
const isDue = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`((d.next_at <= ${nowMs}) or (coalesce(d.tried_at, d.created_at) > ${nowMs}))`

/** Channels by which something is to leave now. */
export const dueChannels = async (db: Db, nowMs: number): Promise<number[]> => {
  const rows = await sql<{ id: number }>`select distinct d.channel_id as id from delivery d
    where d.state = 'waiting' and ${isDue(nowMs)}`.execute(db)
  return rows.rows.map(row => row.id)
}

/**
 * What may leave by a channel now, the oldest first. What was queued before for the same person and shares an incident
 * goes first: a recovery never overtakes its problem.
 */
export const takeDue = async (
  db: Db,
  channelId: number,
  taking: { readonly nowMs: number; readonly limit: number; readonly underWay: readonly number[] },
): Promise<DueRow[]> => {
  const apart = taking.underWay.length === 0 ? sql`1 = 1` : sql`d.id not in (${sql.join(taking.underWay)})`
  const rows = await sql<DueRow>`select d.* from delivery d
    where d.state = 'waiting' and d.channel_id = ${channelId} and ${isDue(taking.nowMs)} and ${apart}
      and not exists (select 1 from delivery e where e.state = 'waiting' and e.channel_id = d.channel_id and e.id < d.id
        and coalesce(e.account_id, 0) = coalesce(d.account_id, 0)
        and exists (select 1 from delivery_incident a join delivery_incident b on b.incident_id = a.incident_id
          where a.delivery_id = e.id and b.delivery_id = d.id))
    order by d.id limit ${taking.limit}`.execute(db)
  return rows.rows
}

export const incidentsOfDelivery = async (db: Db, id: number): Promise<number[]> => {
  const rows = await db.selectFrom('delivery_incident').select('incident_id').where('delivery_id', '=', id).execute()
  return rows.map(row => row.incident_id)
}

/** Deletes what has been over for so long. */
export const purgeDeliveries = async (db: Db, beforeMs: number): Promise<void> => {
  await db.deleteFrom('delivery').where('state', '!=', 'waiting').where('ended_at', '<', beforeMs).execute()
}
