import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  type AnswerBody,
  answerBody,
  type DiscoveredPart,
  type DiscoveryTask,
  formatAddress,
  parseRanges,
} from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckContext, createStopper } from '../checks/check.ts'
import { createRegistry, type RegisteredChecks } from '../checks/registry.ts'
import { systemClock } from '../clock.ts'
import { findFping } from '../icmp/fping.ts'
import { openPinger } from '../icmp/pinger.ts'
import { createResolver } from '../resolver.ts'
import { createScheduler } from '../scheduler.ts'
import { checkFor } from '../testing/check-kit.ts'
import { findProgram } from '../testing/programs.ts'
import { createVetting } from '../vetting.ts'
import { createDiscoveryDesk } from './discovery-desk.ts'
import type { DiscoverOrder } from './sweep.ts'
import { lldpOf, startSnmpd } from './testing-snmpd.ts'

const SNMPD = findProgram('snmpd')
const PORTS = { web: 28_080, printer: 29_100, snmp: 21_610 }
const COMMUNITY = 'narval-essai'

const stops: (() => Promise<void> | void)[] = []
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

const listen = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer(socket => socket.on('error', () => undefined))
    server.once('error', reject)
    stops.push(() => void server.close())
    server.listen(port, host, () => resolve())
  })

/** Answers PTR questions with hostile or plain names, and nothing for the others: a name server of the test's own. */
const nameServer = (names: Readonly<Record<string, string>>): Promise<number> =>
  new Promise(resolve => {
    const socket: UdpSocket = createSocket('udp4')
    stops.push(() => void socket.close())
    socket.on('message', (question, from) => {
      const labels: string[] = []
      let at = 12
      for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
        labels.push(question.subarray(at + 1, at + 1 + length).toString())
        at += 1 + length
      }
      const name = names[labels.slice(0, 4).toReversed().join('.')]
      if (name === undefined) return
      const target = Buffer.concat([
        ...name.split('.').map(label => Buffer.concat([Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)])),
        Buffer.from([0]),
      ])
      const header = Buffer.from(question.subarray(0, at + 5))
      header.writeUInt16BE(0x8180, 2)
      header.writeUInt16BE(1, 6)
      header.writeUInt32BE(0, 8)
      const answer = Buffer.from([0xc0, 0x0c, 0, 12, 0, 1, 0, 0, 0, 60, 0, target.length])
      socket.send(Buffer.concat([header, answer, target]), from.port, from.address)
    })
    socket.bind(0, '127.0.0.1', () => resolve(socket.address().port))
  })

const order = (ranges: string, more: Partial<DiscoveryTask> = {}, community = COMMUNITY): DiscoverOrder => ({
  ...{ kind: 'discover', id: 'ordre-1', deadlineMs: 0 },
  task: {
    intervals: parseRanges(ranges).intervals.map(({ family, from, to }) => ({
      from: formatAddress(family, from),
      to: formatAddress(family, to),
    })),
    ...{
      rate: 200,
      methods: ['ports', 'snmp', 'lldp'],
      ports: [PORTS.web, PORTS.printer],
      loopback: true,
      limitMs: 60_000,
    },
    ...more,
  },
  credential: {
    ...{ kind: 'snmp', version: 'v2c', port: PORTS.snmp, community, user: '', contextName: '' },
    ...{ authProtocol: 'none', authPassword: '', privProtocol: 'none', privPassword: '' },
  },
})

const contextOf = async (loopbackAllowed: boolean, dns: number | null = null) => {
  const stopper = createStopper()
  const vetting = createVetting({ loopbackAllowed, serverEndpoint: () => ({ address: '127.0.0.1', port: PORTS.web }) })
  const pinger = await openPinger()
  stops.push(() => pinger?.close())
  const context: CheckContext = {
    ...{ onStop: stopper.onStop, vetting, pinger, fping: pinger === null ? findFping() : null },
    resolver: createResolver(vetting, () => performance.now()),
    nowMs: () => performance.now(),
  }
  return { context, stop: stopper.stop, dnsServers: dns === null ? null : [`127.0.0.1:${dns}`] }
}

/** Runs an order to its end; all its parts. */
const discover = async (one: DiscoverOrder, { loopbackAllowed = true, dns = null as number | null } = {}) => {
  const { context, dnsServers } = await contextOf(loopbackAllowed, dns)
  const parts: DiscoveredPart[] = []
  const bodies: AnswerBody[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const desk = createDiscoveryDesk({
    ...{ clock: systemClock(), context, dnsServers },
    send: async body => {
      bodies.push(body)
      if (body.outcome.kind === 'discovered') parts.push(body.outcome)
      if (body.outcome.kind === 'refused' || parts.at(-1)?.last === true) resolve()
      return 'taken'
    },
  })
  desk.start(one)
  await promise
  for (const body of bodies) expect(answerBody.safeParse(body).success).toBe(true)
  return { found: parts.flatMap(({ found }) => found), end: parts.at(-1), parts }
}

describe('a discovery on loopback', () => {
  beforeAll(async () => {
    await listen('127.77.0.3', PORTS.web)
    await listen('127.77.0.4', PORTS.printer)
  })

  it('finds what listens, in the range alone, and never looks at the server’s own port', async () => {
    await listen('127.77.0.20', PORTS.web)
    const { found, end } = await discover(order('127.77.0.0/28', { methods: ['ports'] }))
    expect(found.map(({ address, openPorts }) => [address, openPorts])).toEqual([
      // 127.77.0.3 listens on the very port of the server: every loopback address is the server's own machine.
      ['127.77.0.4', [PORTS.printer]],
    ])
    expect(end).toMatchObject({ last: true, done: 14, failure: null, notes: [] })
  })

  it('finds where a name stands itself, and says of a name that stands nowhere that it does not', async () => {
    const named = (name: string) => discover(order('', { intervals: [], name, methods: ['ports'] }))
    const known = await named('127.77.0.4')
    expect(known.found.map(({ address }) => address)).toEqual(['127.77.0.4'])
    const { found, end } = await named('nulle-part.invalid')
    expect([found, end?.failure?.state, end?.failure?.message]).toEqual([
      [],
      'failed',
      expect.stringContaining('nulle-part.invalid'),
    ])
  })

  it('answers to ping, by the means that this machine has', async () => {
    const { found, end } = await discover(order('127.77.0.1-127.77.0.3', { methods: ['ping', 'traceroute'] }))
    if (end?.notes.length === 0) {
      expect(found.map(({ address }) => address)).toEqual(['127.77.0.1', '127.77.0.2', '127.77.0.3'])
      for (const one of found) {
        expect(one.rttMs).toBeGreaterThanOrEqual(0)
        // No router stands between a machine and itself.
        expect(one.hops).toEqual([])
      }
    } else expect(end?.notes.join()).toContain('ping')
  })

  it('refuses loopback to a probe that is not allowed to, and says so', async () => {
    const { found, end } = await discover(order('127.77.0.0/28', { methods: ['ports'] }), { loopbackAllowed: false })
    expect(found).toEqual([])
    expect(end?.notes.join()).toContain('14 adresses n’ont pas été sollicitées')
  })

  it('reads names by reverse DNS, clean whatever they hold, and waits for no silent server', async () => {
    const dns = await nameServer({ '127.77.0.4': 'impr<b>\u0007\u202eante.exemple' })
    const { found } = await discover(order('127.77.0.4', { methods: ['ports', 'reverse_dns'] }), { dns })
    expect(found[0]?.dnsName).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(found[0]?.dnsName.length).toBeLessThanOrEqual(253)
    const started = performance.now()
    const silent = await discover(order('127.77.0.4', { methods: ['ports', 'reverse_dns'] }), {
      dns: await nameServer({}),
    })
    expect(silent.found[0]?.dnsName).toBe('')
    expect(performance.now() - started).toBeLessThan(8_000)
  })

  it.skipIf(SNMPD === null)('reads the system group, MAC addresses and LLDP neighbours of a real agent', async () => {
    const agent = await startSnmpd(SNMPD ?? '', {
      ...{ address: '127.77.0.2', port: PORTS.snmp, community: COMMUNITY, name: 'sw-etage-1', services: 2 },
      ...{ descr: 'Commutateur <script>alert(1)</script> 24 ports', objectId: '.1.3.6.1.4.1.9.1.1208' },
      shown: lldpOf('02:4e:61:72:00:02', [
        {
          port: 1,
          portName: 'Gi0/1',
          chassisMac: '02:4e:61:72:00:01',
          remotePort: 'eth3',
          name: 'routeur-1',
          address: '127.77.0.1',
        },
        {
          port: 7,
          portName: 'Gi0/7',
          chassisMac: '02:4e:61:72:00:04',
          remotePort: 'lan',
          name: 'impr\u001b[2J',
          address: null,
        },
      ]),
    })
    stops.push(agent.stop)
    const { found } = await discover(order('127.77.0.0/29', { methods: ['snmp', 'lldp'] }))
    expect(found).toHaveLength(1)
    expect(found[0]?.snmp).toMatchObject({
      ...{ sysName: 'sw-etage-1', sysObjectId: '1.3.6.1.4.1.9.1.1208', sysServices: 2, sysLocation: 'Baie 3' },
      ...{ sysDescr: 'Commutateur <script>alert(1)</script> 24 ports', bridgePorts: 24, mibs: [] },
    })
    expect(found[0]?.snmp?.macs[0]).toBe('02:4e:61:72:00:02')
    expect(found[0]?.neighbours).toEqual([
      { localPort: 'Gi0/1', chassis: '02:4e:61:72:00:01', port: 'eth3', name: 'routeur-1', addresses: ['127.77.0.1'] },
      { localPort: 'Gi0/7', chassis: '02:4e:61:72:00:04', port: 'lan', name: 'impr [2J', addresses: [] },
    ])
    const wrong = await discover(order('127.77.0.2', { methods: ['snmp'] }, 'autre'))
    expect(wrong.found).toEqual([])
  })

  it('outlives agents that send garbage, endless answers or nothing', async () => {
    const flood = createSocket('udp4')
    flood.on('message', (packet, from) => {
      for (let n = 0; n < 200; n += 1) flood.send(Buffer.alloc(1_400, n), from.port, from.address)
      flood.send(packet, from.port, from.address)
    })
    stops.push(() => void flood.close())
    await new Promise<void>(resolve => flood.bind(PORTS.snmp, '127.77.1.2', resolve))
    const started = performance.now()
    const { found, end } = await discover(order('127.77.1.1-127.77.1.6', { methods: ['snmp', 'lldp'] }))
    expect(found).toEqual([])
    expect(end).toMatchObject({ done: 6, failure: null })
    expect(performance.now() - started).toBeLessThan(6_000)
  })

  it('goes through 4,094 silent addresses in bounded memory, and no check waits for it', async () => {
    // Takes all that is sent to its port on any address of loopback, and never answers: silence, not a refusal.
    const mute = createSocket('udp4')
    stops.push(() => void mute.close())
    const port = await new Promise<number>(resolve => mute.bind(0, '0.0.0.0', () => resolve(mute.address().port)))
    const { context } = await contextOf(true)
    const starts = new Map<number, number[]>()
    const registry = createRegistry()
    const noted: RegisteredChecks = {
      ...registry,
      tcp: {
        ...registry.tcp,
        run: (check, given) => {
          starts.set(check.scanner, [...(starts.get(check.scanner) ?? []), performance.now()])
          return registry.tcp.run(check, given)
        },
      },
    }
    const scheduler = createScheduler({ clock: systemClock(), registry: noted, context, onResult: () => undefined })
    const one = checkFor('tcp', { port: PORTS.printer }, { address: '127.77.0.4', intervalMs: 1_000, timeoutMs: 500 })
    scheduler.configure(Array.from({ length: 50 }, (_, n) => ({ ...one, scanner: n + 1 })))
    const [loop, before, started] = [
      monitorEventLoopDelay({ resolution: 5 }),
      process.memoryUsage().rss,
      performance.now(),
    ]
    loop.enable()
    const base = order('127.78.0.0/20', { rate: 500, methods: ['ports', 'snmp'] })
    if (base.credential?.kind !== 'snmp') throw new Error('no credential')
    const { found, end } = await discover({ ...base, credential: { ...base.credential, port } })
    const seconds = (performance.now() - started) / 1_000
    loop.disable()
    scheduler.stop()
    const grown = (process.memoryUsage().rss - before) / 2 ** 20
    const gaps = [...starts.values()].flatMap(times => times.slice(1).map((time, n) => time - (times[n] ?? 0)))
    const off = gaps.map(gap => Math.abs(gap - 1_000)).toSorted((a, b) => a - b)
    const [p99 = 0, worst = 0] = [off[Math.floor(off.length * 0.99)], off.at(-1)]
    process.stdout.write(
      `4,094 silent addresses: ${seconds.toFixed(1)} s, +${grown.toFixed(0)} MiB, event loop p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, ${gaps.length} checks off by ${p99.toFixed(0)} ms at p99, ${worst.toFixed(0)} ms at most\n`,
    )
    expect(found).toEqual([])
    expect(end).toMatchObject({ done: 4_094, failure: null })
    // How well a schedule is kept is measured (bench/schedule.bench.ts); here, that no check waits for the sweep.
    expect(gaps.length).toBeGreaterThan((50 * seconds) / 2)
    expect(off.filter(ms => ms < 1_000).length / off.length).toBeGreaterThan(0.9)
    expect(new Set(starts.keys()).size).toBe(50)
    expect(grown).toBeLessThan(250)
  })

  it('stops within a second when it is cancelled, when the probe stops, and when the server wants no more', async () => {
    for (const how of ['cancel', 'stop', 'gone'] as const) {
      const { context, stop, dnsServers } = await contextOf(true)
      const ends: AnswerBody['outcome'][] = []
      const { promise, resolve } = Promise.withResolvers<void>()
      let refuse = false
      const desk = createDiscoveryDesk({
        ...{ clock: systemClock(), context, dnsServers },
        send: async ({ outcome }) => {
          ends.push(outcome)
          if (refuse || (outcome.kind === 'discovered' && outcome.last)) resolve()
          return refuse ? 'gone' : 'taken'
        },
      })
      const one = order('127.77.32.0/20', { rate: 500, methods: ['snmp'] })
      desk.start(one)
      await new Promise(done => setTimeout(done, 300))
      // A second one at the same time is refused in words.
      desk.start({ ...one, id: 'ordre-2' })
      const started = performance.now()
      if (how === 'cancel') desk.cancel('ordre-1')
      if (how === 'stop') stop()
      if (how === 'gone') refuse = true
      await promise
      expect(performance.now() - started).toBeLessThan(how === 'gone' ? 2_500 : 1_000)
      expect(ends.some(outcome => outcome.kind === 'refused')).toBe(true)
      const last = ends.at(-1)
      if (last?.kind === 'discovered' && how !== 'gone')
        expect(last.failure?.state).toBe(how === 'cancel' ? 'cancelled' : 'interrupted')
    }
  })
})
