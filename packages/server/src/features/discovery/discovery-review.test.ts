import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { discoveryKit, found, snmp } from './testing-discovery.ts'

describe.each(DIALECTS)('what discoveries found, on %s', dialect => {
  const kit = discoveryKit()
  let switchModel: Answered
  beforeAll(async () => {
    await kit.open(dialect)
    switchModel = await kit.make('/api/Model/Create', {
      name: 'Mon commutateur',
      definition: {
        scanners: [
          { item: 'p', name: 'Ping', kind: 'ping' },
          { item: 'w', name: 'Page', kind: 'tcp', parameters: { port: 80 } },
        ],
      },
    })
    await kit.test.database.db.insertInto('shipped_model').values({ key: 'switch', model_id: switchModel.id }).execute()
  })
  afterAll(() => kit.test.close())

  const approve = async (items: object[], plan = false): Promise<Answered> => {
    const answer = await kit.admin.call('POST', '/api/Discovery/Finding/Approve', { items, plan })
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer.body
  }
  const statesOf = async (rangeId: number): Promise<Record<string, string>> =>
    Object.fromEntries((await kit.findings(rangeId)).map((one: Answered) => [one.address.split('.').at(-1), one.state]))
  const SWITCH = snmp({
    sysName: 'sw-1',
    sysDescr: 'ProCurve Switch 2510',
    sysObjectId: '1.3.6.1.4.1.11.2.3.7.11.78',
    macs: ['02:00:00:00:01:01'],
  })

  it('goes from new to known, changed, vanished and back, and tells what changed until it is accepted', async () => {
    const range = await kit.range()
    const base = range.ranges.replace('0/28', '')
    const host = await kit.make('/api/Host/Create', { name: 'srv-a', address: `${base}1`, siteId: kit.siteId })
    await kit.run(range.id, [
      found(`${base}1`, { openPorts: [22] }),
      found(`${base}2`, { openPorts: [22], mac: '02:00:00:00:00:02' }),
      found(`${base}3`),
    ])
    expect(await statesOf(range.id)).toEqual({ 1: 'known', 2: 'new', 3: 'new' })
    expect(await kit.finding(range.id, `${base}1`)).toMatchObject({ hostId: host.id, hostName: 'srv-a' })

    const second = await kit.run(range.id, [
      found(`${base}1`, { openPorts: [22] }),
      found(`${base}2`, { openPorts: [22, 80], mac: '02:00:00:00:00:99' }),
    ])
    expect(second).toMatchObject({ added: 0, changed: 1, vanished: 1 })
    expect(await statesOf(range.id)).toEqual({ 1: 'known', 2: 'changed', 3: 'vanished' })
    const changed = await kit.finding(range.id, `${base}2`)
    expect(changed.changes).toEqual([
      { what: 'mac', before: '02:00:00:00:00:02', after: '02:00:00:00:00:99' },
      { what: 'ports', before: '22', after: '22, 80' },
    ])
    const gone = await kit.finding(range.id, `${base}3`)
    expect(gone.vanishedSince).toBe(new Date(kit.clock.now()).toISOString())

    const review = (action: string, ...ids: number[]) =>
      kit.admin.call('POST', '/api/Discovery/Finding/Review', { action, ids })
    expect((await review('accept', changed.id)).body).toEqual({ changed: 1 })
    await review('ignore', gone.id)
    expect(await statesOf(range.id)).toEqual({ 1: 'known', 2: 'new', 3: 'ignored' })
    await kit.run(range.id, [found(`${base}2`, { openPorts: [22, 80] }), found(`${base}3`)])
    await review('restore', gone.id)
    expect(await statesOf(range.id)).toEqual({ 1: 'vanished', 2: 'new', 3: 'new' })
    await review('forget', gone.id)
    expect(await statesOf(range.id)).toEqual({ 1: 'vanished', 2: 'new' })
  })

  it('makes several hosts in one go with site, probe, type, model, tags and parents; the plan says it before, and deleting undoes it', async () => {
    const range = await kit.range({ probeId: kit.probe.id })
    const base = range.ranges.replace('0/28', '')
    await kit.run(
      range.id,
      [
        found(`${base}1`, {
          snmp: SWITCH,
          neighbours: [{ localPort: '3', chassis: '02:00:00:00:03:03', port: 'eth0', name: '', addresses: [] }],
        }),
        found(`${base}3`, { mac: '02:00:00:00:03:03', dnsName: 'imp-3.lyon', openPorts: [9100] }),
      ],
      { gateway: `${base}1` },
    )
    const [sw, printer] = [await kit.finding(range.id, `${base}1`), await kit.finding(range.id, `${base}3`)]
    expect(sw).toMatchObject({
      name: 'sw-1',
      role: 'switch',
      mac: '02:00:00:00:01:01',
      proposal: {
        typeName: 'Commutateur',
        monitoringModels: [{ id: switchModel.id, name: 'Mon commutateur' }],
        parent: null,
      },
    })
    expect(printer).toMatchObject({
      role: 'printer',
      proposal: {
        typeName: 'Imprimante',
        monitoringModels: [],
        parent: { hostId: null, findingId: sw.id, name: 'sw-1', source: 'lldp' },
      },
    })

    const items = [{ findingId: sw.id }, { findingId: printer.id, name: 'Imprimante accueil', tags: ['accueil'] }]
    const plan = await approve(items, true)
    expect(plan.created).toEqual([
      {
        findingId: sw.id,
        hostId: null,
        name: 'sw-1',
        wantedName: null,
        address: `${base}1`,
        siteName: 'Lyon',
        typeName: 'Commutateur',
        monitoringModels: ['Mon commutateur'],
        parents: [],
        scanners: 2,
      },
      {
        findingId: printer.id,
        hostId: null,
        name: 'Imprimante accueil',
        wantedName: null,
        address: `${base}3`,
        siteName: 'Lyon',
        typeName: 'Imprimante',
        monitoringModels: [],
        parents: ['sw-1'],
        scanners: 1,
      },
    ])
    expect(await statesOf(range.id)).toEqual({ 1: 'new', 3: 'new' })

    const done = await approve(items)
    expect(done.created.map(({ hostId: _, ...one }: Answered) => one)).toEqual(
      plan.created.map(({ hostId: _, ...one }: Answered) => one),
    )
    const [swHost, printerHost] = done.created.map((one: Answered) => one.hostId)
    const host = (await kit.admin.call('GET', `/api/Host/Get/${printerHost}`)).body
    expect(host).toMatchObject({
      name: 'Imprimante accueil',
      typeName: 'Imprimante',
      tags: ['accueil'],
      parents: [{ id: swHost, name: 'sw-1' }],
      scanners: 1,
      probeId: kit.probe.id,
    })
    const scanners = (await kit.admin.call('GET', `/api/Scanner/Get?host=${swHost}`)).body
    expect(scanners.map((one: Answered) => [one.kind, one.name])).toEqual(
      expect.arrayContaining([
        ['ping', 'Ping'],
        ['tcp', 'Page'],
      ]),
    )
    expect(scanners).toHaveLength(2)
    expect(await statesOf(range.id)).toEqual({ 1: 'known', 3: 'known' })
    // The probe is told at once of what to check.
    const { configuration } = await kit.probe.orders()
    expect(configuration?.checks.filter(({ address }) => address.startsWith(base))).toHaveLength(3)
    // Who did it is audited, host by host.
    const history = (await kit.admin.call('GET', `/api/History/Get?object=host&id=${printerHost}`)).body
    expect(JSON.stringify(history)).toContain('admin')

    const again = await approve([{ findingId: sw.id }])
    expect(again).toMatchObject({
      created: [],
      refused: [{ findingId: sw.id, error: expect.stringContaining('sw-1') }],
    })
    await kit.admin.call('DELETE', `/api/Host/Delete/${printerHost}`)
    expect(await statesOf(range.id)).toEqual({ 1: 'known', 3: 'new' })
  })

  it('numbers names that are taken, refuses what vanished or whose address a host has, and makes the rest', async () => {
    const range = await kit.range()
    const base = range.ranges.replace('0/28', '')
    await kit.make('/api/Host/Create', { name: 'Twin', address: '192.0.2.77', siteId: kit.siteId })
    const twins = [1, 2, 3, 4].map(n => found(`${base}${n}`, { dnsName: 'twin' }))
    await kit.run(range.id, [...twins, found(`${base}9`)])
    // Their name is that of a host: by name alone they would all be it, so that the first run says so.
    const states = await statesOf(range.id)
    expect(states).toMatchObject({ 1: 'known', 9: 'new' })
    await kit.test.database.db
      .updateTable('discovery_finding')
      .set({ host_id: null })
      .where('range_id', '=', range.id)
      .execute()
    await kit.test.database.db
      .updateTable('discovery_finding')
      .set({ vanished_at: kit.clock.now() })
      .where('address', '=', `${base}3`)
      .execute()
    await kit.make('/api/Host/Create', { name: 'pris', address: `${base}4`, siteId: kit.siteId })
    const all = await kit.findings(range.id)
    const done = await approve(all.map((one: Answered) => ({ findingId: one.id })))
    expect(done.created.map((one: Answered) => [one.name, one.wantedName])).toEqual(
      expect.arrayContaining([
        ['twin (2)', 'twin'],
        ['twin (3)', 'twin'],
        [`${base}9`, null],
      ]),
    )
    expect(done.refused.map((one: Answered) => one.error).toSorted()).toEqual([
      expect.stringContaining('ne répond plus'),
      expect.stringContaining('pris'),
    ])
  })

  it('recognises a host that moved by its MAC address, and says from where', async () => {
    const range = await kit.range()
    const base = range.ranges.replace('0/28', '')
    const mac = '02:00:00:00:aa:01'
    await kit.run(range.id, [found(`${base}5`, { mac })])
    const before = await kit.finding(range.id, `${base}5`)
    const { created } = await approve([{ findingId: before.id, name: 'mobile' }])
    const run = await kit.run(range.id, [found(`${base}6`, { mac })])
    expect(run).toMatchObject({ added: 1, changed: 1, vanished: 1 })
    expect(await kit.finding(range.id, `${base}6`)).toMatchObject({
      hostId: created[0].hostId,
      state: 'changed',
      changes: [{ what: 'address', before: `${base}5`, after: `${base}6` }],
    })
  })

  it('proposes a supervised router of the traced way as parent, and the choice of a person wins', async () => {
    const range = await kit.range({ methods: ['ping', 'traceroute'] })
    const base = range.ranges.replace('0/28', '')
    const router = await kit.make('/api/Host/Create', { name: 'rtr', address: '10.250.0.1', siteId: kit.siteId })
    await kit.run(range.id, [found(`${base}1`, { hops: ['10.250.0.1'] }), found(`${base}2`, { hops: ['10.250.0.1'] })])
    const [one, two] = [await kit.finding(range.id, `${base}1`), await kit.finding(range.id, `${base}2`)]
    expect(one.proposal.parent).toEqual({ hostId: router.id, findingId: null, name: 'rtr', source: 'traceroute' })
    const { created } = await approve([{ findingId: one.id }, { findingId: two.id, parentIds: [] }])
    expect(created.map((host: Answered) => host.parents)).toEqual([['rtr'], []])
  })

  it('forgets what is outside of a range that shrinks, and all of it with the range; hosts stay', async () => {
    const range = await kit.range()
    const base = range.ranges.replace('0/28', '')
    await kit.run(range.id, [found(`${base}1`), found(`${base}9`)])
    const { created } = await approve([{ findingId: (await kit.finding(range.id, `${base}9`)).id }])
    const { updatedAt } = (await kit.admin.call('GET', `/api/Discovery/Range/Get/${range.id}`)).body
    const body = { ...range, ranges: `${base}1-7`, updatedAt }
    expect((await kit.admin.call('PUT', `/api/Discovery/Range/Update/${range.id}`, body)).body.addresses).toBe(7)
    expect((await kit.admin.call('PUT', `/api/Discovery/Range/Update/${range.id}`, body)).status).toBe(409)
    expect(await statesOf(range.id)).toEqual({ 1: 'new' })
    expect((await kit.admin.call('DELETE', `/api/Discovery/Range/Delete/${range.id}`)).body).toEqual({
      deleted: true,
      findings: 1,
    })
    expect((await kit.admin.call('GET', `/api/Host/Get/${created[0].hostId}`)).status).toBe(200)
  })

  it('sorts by address as addresses go, searches and filters by state and role', async () => {
    const range = await kit.range({ ranges: '10.240.0.0/24' })
    await kit.run(range.id, [
      found('10.240.0.100'),
      found('10.240.0.9', { dnsName: 'neuf.lyon' }),
      found('10.240.0.20', { openPorts: [9100] }),
    ])
    const list = async (request: object) =>
      (
        await kit.admin.call('PUT', '/api/DiscoveryDatatable', { filters: { rangeId: range.id }, ...request })
      ).body.data.map((one: Answered) => one.address)
    expect(await list({})).toEqual(['10.240.0.9', '10.240.0.20', '10.240.0.100'])
    expect(await list({ search: { value: 'NEUF' } })).toEqual(['10.240.0.9'])
    expect(await list({ filters: { rangeId: range.id, role: ['printer'] } })).toEqual(['10.240.0.20'])
    expect(await list({ filters: { rangeId: range.id, state: ['known'] } })).toEqual([])
  })
})
