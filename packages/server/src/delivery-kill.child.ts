import { CHANNEL_SETTINGS, type NotificationMessage } from '@narval/contracts'
import { pino } from 'pino'
import { createDeliveryWorker, type SendBy } from './features/delivery/delivery-worker.ts'
import { sendWebhook } from './features/notification-channel/senders/webhook.ts'
import { insertIncidentEvent } from './monitoring/incident/incident-log.ts'
import { openSqlite } from './store/database.ts'
import { enqueueDeliveries } from './store/deliveries.ts'

/**
 * What R17 kills: incidents that open with what is to be told of them in one transaction, and the worker that tells it
 * by a webhook. Arguments: the database, the number of this life, where it ends (`commit`, `sent`, `time`, `none`).
 */
const [path = '', life = '0', end = 'none'] = process.argv.slice(2)
const database = await openSqlite(path)
const { db } = database
const mine = `vie-${life}-`
let isArmed = false
const die = (): void => void process.kill(process.pid, 'SIGKILL')

const send: SendBy = async ({ settings, secrets }, { key, message, reason, ruleName, person, address, stop }) => ({
  ...(await sendWebhook({
    ...{ settings: CHANNEL_SETTINGS.webhook.parse(settings), secrets, person, address, message, stop },
    ...{ product: 'Narval', nowMs: Date.now(), picture: async () => null },
    around: { key, reason, ruleName, recipient: person, base: null },
  })),
  durationMs: 0,
})
const worker = createDeliveryWorker({
  ...{ database, now: Date.now, secrets: { open: () => null }, send, onTrouble: async () => {}, pollMs: 3 },
  log: pino({ level: 'silent' }),
  onSent: () => {
    if (isArmed && end === 'sent') die()
  },
})

/** What earlier lives left is told first: each life ends what it began itself. */
await worker.drain()
if (end === 'none') {
  process.stdout.write('over')
  process.exit(0)
}
isArmed = true
worker.start()
if (end === 'time') setTimeout(die, Math.random() * 25)
for (let n = 0; n < 40; n += 1) {
  const key = `${mine}${n}`
  const at = new Date().toISOString()
  const message: NotificationMessage = {
    ...{ kind: 'problem', subject: key, severity: 'error', at, link: '/', text: [], incidents: [] },
  }
  await db.transaction().execute(async trx => {
    const { id } = await trx
      .insertInto('incident')
      .values({
        ...{ event_key: key, metric_id: null, host_id: null, site_id: null, severity_rank: 0, information: '' },
        ...{ opened_at: Date.now(), closed_at: null, acknowledged_by: null, acknowledged_at: null },
        ...{ acknowledged_comment: null, acknowledged_until: null, owner: null, parent_id: null, merged_at: null },
        ...{ merged_by: null, probe_id: null, kind: 'probe' },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await insertIncidentEvent(trx, { key: `${key} opened`, incidentId: id, atMs: Date.now(), kind: 'opened' })
    const told = { ruleId: null, ruleName: '', channelId: 1, accountId: null, message, reason: '', dueMs: Date.now() }
    await enqueueDeliveries(trx, [{ key, incidentId: id, ...told }], Date.now())
  })
  if (end === 'commit' && n === Number(life) % 5) die()
  await new Promise(resolve => setTimeout(resolve, 1))
}
// Nothing ended it: the receiver was too slow for this life.
await worker.drain()
die()
