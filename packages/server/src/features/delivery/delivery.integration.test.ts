import type { NotificationMessage } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { enqueueDeliveries, type NewDelivery } from '../../store/deliveries.ts'
import { openReceiver, type Receiver } from '../../testing/receiver.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

const HOUR = 3_600_000
let test: TestApp
let admin: Caller
let receiver: Receiver
let nowMs = Date.parse('2026-07-14T03:00:00Z')

const open = async (dialect: (typeof DIALECTS)[number], tells = true): Promise<void> => {
  nowMs = Date.parse('2026-07-14T03:00:00Z')
  const delivering = { pollMs: 3_600_000, random: () => 0.5 }
  test = await createTestApp({ dialect, tells, now: () => nowMs, delivering })
  admin = await test.admin()
  receiver = await openReceiver()
}
afterEach(async () => {
  await receiver.close()
  await test.close()
})

const channel = async (name = 'Appel', url = receiver.url): Promise<{ id: number; updatedAt: string }> =>
  admin.make('/api/NotificationChannel/Create', {
    ...{ kind: 'webhook', name, settings: { url, body: '{"key": "{{key}}", "kind": "{{kind}}"}' } },
  })
const incident = async (n: number): Promise<number> => {
  const { id } = await test.database.db
    .insertInto('incident')
    .values({
      ...{ event_key: `essai ${n}`, metric_id: null, host_id: null, site_id: null, probe_id: null },
      ...{ severity_rank: 0, information: '', opened_at: nowMs, closed_at: null, acknowledged_by: null },
      ...{ acknowledged_at: null, acknowledged_comment: null, acknowledged_until: null, owner: null },
      ...{ parent_id: null, merged_at: null, merged_by: null, kind: 'probe' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const message = (kind: NotificationMessage['kind'], incidents: readonly number[]): NotificationMessage => ({
  ...{ kind, subject: `Objet ${kind}`, severity: 'error', at: new Date(nowMs).toISOString(), link: '/', text: [] },
  incidents: incidents.map(id => ({
    ...{ id, title: 'srv', severity: 'error', since: new Date(nowMs).toISOString(), until: null, information: '' },
    ...{ siteName: null, hostName: null, instruction: '', metricId: null, link: '/', chain: [] },
  })),
})
const queue = (
  key: string,
  channelId: number,
  incidents: readonly number[],
  more: Partial<NewDelivery> & { kind?: NotificationMessage['kind'] } = {},
): Promise<void> =>
  test.database.db.transaction().execute(trx => {
    const { kind = 'problem', ...rest } = more
    const base = { key, incidentId: incidents[0] ?? null, ruleId: null, ruleName: 'Astreinte', channelId }
    const told = { accountId: null, message: message(kind, incidents), reason: 'Règle « Astreinte ».', dueMs: nowMs }
    return enqueueDeliveries(trx, [{ ...base, ...told, ...rest }], nowMs)
  })
const keys = (from = receiver): string[] => from.received.map(one => String(one.headers['x-narval-key']))
const states = async (): Promise<[string, string, number][]> => {
  const rows = await test.database.db.selectFrom('delivery').selectAll().orderBy('id').execute()
  return rows.map(row => [row.delivery_key, row.state, row.attempts])
}
/** Lets this much time pass, and what becomes due in it be tried. */
const pass = async (ms: number, stepMs = ms): Promise<void> => {
  for (let left = ms; left > 0; left -= stepMs) {
    nowMs += Math.min(stepMs, left)
    await test.app.deliveries.drain()
  }
}

describe.each(DIALECTS)('deliveries on %s', dialect => {
  it('are queued once a key, sent once, and told on each incident with to whom, by what and why', async () => {
    await open(dialect)
    const { id } = await channel()
    const incidents = [await incident(1), await incident(2)]
    await queue('cle-1', id, incidents)
    await queue('cle-1', id, incidents)
    await test.app.deliveries.drain()
    await pass(HOUR)
    expect([keys(), await states()]).toEqual([['cle-1'], [['cle-1', 'sent', 1]]])
    admin = await test.admin()
    for (const one of incidents) {
      const { body } = await admin.call('GET', `/api/Delivery/Incident/${one}`)
      expect(body).toMatchObject([{ state: 'sent', reason: 'Règle « Astreinte ».', channelName: 'Appel', attempts: 1 }])
      const lines = await test.database.db
        .selectFrom('incident_event')
        .selectAll()
        .where('incident_id', '=', one)
        .execute()
      expect(lines.map(line => [line.kind, line.text.includes('« Appel »')])).toEqual([['notified', true]])
    }
    const { body } = await admin.call('PUT', '/api/DeliveryDatatable', {
      filters: { incident: incidents[1], state: 'sent' },
    })
    expect([body.recordsFiltered, body.data[0].subject]).toEqual([1, 'Objet problem'])
  })

  it('started to tell nobody, a server leaves all that waits and calls nobody; the services say it', async () => {
    await open(dialect, false)
    const { id } = await channel()
    await admin.call('PUT', '/api/Parameter/Configuration', { beatUrl: receiver.url })
    await queue('cle-1', id, [await incident(1)])
    await pass(HOUR)
    await test.app.services.beat.tick()
    expect([receiver.received.length, await states()]).toEqual([0, [['cle-1', 'waiting', 0]]])
    test.app.services.registry.look()
    const told = test.app.services.registry.all().filter(one => one.status.reason.includes('NARVAL_NOTIFICATIONS=off'))
    expect(told.map(one => [one.name, one.status.state])).toEqual([
      ['Notifications', 'off'],
      ['Envois', 'off'],
      ['Battement sortant', 'error'],
    ])
  })

  it('R18: a receiver away for two hours gets all of it on its return, in order for each incident, none twice', async () => {
    await open(dialect)
    const { id } = await channel()
    receiver.answerWith(response => response.writeHead(503).end())
    const [a, b] = [await incident(1), await incident(2)]
    await queue('a-problem', id, [a])
    await queue('b-problem', id, [b])
    await pass(HOUR, 60_000)
    await queue('a-recovery', id, [a], { kind: 'recovery' })
    await queue('b-recovery', id, [a, b], { kind: 'recovery' })
    await pass(HOUR, 60_000)
    const tried = keys()
    expect([...new Set(tried)].toSorted()).toEqual(['a-problem', 'b-problem'])
    // 5 s, 10 s, 20 s … then one every 10 min: no storm on who is down.
    expect(tried.filter(key => key === 'a-problem').length).toBeLessThan(20)
    receiver.received.length = 0
    receiver.answerWith(response => response.end())
    await pass(HOUR, 60_000)
    const got = keys()
    expect(got.toSorted()).toEqual(['a-problem', 'a-recovery', 'b-problem', 'b-recovery'])
    expect(got.indexOf('a-problem')).toBeLessThan(got.indexOf('a-recovery'))
    expect(got.indexOf('b-problem')).toBeLessThan(got.indexOf('b-recovery'))
    expect(got.indexOf('a-recovery')).toBeLessThan(got.indexOf('b-recovery'))
    expect((await states()).map(([, state]) => state)).toEqual(['sent', 'sent', 'sent', 'sent'])
  })

  it('of one channel that is dead hold back no other channel, and are given up after a day, said on the incident and to administrators once', async () => {
    await open(dialect)
    const dead = await channel('Morte', 'http://127.0.0.1:1/')
    const alive = await channel('Vive')
    const a = await incident(1)
    for (const n of [1, 2, 3, 4, 5, 6]) await queue(`morte-${n}`, dead.id, [a])
    await queue('vive', alive.id, [a])
    await test.app.deliveries.drain()
    expect(keys()).toEqual(['vive'])
    await pass(25 * HOUR, 30 * 60_000)
    expect((await states())[0]).toEqual(['morte-1', 'failed', expect.any(Number)])
    const lines = await test.database.db.selectFrom('incident_event').select(['kind', 'text']).orderBy('id').execute()
    expect(lines.map(line => line.kind)).toEqual(['notified', 'notification-failed'])
    expect(lines[1]?.text).toContain('la connexion est refusée')
    const alerts = await test.database.db.selectFrom('outbox').selectAll().execute()
    expect(alerts.map(alert => alert.title)).toEqual(['Le canal « Morte » n’envoie plus rien'])
    admin = await test.admin()
    const { body } = await admin.call('GET', `/api/NotificationChannel/Get/${dead.id}`)
    expect(body).toMatchObject({ last: { outcome: 'failed' }, failingSince: expect.any(String), waiting: 5 })
  })

  it('are not stalled by a clock that is set back', async () => {
    await open(dialect)
    const { id } = await channel()
    receiver.answerWith(response => response.writeHead(503).end())
    await queue('cle', id, [await incident(1)])
    await pass(HOUR, 60_000)
    receiver.answerWith(response => response.end())
    nowMs -= 48 * HOUR
    await test.app.deliveries.drain()
    expect((await states())[0]?.[1]).toBe('sent')
  })

  it('go with their channel or their person, with why', async () => {
    await open(dialect)
    const gone = await channel('Partie')
    const off = await channel('Éteinte')
    const a = await incident(1)
    const due = { dueMs: nowMs + 60_000 }
    await queue('sans-canal', gone.id, [a], due)
    await queue('canal-eteint', off.id, [a], due)
    const here = await channel('Vive')
    const { userId } = await account('marie')
    await queue('sans-compte', here.id, [a], { ...due, accountId: userId })
    await admin.call('DELETE', `/api/NotificationChannel/Delete/${gone.id}`)
    const settings = { url: receiver.url }
    await admin.call('PUT', `/api/NotificationChannel/Update/${off.id}`, {
      ...{ kind: 'webhook', name: 'Éteinte', enabled: false, settings, updatedAt: off.updatedAt },
    })
    await admin.call('DELETE', `/api/Account/Delete/${userId}`)
    await pass(120_000)
    const { body } = await admin.call('GET', `/api/Delivery/Incident/${a}`)
    expect(body.map((one: { state: string; answer: string }) => [one.state, one.answer])).toEqual([
      ['dropped', 'Ce compte a été supprimé.'],
      ['dropped', 'Le canal « Éteinte » est désactivé.'],
      ['dropped', 'Le canal « Partie » a été supprimé.'],
    ])
    expect(receiver.received).toEqual([])
  })

  it('wait until they are due, can be sent at once or cancelled, and are forgotten after 90 days', async () => {
    await open(dialect)
    const { id } = await channel()
    const a = await incident(1)
    await queue('plus-tard', id, [a], { dueMs: nowMs + HOUR })
    await queue('jamais', id, [a], { dueMs: nowMs + HOUR })
    await pass(60_000)
    const list = (await admin.call('GET', '/api/DeliveryDatatable')).body.data
    expect([list.length, receiver.received]).toEqual([2, []])
    expect((await admin.call('POST', `/api/Delivery/Cancel/${list[0].id}`)).body.state).toBe('cancelled')
    expect((await admin.call('POST', `/api/Delivery/Cancel/${list[0].id}`)).status).toBe(409)
    await admin.call('POST', `/api/Delivery/Retry/${list[1].id}`)
    await test.app.deliveries.drain()
    expect(keys()).toEqual(['plus-tard'])
    const other = await test.user(['incident_write'])
    expect((await other.call('POST', `/api/Delivery/Retry/${list[0].id}`)).status).toBe(403)
    nowMs += 91 * 24 * HOUR
    await test.app.purge()
    expect(await states()).toEqual([])
  })
})

const account = async (login: string): Promise<{ userId: number }> => {
  const made = await admin.make('/api/Account/Create', { login, phone: '+33612345678' })
  return { userId: made.idUser }
}
