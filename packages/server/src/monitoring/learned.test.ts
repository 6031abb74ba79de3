import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../testing/test-probe.ts'

const GIGABIT = 1_000_000_000

describe.each(DIALECTS)('what is expected of interfaces is learnt from their first result, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let hostId: number
  let scanner: number

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    const now = () => nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    probe = await enrolTestProbe(test, now)
    const site = (await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })).body
    const host = { name: 'sw-1', address: '192.0.2.1', siteId: site.id }
    hostId = (await admin.call('POST', '/api/Host/Create', host)).body.id
    const created = { name: 'Interfaces', kind: 'snmp_interfaces', hostId, parameters: {} }
    scanner = (await admin.call('POST', '/api/Scanner/Create', created)).body.id
  })
  afterEach(() => test.close())

  const post = async (values: Record<string, number>, labels: Record<string, string> = {}) => {
    nowMs += 60_000
    expect(await probe.post([{ scanner, values, labels }])).toBe(204)
    await test.app.monitoring.evaluation.idle()
  }
  const metric = async (key: string) =>
    (await admin.call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body.find(
      (one: { key: string }) => one.key === key,
    )
  const first = {
    interfaces: 2,
    interfaces_up: 1,
    'status[Gi0/1]': 1,
    'speed[Gi0/1]': GIGABIT,
    'in[Gi0/1]': 1_000_000,
    'status[Gi0/2]': 2,
  }
  const discover = () => post(first, { 'Gi0/1': 'Gi0/1 · Uplink Lyon' })

  it('an interface that was up is expected up, at its speed, under its alias; one that was down is not', async () => {
    await discover()
    expect(await metric('status[Gi0/1]')).toMatchObject({
      name: 'État Gi0/1 · Uplink Lyon',
      severity: 'ok',
      thresholds: { errorHigh: 1.5, errorHighClear: 1 },
    })
    expect(await metric('speed[Gi0/1]')).toMatchObject({ thresholds: { warningLow: GIGABIT } })
    expect(await metric('status[Gi0/2]')).toMatchObject({ severity: 'ok', thresholds: { errorHigh: null } })
  })

  it('it falls: SOFT, then HARD after three results, one incident; it is back: the incident is closed', async () => {
    await discover()
    for (let run = 0; run < 3; run += 1) await post({ ...first, interfaces_up: 0, 'status[Gi0/1]': 2 })
    expect(await metric('status[Gi0/1]')).toMatchObject({ severity: 'error', kind: 'hard' })
    expect(await metric('status[Gi0/2]')).toMatchObject({ severity: 'ok' })
    const incidents = async () => (await admin.call('GET', '/api/Incident/Get')).body
    expect(await incidents()).toMatchObject([{ hostName: 'sw-1', severity: 'error', closedAt: null }])
    await post(first)
    expect(await metric('status[Gi0/1]')).toMatchObject({ severity: 'ok' })
    expect((await incidents())[0].closedAt).not.toBeNull()
  })

  it('a link that comes back slower than it was is a warning', async () => {
    await discover()
    await post({ ...first, 'speed[Gi0/1]': GIGABIT / 10 })
    expect(await metric('speed[Gi0/1]')).toMatchObject({ severity: 'warning' })
    await post(first)
    expect(await metric('speed[Gi0/1]')).toMatchObject({ severity: 'ok' })
  })

  it('a counter that went back leaves a gap, never a peak', async () => {
    await discover()
    await post({ ...first, 'in[Gi0/1]': 7_000_000 })
    expect(await metric('in[Gi0/1]')).toMatchObject({ value: 100_000 })
    await post({ ...first, 'in[Gi0/1]': 500 })
    expect(await metric('in[Gi0/1]')).toMatchObject({ value: null })
    await post({ ...first, 'in[Gi0/1]': 60_500 })
    expect(await metric('in[Gi0/1]')).toMatchObject({ value: 1_000 })
  })
})
