import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckResult, ProbeOrder } from '@narval/contracts'
import { QUESTIONS_A_MINUTE, STORM_SAMPLE } from '@narval/engine'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

const FAILURE = { code: 'timeout', message: 'Pas de réponse après 2 s.' } as const
type Order = Extract<ProbeOrder, { kind: 'test' }>

describe.each(DIALECTS)('a second opinion, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let alpha: TestProbe
  let bravo: TestProbe
  let charlie: TestProbe
  let site: number
  const hosts: number[] = []
  const life = new Map<number, number>()

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    const now = () => nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    const sites: number[] = []
    for (const name of ['Lyon', 'Paris'])
      sites.push((await admin.call('POST', '/api/Site/Create', { name, code: name.slice(0, 3) })).body.id)
    site = sites[0] ?? 0
    ;[alpha, bravo, charlie] = [
      await enrolTestProbe(test, now),
      await enrolTestProbe(test, now),
      await enrolTestProbe(test, now),
    ]
    for (const [probe, name, siteId] of [
      [alpha, 'Alpha', site],
      [bravo, 'Bravo', site],
      [charlie, 'Charlie', sites[1] ?? 0],
    ] as const) {
      await test.database.db.updateTable('probe').set({ local: 0 }).where('id', '=', probe.id).execute()
      const { updatedAt } = (await admin.call('GET', `/api/Probe/Get/${probe.id}`)).body
      await admin.call('PUT', `/api/Probe/Update/${probe.id}`, { name, siteId, updatedAt })
    }
    hosts.length = 0
    life.clear()
    await addHosts(1)
    await speak()
    await run(hosts)
  })
  afterEach(() => test.close())

  const addHosts = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const name = `srv-${hosts.length + 1}`
      const host = await admin.call('POST', '/api/Host/Create', {
        ...{ name, address: '192.0.2.1', siteId: site, probeId: alpha.id },
      })
      hosts.push(host.body.id)
      life.set(host.body.id, (await admin.call('GET', `/api/Scanner/Get?host=${host.body.id}`)).body[0].id)
    }
  }
  const { monitoring } = { monitoring: () => test.app.monitoring }
  /** All three are heard of. */
  const speak = async () => {
    for (const probe of [alpha, bravo, charlie]) await probe.orders()
  }
  /** One round of life tests of these hosts by Alpha, 20 s after the one before. */
  const run = async (
    ids: readonly number[],
    more: Partial<CheckResult> = { values: { rtt_avg: 1, loss_ratio: 0 } },
  ) => {
    nowMs += 20_000
    expect(await alpha.post(ids.map(id => ({ scanner: life.get(id) ?? 0, ...more })))).toBe(204)
    await monitoring().evaluation.idle()
  }
  const fail = (ids: readonly number[] = hosts) => run(ids, { failure: FAILURE })
  /** Questions that a probe finds in its orders; waits for one at most this long. */
  const questions = async (probe: TestProbe, waitMs = 2_000): Promise<Order[]> => {
    for (const endMs = performance.now() + waitMs; ; await pause(10)) {
      const { orders } = await probe.orders()
      const found = orders.flatMap(order => (order.kind === 'test' ? [order] : []))
      if (found.length > 0 || performance.now() > endMs) return found
    }
  }
  const answered = new Set<string>()
  /** The probe answers what it is asked, until nothing is asked any more; how many questions there were. */
  const answer = async (probe: TestProbe, failure: CheckResult['failure']): Promise<number> => {
    let count = 0
    for (;;) {
      const orders = (await questions(probe, 400)).filter(({ id }) => !answered.has(id))
      if (orders.length === 0) return count
      nowMs += 1_000
      for (const { id } of orders) {
        answered.add(id)
        count += 1
        const outcome = { kind: 'test', at: nowMs, durationMs: 5, failure, values: {}, details: [] }
        expect((await probe.call('POST', '/api/Probe/Answer', { order: id, outcome })).status).toBe(204)
      }
      await pause(20)
    }
  }
  const stateOf = (id = hosts[0] ?? 0) => monitoring().model.hosts.get(id)?.state
  const told = async () =>
    (await admin.call('GET', '/api/Notification/Get?after=0')).body.notifications.map(
      ({ title }: { title: string }) => title,
    )
  const incidents = async (kind = 'metric') =>
    (await admin.call('GET', '/api/Incident/Get')).body.filter((one: { kind: string }) => one.kind === kind)

  it('that the host answers another probe keeps it from being down: its link is told, once, and no incident opens', async () => {
    await fail()
    expect(await answer(bravo, null)).toBe(1)
    await fail()
    await fail()
    await monitoring().pass()
    await monitoring().pass()
    expect([stateOf(), await incidents()]).toEqual(['unknown', []])
    const metrics = (await admin.call('GET', `/api/Metric/Get?host=${hosts[0]}`)).body
    expect(metrics.map(({ cause }: { cause: string }) => cause)).toEqual(metrics.map(() => 'probe-link'))
    const information = metrics.find(({ key }: { key: string }) => key === 'availability').information
    expect(information).toBe('Liaison de la sonde en cause\u202f: l’équipement répond à la sonde Bravo')
    await run(hosts)
    await monitoring().pass()
    expect(stateOf()).toBe('available')
    expect(await told()).toEqual(['Liaison de la sonde Alpha en cause', 'Liaison de la sonde Alpha rétablie'])
    expect(await incidents('link')).toMatchObject([{ probeName: 'Alpha', closedAt: expect.any(String), hostId: null }])
    // What it left unknown is known after its end.
    const [{ id }] = await incidents('link')
    const { effects, effectHosts } = (await admin.call('GET', `/api/Incident/Detail/${id}`)).body
    expect([effectHosts, effects]).toEqual([
      1,
      [{ hostId: hosts[0], hostName: expect.any(String), since: expect.any(String), until: expect.any(String) }],
    ])
  })

  it('that it fails there too makes it down at the third failure, and the incident says who confirmed it', async () => {
    await fail()
    expect(await answer(bravo, { code: 'timeout', message: 'Rien.' })).toBe(1)
    await fail()
    expect(stateOf()).toBe('available')
    await fail()
    const [incident] = await incidents()
    expect([stateOf(), incident.information]).toEqual([
      'down',
      'Lyon · Pas de réponse après 2 s. · confirmé par la sonde Bravo',
    ])
    expect(incident.opinion).toMatchObject({ probeName: 'Bravo', verdict: 'fails', message: 'Rien.' })
    const opinions = (await admin.call('GET', `/api/Host/Get/Opinion?id=${hosts[0]}`)).body
    expect(opinions).toEqual([incident.opinion])
    await fail()
    expect(await questions(bravo, 100)).toHaveLength(0)
  })

  it('is asked of nobody who stands elsewhere, and without another probe all is as it was', async () => {
    const { updatedAt } = (await admin.call('GET', `/api/Probe/Get/${bravo.id}`)).body
    await admin.call('PUT', `/api/Probe/Update/${bravo.id}`, { name: 'Bravo', siteId: null, updatedAt })
    await fail()
    expect([await questions(charlie, 300), await questions(bravo, 100)]).toEqual([[], []])
    await fail()
    await fail()
    const [incident] = await incidents()
    expect([stateOf(), incident.information, incident.opinion]).toEqual([
      'down',
      'Lyon · Pas de réponse après 2 s.',
      null,
    ])
  })

  it('that does not come delays nothing: the third failure makes the host down', async () => {
    await fail()
    expect(await questions(bravo)).toHaveLength(1)
    await fail()
    await fail()
    expect([stateOf(), (await incidents()).length]).toEqual(['down', 1])
  })

  it('that comes after the host is down is said by the incident, and closes nothing', async () => {
    await fail()
    const [order] = await questions(bravo)
    await fail()
    await fail()
    const failure = { code: 'timeout', message: 'Rien.' } as const
    const outcome = { kind: 'test', at: nowMs, durationMs: 5, failure, values: {}, details: [] }
    await bravo.call('POST', '/api/Probe/Answer', { order: order?.id, outcome })
    await monitoring().secondOpinions.idle()
    const [incident] = await incidents()
    expect([stateOf(), incident.information, incident.opinion?.verdict]).toEqual([
      'down',
      'Lyon · Pas de réponse après 2 s. · confirmé par la sonde Bravo',
      'fails',
    ])
  })

  it('of a probe that could not look is no opinion: the next one is asked', async () => {
    const group = { name: 'Lyon', memberIds: [alpha.id, charlie.id] }
    expect((await admin.call('POST', '/api/ProbeGroup/Create', group)).status).toBe(201)
    await fail()
    expect(await answer(charlie, { code: 'denied', message: 'Adresse refusée.' })).toBe(1)
    expect(await answer(bravo, null)).toBe(1)
    await fail()
    await fail()
    expect(stateOf()).toBe('unknown')
  })

  it('R34: when all the hosts of a probe fail at once a few are asked about, none is down, and one alert is given', async () => {
    await addHosts(39)
    await run(hosts)
    await fail()
    const asked = await answer(bravo, null)
    expect(asked).toBeGreaterThanOrEqual(STORM_SAMPLE)
    expect(asked).toBeLessThanOrEqual(QUESTIONS_A_MINUTE)
    await fail()
    await fail()
    await monitoring().pass()
    expect(new Set(hosts.map(stateOf))).toEqual(new Set(['unknown']))
    expect([await told(), await incidents()]).toEqual([['Liaison de la sonde Alpha en cause'], []])
    const followed = [...monitoring().model.hosts.values()].filter(host =>
      host.life?.information.includes('d’autres équipements'),
    )
    expect(followed).toHaveLength(40 - asked)
  })

  it('while the link is blamed hosts are asked about again: the one that dies meanwhile is down in the end', async () => {
    await fail()
    await answer(bravo, null)
    await fail()
    await fail()
    expect(stateOf()).toBe('unknown')
    nowMs += 60_000
    await speak()
    await fail()
    expect(await answer(bravo, { code: 'timeout', message: 'Rien.' })).toBe(1)
    for (let failure = 0; failure < 3; failure++) await fail()
    expect(stateOf()).toBe('down')
  })

  it('a failing service has the life test of its host run at once, so that the link is known before it is an incident', async () => {
    const made = await admin.call('POST', '/api/Scanner/Create', {
      ...{ name: 'SSH', kind: 'tcp', hostId: hosts[0], parameters: { port: 22 } },
    })
    const service = made.body.id
    const post = async (failure: CheckResult['failure']) => {
      nowMs += 20_000
      await alpha.post([{ scanner: service, failure }])
      await monitoring().evaluation.idle()
    }
    await post(null)
    await post(FAILURE)
    await pause(50)
    const rechecks = (await alpha.orders()).orders.flatMap(order => (order.kind === 'recheck' ? order.scanners : []))
    expect(rechecks).toEqual([life.get(hosts[0] ?? 0)])
    await fail()
    await answer(bravo, null)
    await post(FAILURE)
    await post(FAILURE)
    expect(await incidents()).toEqual([])
    const metrics = (await admin.call('GET', `/api/Metric/Get?host=${hosts[0]}`)).body
    expect(metrics.find(({ name }: { name: string }) => name.includes('SSH')).cause).toBe('probe-link')
  })

  it('R08: a server that died before it wrote its verdict judges the same again from the journal', async () => {
    const rows = async () => ({
      states: await test.database.db.selectFrom('metric_state').selectAll().orderBy('metric_id').execute(),
      applied: await test.database.db.selectFrom('position').selectAll().execute(),
    })
    const before = await rows()
    await fail()
    await answer(bravo, null)
    await fail()
    await fail()
    const after = await rows()
    const { db } = test.database
    await db.deleteFrom('metric_state').execute()
    await db.insertInto('metric_state').values(before.states).execute()
    for (const { name, position } of before.applied)
      await db.updateTable('position').set({ position }).where('name', '=', name).execute()
    await db.updateTable('host').set({ state: 'available', severity_rank: 3 }).execute()
    const again = await createApp({
      ...{ database: test.database, samples: test.samples, key: () => new Uint8Array(32), now: () => nowMs },
      serverKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      log: pino({ level: 'silent' }),
    })
    await again.start()
    const stable = ({ states }: Awaited<ReturnType<typeof rows>>) => states.map(({ updated_at: _, ...state }) => state)
    expect(stable(await rows())).toEqual(stable(after))
    expect(again.monitoring.model.hosts.get(hosts[0] ?? 0)?.state).toBe('unknown')
    await again.stop()
  })

  it('may be asked for by a person, of who can give one; others are refused in words', async () => {
    const scanner = life.get(hosts[0] ?? 0)
    const asking = admin.call('POST', '/api/Scanner/Opinion', { scannerId: scanner })
    const [order] = await questions(bravo)
    expect(order?.check).toMatchObject({ scanner, address: '192.0.2.1' })
    const details = [{ label: 'Réponse', text: '1 ms' }]
    const outcome = { kind: 'test', at: nowMs, durationMs: 5, failure: null, values: { rtt_avg: 1 }, details }
    await bravo.call('POST', '/api/Probe/Answer', { order: order?.id, outcome })
    const { status, body } = await asking
    expect([status, body]).toMatchObject([200, { probeName: 'Bravo', failure: null, values: { rtt_avg: 1 }, details }])
    const elsewhere = await admin.call('POST', '/api/Scanner/Opinion', { scannerId: scanner, probeId: charlie.id })
    expect([elsewhere.status, elsewhere.body.errors[0]]).toEqual([409, expect.stringContaining('ni de son site')])
    const reader = await test.user(['scanner_read'])
    expect((await reader.call('POST', '/api/Scanner/Opinion', { scannerId: scanner })).status).toBe(403)
    expect((await admin.call('POST', '/api/Scanner/Opinion', { scannerId: 9_999 })).status).toBe(404)
  })
})
