import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../testing/test-probe.ts'

const TIMEOUT = { code: 'timeout', message: 'délai dépassé après 2 s' } as const

describe.each(DIALECTS)('from a result to a state, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let hostId: number
  let ping: number
  let tcp: number

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    const now = () => nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    probe = await enrolTestProbe(test, now)
    const site = (await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })).body
    hostId = (await admin.call('POST', '/api/Host/Create', { name: 'srv-1', address: '192.0.2.1', siteId: site.id }))
      .body.id
    ping = (await admin.call('GET', `/api/Scanner/Get?host=${hostId}`)).body[0].id
    tcp = (
      await admin.call('POST', '/api/Scanner/Create', { name: 'SSH', kind: 'tcp', hostId, parameters: { port: 22 } })
    ).body.id
  })
  afterEach(() => test.close())

  const later = (ms: number) => {
    nowMs += ms
  }
  const post = async (...results: Parameters<TestProbe['post']>[0][number][]) => {
    expect(await probe.post(results)).toBe(204)
    await test.app.monitoring.evaluation.idle()
  }
  const host = async () => (await admin.call('GET', `/api/Host/Get/${hostId}`)).body
  const metric = async (scanner: number, key: string) =>
    (await admin.call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body.find(
      (one: { key: string }) => one.key === key,
    )
  const problems = async (view = 'unhandled') =>
    (await admin.call('PUT', '/api/DashboardDatatable', { filters: { view } })).body.data
  const incidents = async () => (await admin.call('GET', '/api/Incident/Get')).body
  const notifications = async () => (await admin.call('GET', '/api/Notification/Get')).body

  it('a host is « en attente » until its first result, then available', async () => {
    expect((await host()).state).toBe('pending')
    await post({ scanner: ping, values: { rtt_avg: 1.5, loss_ratio: 0 } })
    expect(await host()).toMatchObject({ state: 'available', lastAnswer: '2026-11-20T08:00:00.000Z' })
    expect(await metric(ping, 'rtt_avg')).toMatchObject({ value: 1.5, severity: 'ok' })
  })

  it('the first failure is SOFT 1/3, the third HARD: one incident, one notification, the host down; recovery closes it', async () => {
    await post({ scanner: ping }, { scanner: tcp, values: { connect_time: 3 } })
    for (const attempt of [1, 2]) {
      later(20_000)
      await post({ scanner: ping, failure: TIMEOUT })
      expect(await metric(ping, 'availability')).toMatchObject({
        severity: 'error',
        kind: 'soft',
        attempt,
        maxAttempts: 3,
        information: TIMEOUT.message,
      })
      expect([(await host()).state, (await incidents()).length]).toEqual(['available', 0])
    }
    later(20_000)
    await post({ scanner: ping, failure: TIMEOUT })
    expect(await host()).toMatchObject({ state: 'down', severity: 'error' })
    expect(await incidents()).toMatchObject([{ hostName: 'srv-1', severity: 'error', closedAt: null }])
    expect(await notifications()).toMatchObject({
      unread: { error: 1 },
      notifications: [{ type: 'Error', link: `/dashboard/live-view/incident/${(await incidents())[0].id}` }],
    })
    expect((await problems())[0]).toMatchObject({
      hostName: 'srv-1',
      severity: 'error',
      kind: 'hard',
      incidentId: expect.any(Number),
    })
    later(60_000)
    await post({ scanner: ping, values: { rtt_avg: 1 } })
    expect(await host()).toMatchObject({ state: 'available' })
    expect((await incidents())[0].closedAt).toBe('2026-11-20T08:02:00.000Z')
    expect((await notifications()).unread).toEqual({ error: 1, warning: 0, unknown: 0, ok: 1 })
  })

  it('when the life test is down, other failures of the host open no incident of their own', async () => {
    for (let run = 0; run < 3; run++) {
      later(20_000)
      await post({ scanner: ping, failure: TIMEOUT })
    }
    for (let run = 0; run < 4; run++) {
      later(20_000)
      await post({ scanner: tcp, failure: TIMEOUT })
    }
    expect((await incidents()).length).toBe(1)
    expect(await metric(tcp, 'connect_time')).toMatchObject({ severity: 'unknown', cause: 'scanner-failed' })
  })

  it('what an acknowledged incident explains is no problem that nobody takes care of', async () => {
    await post({ scanner: ping, values: { rtt_avg: 1 } }, { scanner: tcp, values: { connect_time: 3 } })
    for (let run = 0; run < 3; run++) {
      later(20_000)
      await post({ scanner: ping, failure: TIMEOUT }, { scanner: tcp, failure: TIMEOUT })
    }
    const names = async (view: string) => (await problems(view)).map((row: { name: string }) => row.name).toSorted()
    const wrong = await names('problems')
    expect(wrong.length).toBeGreaterThan(2)
    expect(await names('unhandled')).toEqual(wrong)
    const [{ id }] = await incidents()
    await admin.call('POST', `/api/Incident/Acknowledge/${id}`, { comment: 'vu' })
    expect(await names('unhandled')).toEqual([])
    expect(await names('problems')).toEqual(wrong)
  })

  it('results of one scanner that come in one batch are told each: eased, then worse again', async () => {
    const { id, name, updatedAt } = await metric(tcp, 'connect_time')
    const rule = { name, thresholds: { warningHigh: 100, errorHigh: 200 }, attempts: 1, updatedAt }
    expect((await admin.call('PUT', `/api/Metric/Update/${id}`, rule)).status).toBe(200)
    await post({ scanner: tcp, values: { connect_time: 250 } })
    const startMs = nowMs
    later(60_000)
    await post(
      { scanner: tcp, at: startMs + 20_000, values: { connect_time: 150 } },
      { scanner: tcp, at: startMs + 40_000, values: { connect_time: 260 } },
    )
    const { body } = await admin.call('GET', `/api/Incident/Detail/${(await incidents())[0].id}`)
    expect(body.timeline.map((line: { kind: string }) => line.kind)).toEqual(['opened', 'eased', 'worsened'])
    expect(body.incident.severity).toBe('error')
  })

  it('a threshold with hysteresis raises at 100 ms and clears at 95 only', async () => {
    const before = await metric(tcp, 'connect_time')
    const answer = await admin.call('PUT', `/api/Metric/Update/${before.id}`, {
      name: before.name,
      thresholds: { warningHigh: 100 },
      attempts: 1,
      updatedAt: before.updatedAt,
    })
    expect(answer.status).toBe(200)
    const severities: string[] = []
    for (const value of [99, 101, 97, 96, 94, 99]) {
      later(60_000)
      await post({ scanner: tcp, values: { connect_time: value } })
      severities.push((await metric(tcp, 'connect_time')).severity)
    }
    expect(severities).toEqual(['ok', 'warning', 'warning', 'warning', 'ok', 'ok'])
    expect((await incidents())[0]).toMatchObject({ severity: 'warning', information: expect.stringContaining('101') })
  })

  it('R07: a batch whose answer was lost and is sent again changes nothing', async () => {
    expect(await probe.post([{ scanner: tcp, failure: TIMEOUT }], { sequence: 1 })).toBe(204)
    expect(await probe.post([{ scanner: tcp, failure: TIMEOUT }], { sequence: 1 })).toBe(204)
    await test.app.monitoring.evaluation.idle()
    expect(await metric(tcp, 'availability')).toMatchObject({ attempt: 1 })
    expect(test.app.monitoring.ingest.stats).toMatchObject({ batches: 2, duplicates: 1 })
  })

  it('R26: late data of the backlog lane fills the charts, changes no state, opens no incident and tells nobody', async () => {
    await post({ scanner: tcp, values: { connect_time: 3 } })
    later(60_000)
    const late = [50, 40, 30].map(seconds => ({ scanner: tcp, at: nowMs - seconds * 1_000, failure: TIMEOUT }))
    expect(await probe.post(late, { lane: 'backlog' })).toBe(204)
    await test.app.monitoring.evaluation.idle()
    const availability = await metric(tcp, 'availability')
    expect(availability.severity).toBe('ok')
    const data = await admin.call(
      'GET',
      `/api/Metric/MetricData?ids=${availability.id}&from=2026-11-20T07:59:00Z&to=2026-11-20T08:05:00Z&points=5000`,
    )
    expect(data.body.series[0].value.filter((value: number | null) => value !== null)).toEqual([1, 0, 0, 0])
    expect([await incidents(), (await notifications()).notifications]).toEqual([[], []])
  })

  it('a result of a scanner that is another’s, or dated too far ahead, is left out and counted (S57, R25)', async () => {
    await post(
      { scanner: 999_999 },
      { scanner: tcp, at: nowMs + 6 * 60_000 },
      { scanner: tcp, values: { not_a_key: 1, connect_time: 2 } },
    )
    expect(test.app.monitoring.ingest.stats).toMatchObject({ foreign: 1, future: 1, unknownKeys: 1 })
    expect((await metric(tcp, 'connect_time')).value).toBe(2)
  })

  it('S56: a replayed, altered, badly signed or old request of a probe gets 401', async () => {
    const reply = await probe.call('GET', '/api/Probe/Orders?wait=0&after=0', undefined, {
      'x-narval-signature': 'AAAA',
    })
    expect(reply.status).toBe(401)
    expect(
      (await probe.call('GET', '/api/Probe/Orders?wait=0', undefined, { 'x-narval-date': String(nowMs - 6 * 60_000) }))
        .status,
    ).toBe(401)
    expect(
      (await probe.call('GET', '/api/Probe/Orders?wait=0', undefined, { 'x-narval-nonce': 'x'.repeat(20) })).status,
    ).toBe(401)
    expect((await probe.call('GET', '/api/Probe/Orders?wait=0')).status).toBe(200)
  })

  it('orders carry the configuration once, then rechecks; « Vérifier maintenant » reaches the probe', async () => {
    const first = await probe.orders()
    expect(first.configuration?.checks.map(check => check.kind)).toEqual(['ping', 'tcp'])
    const { revision } = first.configuration ?? { revision: '' }
    expect((await probe.orders(`after=0&revision=${revision}&wait=0`)).configuration).toBeNull()
    const waiting = probe.orders(`after=0&revision=${revision}`)
    expect((await admin.call('POST', `/api/Host/Check/${hostId}`)).body).toEqual({ scanners: 2, probes: 1 })
    expect((await waiting).orders).toMatchObject([{ kind: 'recheck', scanners: expect.arrayContaining([ping, tcp]) }])
  })

  it('an acknowledged problem leaves « Problèmes non traités » with what it explains, keeps its comment, and comes back when taken back', async () => {
    for (let run = 0; run < 3; run++) {
      later(20_000)
      await post({ scanner: ping, failure: TIMEOUT })
    }
    const before = (await problems()).length
    const [incident] = await incidents()
    expect((await admin.call('POST', `/api/Incident/Acknowledge/${incident.id}`, { comment: '' })).status).toBe(400)
    expect(
      (await admin.call('POST', `/api/Incident/Acknowledge/${incident.id}`, { comment: 'Opérateur prévenu' })).body
        .acknowledgedBy,
    ).toBe('admin')
    expect(await problems()).toEqual([])
    expect((await admin.call('GET', '/api/Dashboard/Get/Main')).body.acknowledged).toBe(1)
    await admin.call('POST', `/api/Incident/Unacknowledge/${incident.id}`)
    expect((await problems()).length).toBe(before)
  })

  it('a wrong metric is deleted, a revoked probe is refused', async () => {
    const target = await metric(tcp, 'connect_time')
    expect((await admin.call('DELETE', `/api/Metric/Delete/${target.id}`)).status).toBe(200)
    expect((await admin.call('GET', `/api/Metric/Get/${target.id}`)).status).toBe(404)
    expect((await admin.call('POST', `/api/Probe/Revoke/${probe.id}`)).status).toBe(409)
  })
})
