import { type DiscoveredAddress, type DiscoveryRole, fold } from '@narval/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween, type Facts, matchHost, mergedFacts, nameOf, namesOf } from './findings.ts'
import { CLUES, guessRole, proposedModels } from './guess.ts'
import { type Node, proposeParents } from './parents.ts'
import { nextRunAt } from './recurrence.ts'

type Snmp = NonNullable<DiscoveredAddress['snmp']>
const snmp = (more: Partial<Snmp> = {}): Snmp => ({
  ...{ sysName: '', sysDescr: '', sysObjectId: '', sysServices: null, sysLocation: '' },
  ...{ forwards: null, bridgePorts: null, macs: [], mibs: [] },
  ...more,
})
const facts = (more: Partial<Facts> = {}): Facts => ({
  ...{ rttMs: 1, dnsName: '', mac: null, openPorts: [], snmp: null, neighbours: [], hops: null },
  ...more,
})

describe('what a found thing seems to be', () => {
  it.each<[DiscoveryRole, Partial<Facts>]>([
    [
      'linux-server',
      { snmp: snmp({ sysDescr: 'Linux srv 6.1.0-18-amd64 #1 SMP Debian', sysObjectId: '1.3.6.1.4.1.8072.3.2.10' }) },
    ],
    [
      'windows-server',
      {
        snmp: snmp({
          sysDescr: 'Hardware: Intel64 - Software: Windows Version 6.3',
          sysObjectId: '1.3.6.1.4.1.311.1.1.3.1.2',
        }),
      },
    ],
    [
      'switch',
      {
        snmp: snmp({
          sysDescr: 'ProCurve J9019B Switch 2510B-24',
          sysObjectId: '1.3.6.1.4.1.11.2.3.7.11.78',
          sysServices: 74,
        }),
      },
    ],
    [
      'switch',
      {
        snmp: snmp({
          sysDescr: 'Cisco IOS Software, C2960 Software',
          sysObjectId: '1.3.6.1.4.1.9.1.1208',
          sysServices: 2,
          bridgePorts: 24,
        }),
      },
    ],
    [
      'router',
      {
        snmp: snmp({
          sysDescr: 'Cisco IOS Software, ISR Software',
          sysObjectId: '1.3.6.1.4.1.9.1.1861',
          sysServices: 78,
          forwards: true,
        }),
      },
    ],
    [
      'router',
      {
        snmp: snmp({ sysDescr: 'RouterOS RB4011', sysObjectId: '1.3.6.1.4.1.14988.1', sysServices: 78 }),
        openPorts: [22, 80],
      },
    ],
    [
      'printer',
      {
        snmp: snmp({ sysDescr: 'HP ETHERNET MULTI-ENVIRONMENT,JETDIRECT', sysObjectId: '1.3.6.1.4.1.11.2.3.9.1' }),
        openPorts: [80, 9100],
      },
    ],
    ['printer', { snmp: snmp({ sysDescr: 'Linux', mibs: ['printer'] }) }],
    [
      'ups',
      {
        snmp: snmp({ sysDescr: 'APC Web/SNMP Management Card', sysObjectId: '1.3.6.1.4.1.318.1.3.2.11' }),
        openPorts: [22, 80],
      },
    ],
    ['ups', { snmp: snmp({ mibs: ['ups'] }) }],
    ['camera', { snmp: snmp({ sysDescr: 'AXIS P3245 Network Camera', sysObjectId: '1.3.6.1.4.1.368.1.1' }) }],
    ['access-point', { snmp: snmp({ sysDescr: 'UniFi AP-AC-Pro 4.3.20 Linux', sysObjectId: '1.3.6.1.4.1.41112' }) }],
    [
      'firewall',
      {
        snmp: snmp({
          sysDescr: 'FortiGate-60F',
          sysObjectId: '1.3.6.1.4.1.12356.101.1.641',
          sysServices: 78,
          forwards: true,
        }),
      },
    ],
    ['linux-server', { openPorts: [22] }],
    ['linux-server', { openPorts: [22, 80, 443] }],
    ['windows-server', { openPorts: [135, 445, 3389] }],
    ['printer', { openPorts: [80, 443, 631, 9100] }],
    ['camera', { openPorts: [80, 554] }],
    ['database', { openPorts: [5432] }],
    ['web-service', { openPorts: [443] }],
    ['unknown', { openPorts: [25] }],
    ['unknown', {}],
    // « ups » within a word is no UPS.
    ['unknown', { snmp: snmp({ sysDescr: 'Groups of things' }) }],
  ])('says %s of %j', (role, more) => {
    expect(guessRole(facts(more))).toBe(role)
  })

  it('says the same whatever the order of ports, and never throws for what devices write', () => {
    const port = fc.constantFrom(...new Set(CLUES.flatMap(clue => clue.ports ?? [])), 25)
    fc.assert(
      fc.property(fc.uniqueArray(port), fc.string({ maxLength: 200 }), (openPorts, sysDescr) => {
        const one = facts({ openPorts, snmp: snmp({ sysDescr }) })
        expect(guessRole({ ...one, openPorts: openPorts.toReversed() })).toBe(guessRole(one))
      }),
    )
  })

  it('proposes models that can work: those that ask SNMP only where SNMP answers', () => {
    expect(proposedModels('linux-server', facts({ openPorts: [22, 443] }))).toEqual(['web-service'])
    expect(proposedModels('linux-server', facts({ openPorts: [22, 443], snmp: snmp() }))).toEqual([
      'linux-server',
      'web-service',
    ])
    expect(proposedModels('firewall', facts({ snmp: snmp() }))).toEqual(['router'])
    expect(proposedModels('printer', facts({ openPorts: [9100] }))).toEqual([])
    expect(proposedModels('database', facts({ openPorts: [5432] }))).toEqual(['database'])
    expect(proposedModels('unknown', facts())).toEqual([])
  })
})

describe('what changed since the last run', () => {
  const known = (more: Partial<Facts>, name = 'srv', mac = '') => ({ name, mac, facts: facts(more) })

  it('is told once with what it was at first, and forgotten when it is as it was', () => {
    const first = changesBetween([], known({ openPorts: [22] }), known({ openPorts: [80, 22] }))
    expect(first).toEqual([{ what: 'ports', before: '22', after: '22, 80' }])
    const second = changesBetween(first, known({ openPorts: [22, 80] }), known({ openPorts: [80] }))
    expect(second).toEqual([{ what: 'ports', before: '22', after: '80' }])
    expect(changesBetween(second, known({ openPorts: [80] }), known({ openPorts: [22] }))).toEqual([])
  })

  it('is nothing where something was learnt for the first time, or did not answer this time', () => {
    const before = known({ snmp: null }, 'srv', '')
    expect(
      changesBetween([], before, known({ snmp: snmp({ sysDescr: 'Linux' }) }, 'srv', '02:00:00:00:00:01')),
    ).toEqual([])
    const facts0 = facts({
      snmp: snmp({ sysName: 'a', sysDescr: 'Linux' }),
      mac: '02:00:00:00:00:01',
      openPorts: [22],
      dnsName: 'a.b',
    })
    const silent = mergedFacts(facts0, { address: '10.0.0.1', ...facts({ rttMs: null }) }, false)
    expect(silent).toEqual({ ...facts0, rttMs: 1 })
  })

  it('tells another MAC address and another name', () => {
    expect(changesBetween([], known({}, 'a', '02:00:00:00:00:01'), known({}, 'b', '02:00:00:00:00:02'))).toEqual([
      { what: 'name', before: 'a', after: 'b' },
      { what: 'mac', before: '02:00:00:00:00:01', after: '02:00:00:00:00:02' },
    ])
  })

  it('names it by what it calls itself, then by DNS, then by its address; never by what says nothing', () => {
    const of = (more: Partial<Facts>) => nameOf({ address: '10.0.0.7', ...facts(more) })
    expect(of({ snmp: snmp({ sysName: 'sw1.lyon' }), dnsName: 'x.y' })).toBe('sw1.lyon')
    expect(of({ snmp: snmp({ sysName: 'localhost' }), dnsName: 'x.y.' })).toBe('x.y')
    expect(of({ snmp: snmp({ sysName: '(none)' }) })).toBe('10.0.0.7')
  })
})

describe('which host a found thing is', () => {
  const host = (id: number, address: string, name: string, siteId = 1) => ({
    id,
    address,
    nameFolded: fold(name),
    siteId,
  })
  const found = (address: string, more: Partial<Facts> = {}) => ({
    address,
    siteId: 1,
    names: namesOf(facts(more), fold),
  })

  it('is that of its address, in its own site first, however the address is written', () => {
    const hosts = [host(1, '10.0.0.1', 'a', 2), host(2, '10.0.0.1', 'b', 1), host(3, '2001:DB8:0::1', 'c')]
    expect(matchHost(found('10.0.0.1'), hosts, null)).toBe(2)
    expect(matchHost(found('2001:db8::1'), hosts, null)).toBe(3)
    expect(matchHost(found('10.0.0.9'), hosts, null)).toBeNull()
  })

  it('is one that a DNS name or a name designates alone in the site; two of a name designate none', () => {
    const hosts = [
      host(1, 'srv1.exemple.fr', 'x'),
      host(2, '10.9.9.9', 'SRV2'),
      host(3, '10.9.9.8', 'twin'),
      host(4, '10.9.9.7', 'twin'),
    ]
    expect(matchHost(found('10.0.0.1', { dnsName: 'srv1.exemple.fr' }), hosts, null)).toBe(1)
    expect(matchHost(found('10.0.0.2', { snmp: snmp({ sysName: 'srv2.exemple.fr' }) }), hosts, null)).toBe(2)
    expect(matchHost(found('10.0.0.3', { snmp: snmp({ sysName: 'twin' }) }), hosts, null)).toBeNull()
    expect(matchHost(found('10.0.0.3', { snmp: snmp({ sysName: 'twin' }) }), hosts, 9)).toBe(9)
  })
})

describe('parents that are proposed', () => {
  const node = (id: number, role: DiscoveryRole, more: Partial<Facts> = {}, hostId: number | null = null): Node => ({
    ...{ id, address: `10.0.0.${id}`, name: `n${id}`, role, hostId },
    facts: facts({ mac: `02:00:00:00:00:0${id}`, ...more }),
  })
  const sees = (...ids: number[]) =>
    ids.map(id => ({ localPort: 'p', chassis: `02:00:00:00:00:0${id}`, port: 'q', name: '', addresses: [] }))
  const parentsOf = (nodes: Node[], gateway: string | null = null, hosts: { id: number; address: string }[] = []) =>
    Object.fromEntries(
      [...proposeParents(nodes, hosts, gateway)].map(([id, one]) => [id, [one.source, one.findingId, one.hostId]]),
    )

  it('follow LLDP from the gateway outwards: router, core, access, end equipment', () => {
    const nodes = [
      node(1, 'router', { snmp: snmp(), neighbours: sees(2) }),
      node(2, 'switch', { snmp: snmp(), neighbours: sees(1, 3) }, 77),
      node(3, 'switch', { snmp: snmp(), neighbours: sees(2, 4) }),
      node(4, 'printer'),
      node(5, 'camera'),
    ]
    expect(parentsOf(nodes, '10.0.0.1')).toEqual({ 2: ['lldp', 1, null], 3: ['lldp', 2, 77], 4: ['lldp', 3, null] })
  })

  it('hang end equipment on the one switch that sees it when no way out is known, and nothing between switches', () => {
    const nodes = [
      node(2, 'switch', { snmp: snmp(), neighbours: sees(3, 4) }),
      node(3, 'switch', { snmp: snmp(), neighbours: sees(2, 5) }),
      node(4, 'linux-server'),
      node(5, 'printer'),
    ]
    expect(parentsOf(nodes)).toEqual({ 4: ['lldp', 2, null], 5: ['lldp', 3, null] })
  })

  it('take the last router of the traced way: found too, or supervised already', () => {
    const nodes = [
      node(1, 'router', { hops: [] }),
      node(7, 'linux-server', { hops: ['10.0.0.1'] }),
      node(8, 'unknown', { hops: [null, '10.9.0.1'] }),
    ]
    expect(parentsOf(nodes, null, [{ id: 42, address: '10.9.0.1' }])).toEqual({
      7: ['traceroute', 1, null],
      8: ['traceroute', null, 42],
    })
  })

  it('never close a circle, nor make a thing its own parent, whatever devices claim', () => {
    const id = fc.integer({ min: 1, max: 6 })
    const role = fc.constantFrom<DiscoveryRole>('switch', 'router', 'printer')
    const claim = fc.record({ role, seen: fc.array(id, { maxLength: 5 }), hop: fc.option(id) })
    fc.assert(
      fc.property(fc.array(claim, { minLength: 6, maxLength: 6 }), fc.option(id), (claims, gateway) => {
        const nodes = claims.map(({ role: own, seen, hop }, n) =>
          node(n + 1, own, { snmp: snmp(), neighbours: sees(...seen), hops: hop === null ? null : [`10.0.0.${hop}`] }),
        )
        const parents = proposeParents(nodes, [], gateway === null ? null : `10.0.0.${gateway}`)
        for (const start of nodes) {
          const seen = new Set<number>()
          for (let at: number | null = start.id; at !== null; at = parents.get(at)?.findingId ?? null) {
            expect(seen.has(at)).toBe(false)
            seen.add(at)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('when a range is gone through again', () => {
  const range = { recurrence: 'daily', atHour: 2, weekday: 1, enabled: true } as const
  const next = (more: object, afterIso: string, zone = 'Europe/Paris'): string | null => {
    const ms = nextRunAt({ ...range, ...more }, zone, Date.parse(afterIso))
    return ms === null ? null : new Date(ms).toISOString()
  }

  it('is its hour by the clocks of the site, the next day when it is past', () => {
    expect(next({}, '2026-01-15T00:30:00Z')).toBe('2026-01-15T01:00:00.000Z')
    expect(next({}, '2026-01-15T01:00:00Z')).toBe('2026-01-16T01:00:00.000Z')
    expect(next({}, '2026-07-15T12:00:00Z')).toBe('2026-07-16T00:00:00.000Z')
    expect(next({}, '2026-01-15T00:30:00Z', 'Asia/Kathmandu')).toBe('2026-01-15T20:15:00.000Z')
  })

  it('is its day of the week for weekly ones, and never for those that only people start or that are off', () => {
    expect(next({ recurrence: 'weekly', weekday: 7, atHour: 23 }, '2026-01-15T00:30:00Z')).toBe(
      '2026-01-18T22:00:00.000Z',
    )
    expect(next({ recurrence: 'manual' }, '2026-01-15T00:30:00Z')).toBeNull()
    expect(next({ enabled: false }, '2026-01-15T00:30:00Z')).toBeNull()
  })

  it('comes once on the days when clocks change', () => {
    // 29 March 2026: 02:00 does not exist in Paris; 25 October: it comes twice.
    expect(next({}, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
    expect(next({}, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z')
    expect(next({}, '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00:00.000Z')
  })
})
