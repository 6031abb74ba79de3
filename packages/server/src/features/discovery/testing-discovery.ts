import { setImmediate } from 'node:timers/promises'
import type { DiscoveredAddress, DiscoveredPart, OrdersReply } from '@narval/contracts'
import { expect } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, createTestApp, type DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

type Snmp = NonNullable<DiscoveredAddress['snmp']>
export const snmp = (more: Partial<Snmp> = {}): Snmp => ({
  ...{ sysName: '', sysDescr: '', sysObjectId: '', sysServices: null, sysLocation: '' },
  ...{ forwards: null, bridgePorts: null, macs: [], mibs: [] },
  ...more,
})
export const found = (address: string, more: Partial<DiscoveredAddress> = {}): DiscoveredAddress => ({
  ...{ address, rttMs: 1, dnsName: '', mac: null, openPorts: [], snmp: null, neighbours: [], hops: null },
  ...more,
})
type DiscoverOrder = Extract<OrdersReply['orders'][number], { kind: 'discover' }>

/** An application with a site, a probe that speaks by hand, and what tests of discoveries do again and again. */
export const discoveryKit = () => {
  const clock = createTestClock(Date.parse('2026-11-20T08:00:00Z'))
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let siteId = 0
  let made = 0

  const range = async (over: object = {}): Promise<Answered> => {
    made += 1
    const body = { name: `Plage ${made}`, siteId, ranges: `10.${made}.0.0/28`, ...over }
    const answer = await admin.call('POST', '/api/Discovery/Range/Create', body)
    expect([answer.status, answer.body.errors]).toEqual([201, undefined])
    return answer.body
  }
  let after = 0
  /** The next orders that the probe is asked. */
  const orders = async (): Promise<OrdersReply['orders']> => {
    const reply = await probe.orders(`after=${after}&revision=&wait=0`)
    after = reply.after
    return reply.orders
  }
  const discoverOrder = async (): Promise<DiscoverOrder> => {
    // It is sent once the run before it has been written down as ended.
    for (let tries = 0; tries < 200; tries += 1) {
      const order = (await orders()).find(one => one.kind === 'discover')
      if (order?.kind === 'discover') return order
      await setImmediate()
    }
    throw new Error('no order to discover')
  }
  const part = (order: string, number: number, more: Partial<DiscoveredPart> = {}) =>
    probe.call('POST', '/api/Probe/Answer', {
      order,
      outcome: {
        ...{
          kind: 'discovered',
          part: number,
          last: false,
          done: 0,
          found: [],
          notes: [],
          failure: null,
          gateway: null,
        },
        ...more,
      },
    })
  const start = async (rangeId: number): Promise<{ run: Answered; order: DiscoverOrder }> => {
    await orders()
    const answer = await admin.call('POST', `/api/Discovery/Run/${rangeId}`)
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return { run: answer.body, order: await discoverOrder() }
  }
  /** A whole run in one part. */
  const run = async (
    rangeId: number,
    all: readonly DiscoveredAddress[],
    more: Partial<DiscoveredPart> = {},
  ): Promise<Answered> => {
    clock.forward(1_000)
    const { order } = await start(rangeId)
    const answer = await part(order.id, 1, { last: true, done: 14, found: [...all], ...more })
    expect(answer).toMatchObject({ status: 204 })
    return (await runs(rangeId))[0]
  }
  const runs = async (rangeId: number): Promise<Answered> =>
    (await admin.call('GET', `/api/Discovery/Run/Get?range=${rangeId}`)).body
  const findings = async (rangeId: number, filters: object = {}): Promise<Answered> =>
    (await admin.call('PUT', '/api/DiscoveryDatatable', { length: -1, filters: { rangeId, ...filters } })).body.data
  const finding = async (rangeId: number, address: string): Promise<Answered> =>
    (await findings(rangeId)).find((one: Answered) => one.address === address)
  const make = async (path: string, body: unknown): Promise<Answered> => {
    const answer = await admin.call('POST', path, body)
    expect([path, answer.status, answer.body.errors]).toEqual([path, 201, undefined])
    return answer.body
  }

  return {
    clock,
    async open(dialect: (typeof DIALECTS)[number]): Promise<void> {
      test = await createTestApp({ dialect, now: clock.now })
      admin = await test.admin()
      probe = await enrolTestProbe(test, clock.now)
      await probe.orders()
      siteId = (await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    },
    get test() {
      return test
    },
    get admin() {
      return admin
    },
    get probe() {
      return probe
    },
    get siteId() {
      return siteId
    },
    ...{ range, orders, discoverOrder, part, start, run, runs, findings, finding, make },
  }
}
