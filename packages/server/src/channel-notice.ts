import { type AlertMessage, accountStream, fold, HUBS } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import type { Hubs } from './hub/hubs.ts'
import type { Database } from './store/database.ts'
import type { ChannelRow } from './store/notification-channels.ts'
import { notificationManagers } from './store/person.ts'

interface NoticeDeps {
  readonly database: Database
  readonly hubs: Pick<Hubs, 'publish'>
  readonly now: () => number
}

/** Tells those who manage notifications that a channel carries nothing, once until it works again. */
export const warnOfChannel = async ({ database, hubs, now }: NoticeDeps, channel: ChannelRow): Promise<void> => {
  const alert = {
    type: 'Error',
    title: `Le canal « ${channel.name} » n’envoie plus rien`,
    link: '/system/notification',
    message: (channel.last_answer ?? '').slice(0, 300),
  } as const
  const rows = await database.db.transaction().execute(async trx => {
    const marked = await trx
      .updateTable('notification_channel')
      .set({ alerted: 1 })
      .where('id', '=', channel.id)
      .where('alerted', '=', 0)
      .executeTakeFirst()
    if (Number(marked.numUpdatedRows) === 0) return []
    const accounts = await notificationManagers(trx)
    if (accounts.length === 0) return []
    const told = { ...alert, text_folded: fold(`${alert.title} ${alert.message}`) }
    const common = { at: now(), severity_rank: severityRank('error'), ...told, incident_id: null }
    const key = `channel-${channel.id}-${channel.failing_since}`
    return trx
      .insertInto('outbox')
      .values(accounts.map(account_id => ({ ...common, event_key: `${key}-${account_id}`, account_id })))
      .onConflict(conflict => conflict.column('event_key').doNothing())
      .returning(['id', 'account_id'])
      .execute()
  })
  for (const row of rows) {
    if (row.account_id === null) continue
    const message: AlertMessage = { ...alert, id: row.id }
    hubs.publish(HUBS.communication.path, accountStream(row.account_id), HUBS.communication.event, [message])
  }
}
