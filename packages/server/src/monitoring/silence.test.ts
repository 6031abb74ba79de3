import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../testing/test-probe.ts'
import { FRESHNESS_EVERY_MS } from './probe/presence.ts'

describe.each(DIALECTS)('silence, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  const hosts: number[] = []
  const scanners: number[] = []

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    const now = () => nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    probe = await enrolTestProbe(test, now)
    const site = (await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })).body
    hosts.length = scanners.length = 0
    for (const name of ['srv-1', 'srv-2', 'srv-3']) {
      const host = (await admin.call('POST', '/api/Host/Create', { name, address: '192.0.2.1', siteId: site.id })).body
      hosts.push(host.id)
      scanners.push((await admin.call('GET', `/api/Scanner/Get?host=${host.id}`)).body[0].id)
    }
    await speak()
    await pass()
  })
  afterEach(() => test.close())

  const speak = async () => {
    expect(await probe.post(scanners.map(scanner => ({ scanner, values: { rtt_avg: 1, loss_ratio: 0 } })))).toBe(204)
    await test.app.monitoring.evaluation.idle()
  }
  const pass = () => test.app.monitoring.pass()
  /** Time goes by in a server that is awake. */
  const listen = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += FRESHNESS_EVERY_MS) {
      nowMs += FRESHNESS_EVERY_MS
      await pass()
    }
  }
  /** What a start reads again, on the same database. */
  const restart = async () => {
    const { presence } = test.app.monitoring
    presence.probes.clear()
    await test.app.probes.loadPresence()
    presence.listen()
  }
  const probeState = async () => (await admin.call('GET', `/api/Probe/Get/${probe.id}`)).body.state
  const hostStates = async () =>
    Promise.all(hosts.map(async id => (await admin.call('GET', `/api/Host/Get/${id}`)).body.state))
  const told = async () =>
    (await admin.call('GET', '/api/Notification/Get?after=0')).body.notifications.map(
      ({ title }: { title: string }) => title,
    )
  const incidents = async (): Promise<{ title: string; closedAt: string | null }[]> =>
    (await admin.call('PUT', '/api/IncidentDatatable', { filters: { kind: 'probe' } })).body.data
  const GONE = 'Sonde d’essai hors ligne'
  const BACK = 'Sonde d’essai de nouveau en ligne'

  it('R23: the equipment of a silent probe is unknown, with one alert in all, and one more when it is back', async () => {
    await listen(55_000)
    expect([await probeState(), await told()]).toEqual(['online', []])
    await listen(10_000)
    expect([await probeState(), await hostStates()]).toEqual(['offline', ['unknown', 'unknown', 'unknown']])
    await listen(120_000)
    expect(await told()).toEqual([GONE])
    expect(await incidents()).toMatchObject([{ title: GONE, severity: 'error', closedAt: null, hostId: null }])
    await speak()
    await pass()
    expect([await probeState(), await hostStates()]).toEqual(['online', ['available', 'available', 'available']])
    expect(await told()).toEqual([GONE, BACK])
    const [incident, ...others] = (await admin.call('GET', '/api/Incident/Get')).body
    expect([others, incident.closedAt]).toEqual([[], expect.any(String)])
    const { chain, timeline } = (await admin.call('GET', `/api/Incident/Detail/${incident.id}`)).body
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['opened', 'closed'])
    expect(chain).toMatchObject([{ kind: 'probe', id: probe.id, state: 'Hors ligne', cause: true }])
    const { notifications } = (await admin.call('GET', '/api/Notification/Get?after=0')).body
    expect(new Set(notifications.map(({ link }: { link: string }) => link))).toEqual(
      new Set([`/dashboard/live-view/incident/${incident.id}`]),
    )
  })

  it('R24: a server that was stopped for two minutes calls nobody silent, before its next pass and after it', async () => {
    nowMs += 120_000
    expect(await probeState()).toBe('online')
    await pass()
    expect([await probeState(), await hostStates(), await told()]).toEqual([
      'online',
      ['available', 'available', 'available'],
      [],
    ])
    await listen(55_000)
    expect([await probeState(), await told()]).toEqual(['online', []])
    await listen(10_000)
    expect([await probeState(), await told()]).toEqual(['offline', [GONE]])
  })

  it('R24: a probe that was offline before the server was stopped is not said to be back', async () => {
    await listen(65_000)
    nowMs += 120_000
    await listen(10_000)
    expect([await probeState(), await told()]).toEqual(['offline', [GONE]])
  })

  it('R19: a restart while a probe is offline tells it no second time, and its return all the same', async () => {
    await listen(65_000)
    expect(await told()).toEqual([GONE])
    await restart()
    expect(await probeState()).toBe('offline')
    await listen(120_000)
    expect(await told()).toEqual([GONE])
    await restart()
    await speak()
    await pass()
    expect([await probeState(), await told()]).toEqual(['online', [GONE, BACK]])
    await restart()
    await listen(10_000)
    expect(await told()).toEqual([GONE, BACK])
    expect(await incidents()).toHaveLength(1)
  })

  it('R19: a probe that fell silent while the server was down is told once it had the time to speak', async () => {
    nowMs += 300_000
    await restart()
    await listen(55_000)
    expect([await probeState(), await told()]).toEqual(['online', []])
    await listen(10_000)
    expect([await probeState(), await told()]).toEqual(['offline', [GONE]])
  })

  it('what could not be told because the database failed is told by the next pass', async () => {
    await listen(55_000)
    await sql`alter table outbox rename to outbox_away`.execute(test.database.db)
    nowMs += FRESHNESS_EVERY_MS
    await expect(pass()).rejects.toThrow()
    await sql`alter table outbox_away rename to outbox`.execute(test.database.db)
    await listen(10_000)
    expect([await probeState(), await told()]).toEqual(['offline', [GONE]])
  })
})
