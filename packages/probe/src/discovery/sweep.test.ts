import { cleanLine, type DiscoveredAddress, type DiscoveryTask, parseRanges } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { gatewayIn, macsIn } from './neighbour-files.ts'
import { managementAddress } from './snmp-facts.ts'
import { intervalsOf, MAX_AT_ONCE, type SweepTools, sweep } from './sweep.ts'
import { createFastClock } from './testing-clock.ts'

const task = (more: Partial<DiscoveryTask> = {}): DiscoveryTask => ({
  ...{ intervals: [], rate: 25, methods: ['ping'], ports: [22, 80], loopback: false, limitMs: 60_000 },
  ...more,
})

const SILENT: SweepTools = {
  refusal: () => null,
  ping: async () => null,
  openPorts: async () => [],
  snmp: async () => null,
  dnsName: async () => '',
  macOf: () => null,
  hops: async () => null,
}

const run = (
  ranges: string,
  more: Partial<DiscoveryTask>,
  tools: (after: (ms: number) => Promise<void>) => Partial<SweepTools>,
) => {
  const time = createFastClock()
  const after = (ms: number) => new Promise<void>(resolve => time.clock.after(ms, resolve))
  const begun: { address: string; atMs: number }[] = []
  const found: DiscoveredAddress[] = []
  const stopping = new AbortController()
  let done = 0
  const mine = { ...SILENT, ...tools(after) }
  const startMs = time.clock.steadyMs()
  const result = sweep(
    {
      task: task(more),
      tools: {
        ...mine,
        ping: address => {
          begun.push({ address, atMs: time.clock.steadyMs() - startMs })
          return mine.ping(address)
        },
      },
      clock: time.clock,
      signal: stopping.signal,
      onFound: async one => void found.push(one),
      onDone: () => {
        done += 1
      },
    },
    parseRanges(ranges).intervals,
  )
  return { time, begun, found, stopping, result, done: () => done, lastedMs: () => time.clock.steadyMs() - startMs }
}

describe('a sweep', () => {
  it('begins 25 addresses a second, evenly: 254 in 10.12 s, never two within 40 ms', async () => {
    const it = run('10.0.0.0/24', { rate: 25 }, () => ({}))
    await it.time.until(it.result)
    expect(it.begun).toHaveLength(254)
    expect(it.lastedMs()).toBeCloseTo(253 * 40, 0)
    const gaps = it.begun.slice(1).map(({ atMs }, n) => atMs - (it.begun[n]?.atMs ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(39.9)
    expect(it.done()).toBe(254)
  })

  it('does not burst after the process was frozen for 10 s: it makes up for 100 ms at most', async () => {
    const it = run('10.0.0.0/24', { rate: 100 }, () => ({
      ping: async address => {
        if (address === '10.0.0.50') it.time.freeze(10_000)
        return null
      },
    }))
    await it.time.until(it.result)
    const after = it.begun.filter(({ atMs }) => atMs >= 10_000)
    const [first] = after
    expect(after.filter(({ atMs }) => atMs < (first?.atMs ?? 0) + 500).length).toBeLessThanOrEqual(61)
  })

  it('goes through 4,096 addresses that nobody answers on with at most 256 at once, in the time that this takes', async () => {
    let [running, most] = [0, 0]
    const it = run('10.0.0.0-10.0.15.255', { rate: 500, methods: ['ping', 'snmp'] }, after => ({
      ping: async () => {
        running += 1
        most = Math.max(most, running)
        await after(1_900)
        return null
      },
      snmp: async () => {
        await after(1_500)
        running -= 1
        return null
      },
    }))
    await it.time.until(it.result)
    expect(it.done()).toBe(4_096)
    expect(it.found).toEqual([])
    expect(most).toBe(MAX_AT_ONCE)
    expect(it.lastedMs()).toBeLessThan((4_096 / MAX_AT_ONCE + 1) * 3_400 + 4_096 / 500)
  }, 30_000)

  it('tells what answers to ping, an open port or SNMP, and asks the rest of those alone', async () => {
    const asked: string[] = []
    const it = run('10.0.0.1-10.0.0.5', { methods: ['ping', 'ports', 'reverse_dns', 'traceroute'] }, () => ({
      ping: async address => (address === '10.0.0.2' ? 1.5 : null),
      openPorts: async address => (address === '10.0.0.4' ? [80] : []),
      dnsName: async address => {
        asked.push(address)
        return `h${address.at(-1)}.exemple`
      },
      hops: async () => ['10.9.9.9', null],
      macOf: address => (address === '10.0.0.4' ? '02:00:00:00:00:04' : null),
    }))
    await it.time.until(it.result)
    expect(it.found).toEqual([
      {
        address: '10.0.0.2',
        rttMs: 1.5,
        openPorts: [],
        dnsName: 'h2.exemple',
        hops: ['10.9.9.9', null],
        mac: null,
        snmp: null,
        neighbours: [],
      },
      {
        address: '10.0.0.4',
        rttMs: null,
        openPorts: [80],
        dnsName: 'h4.exemple',
        hops: ['10.9.9.9', null],
        mac: '02:00:00:00:00:04',
        snmp: null,
        neighbours: [],
      },
    ])
    expect(asked).toEqual(['10.0.0.2', '10.0.0.4'])
  })

  it('begins nothing more once it is cancelled, and does not count what was cut short', async () => {
    const it = run('10.0.0.0/24', { rate: 100 }, after => ({
      ping: async address => {
        await after(50)
        if (address === '10.0.0.20') it.stopping.abort()
        return null
      },
    }))
    await it.time.until(it.result)
    expect(it.begun.length).toBeLessThanOrEqual(26)
    expect(it.done()).toBe(19)
  })

  it('asks nothing of addresses that are refused, and counts them with the reason of the first', async () => {
    const it = run('10.0.0.1-10.0.0.4', {}, () => ({
      refusal: address => (address.endsWith('3') ? null : 'interdite'),
    }))
    expect((await it.time.until(it.result)).refused).toEqual({ count: 3, reason: 'interdite' })
    expect(it.begun.map(({ address }) => address)).toEqual(['10.0.0.3'])
    expect(it.done()).toBe(4)
  })
})

describe('what comes from outside', () => {
  it('refuses a task whose intervals make no sense, as a whole', () => {
    const of = (from: string, to: string) => intervalsOf(task({ intervals: [{ from, to }] }))
    expect(of('10.0.0.1', '10.0.0.9')).toEqual([{ family: 4, from: 167_772_161n, to: 167_772_169n }])
    expect(of('10.0.0.9', '10.0.0.1')).toBeNull()
    expect(of('10.0.0.1', '2001:db8::1')).toBeNull()
    expect(of('::ffff:1.2.3', '10.0.0.1')).toBeNull()
  })

  it('makes one clean line of what devices write: no control, direction or lone half character, cut whole', () => {
    expect(cleanLine('  a\u0000b\r\nc\u202ed\u200b\ud800 <b>e</b> ', 100)).toBe('a b c d <b>e</b>')
    expect(cleanLine('adresse \t refusée\u202f: a', 100)).toBe('adresse refusée\u202f: a')
    expect(cleanLine('é'.repeat(50), 10)).toBe('é'.repeat(10))
    expect(cleanLine(`abc${'😀'.repeat(5)}`, 4)).toBe('abc')
    expect(cleanLine('\u001b]0;titre\u0007', 100)).toBe(']0;titre')
  })

  it('reads the gateway and the MAC addresses that the system knows', () => {
    const routes =
      'Iface\tDestination\tGateway\tFlags\neth0\t0000A8C0\t00000000\t0001\neth0\t00000000\t0101A8C0\t0003\n'
    expect(gatewayIn(routes)).toBe('192.168.1.1')
    expect(gatewayIn('')).toBeNull()
    const arp = `IP address HW type Flags HW address Mask Device
192.168.1.1      0x1         0x2         AA:bb:cc:00:11:22     *        eth0
192.168.1.9      0x1         0x0         00:00:00:00:00:00     *        eth0
`
    expect([...macsIn(arp)]).toEqual([['192.168.1.1', 'aa:bb:cc:00:11:22']])
  })

  it('reads management addresses out of the index of LLDP’s table, and nothing out of a wrong one', () => {
    expect(managementAddress('0.3.1.1.4.10.0.0.9')).toEqual({ row: '0.3.1', address: '10.0.0.9' })
    expect(managementAddress('0.3.1.1.4.10.0.0')).toBeNull()
    expect(managementAddress('0.3.1.1.4.10.0.0.300')).toBeNull()
    expect(managementAddress('0.3.1.6.6.1.2.3.4.5.6')).toBeNull()
  })
})
