import { fold, type NotificationMessage } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import type { Db } from './database.ts'

/** Something to be told to one person, or to the place of a channel. */
export interface NewDelivery {
  /** Unique and stable: what is decided again after a crash is queued once. At most 200 ASCII characters. */
  readonly key: string
  readonly incidentId: number | null
  readonly ruleId: number | null
  readonly ruleName: string
  readonly channelId: number
  /** Whose address is looked up when it is sent; null: the channel's own target. */
  readonly accountId: number | null
  readonly message: NotificationMessage
  /** French: why this person. */
  readonly reason: string
  /** Not sent before; what is queued later of the same incident for the same person waits for it. */
  readonly dueMs: number
}

/** Queues deliveries in the transaction of what they tell; those whose key is known are left as they are. */
export const enqueueDeliveries = async (trx: Db, deliveries: readonly NewDelivery[], nowMs: number): Promise<void> => {
  for (const delivery of deliveries) {
    const row = await trx
      .insertInto('delivery')
      .values(rowOf(delivery, nowMs))
      .onConflict(conflict => conflict.column('delivery_key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) continue
    const incidents = incidentsOf(delivery)
    if (incidents.length === 0) continue
    // Those that are gone meanwhile are told all the same, without their place.
    await trx
      .insertInto('delivery_incident')
      .columns(['delivery_id', 'incident_id'])
      .expression(eb =>
        eb
          .selectFrom('incident')
          .select(one => [one.val(row.id).as('delivery_id'), 'incident.id as incident_id'])
          .where('incident.id', 'in', incidents),
      )
      .execute()
  }
}

const incidentsOf = ({ incidentId, message }: NewDelivery): number[] => [
  ...new Set([...(incidentId === null ? [] : [incidentId]), ...message.incidents.map(incident => incident.id)]),
]

const rowOf = (delivery: NewDelivery, nowMs: number) => ({
  delivery_key: delivery.key,
  incident_id: delivery.incidentId,
  rule_id: delivery.ruleId,
  rule_name: delivery.ruleName,
  channel_id: delivery.channelId,
  account_id: delivery.accountId,
  kind: delivery.message.kind,
  severity_rank: severityRank(delivery.message.severity),
  subject: delivery.message.subject,
  subject_folded: fold(delivery.message.subject),
  message: JSON.stringify(delivery.message),
  reason: delivery.reason,
  state: 'waiting',
  created_at: nowMs,
  due_at: delivery.dueMs,
  first_at: null,
  tried_at: null,
  next_at: delivery.dueMs,
  ended_at: null,
  duration_ms: null,
})
