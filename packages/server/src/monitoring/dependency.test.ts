import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../testing/test-probe.ts'

const FAILURE = { code: 'timeout', message: 'Pas de réponse après 2 s.' } as const
const GOOD = { values: { rtt_avg: 1, loss_ratio: 0 } }

describe.each(DIALECTS)('what hangs on what, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let site: number
  let life: Map<string, number>
  let ids: Map<string, number>

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    const now = () => nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    probe = await enrolTestProbe(test, now)
    site = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    life = new Map()
    ids = new Map()
  })
  afterEach(() => test.close())

  /** Makes a host that hangs on others, and gives it its life test. */
  const add = async (name: string, ...parents: readonly string[]) => {
    const parentIds = parents.map(parent => ids.get(parent))
    const body = { name, address: '192.0.2.1', siteId: site, parentIds }
    const { id } = await admin.make('/api/Host/Create', body)
    ids.set(name, id)
    life.set(name, (await admin.call('GET', `/api/Scanner/Get?host=${id}`)).body[0].id)
  }
  /** Twenty seconds later, life tests of these hosts; those named in `failing` fail. */
  const run = async (names: readonly string[], isFailing: boolean, laterMs = 20_000) => {
    nowMs += laterMs
    const results = names.map(name => ({ scanner: life.get(name) ?? 0, ...(isFailing ? { failure: FAILURE } : GOOD) }))
    for (let start = 0; start < results.length; start += 100)
      expect(await probe.post(results.slice(start, start + 100))).toBe(204)
    await test.app.monitoring.evaluation.idle()
  }
  const fail = (...names: readonly string[]) => run(names, true)
  const answer = (...names: readonly string[]) => run(names, false)
  /** The same at the same instant. */
  const failNow = (...names: readonly string[]) => run(names, true, 0)
  const answerNow = (...names: readonly string[]) => run(names, false, 0)
  const stateOf = (name: string) => test.app.monitoring.model.hosts.get(ids.get(name) ?? 0)?.state
  const statesOf = (names: readonly string[]) => [...new Set(names.map(stateOf))]
  const told = async (): Promise<string[]> =>
    (await test.database.db.selectFrom('outbox').select('title').orderBy('id').execute()).map(row => row.title)
  const incidents = async (filters: Record<string, unknown> = { open: true }) =>
    (await admin.call('PUT', '/api/IncidentDatatable', { filters, length: -1 })).body.data
  const detail = async (id: number) => (await admin.call('GET', `/api/Incident/Detail/${id}`)).body
  const kindsOf = async (id: number): Promise<string[]> =>
    (await detail(id)).timeline.map(({ kind }: { kind: string }) => kind)
  const rechecked = async (): Promise<string[]> => {
    // The wish goes to the probe by a timer of its own.
    await new Promise(resolve => setTimeout(resolve, 60))
    const { orders } = await probe.orders()
    const scanners = orders.flatMap(order => (order.kind === 'recheck' ? order.scanners : []))
    return [...life].filter(([, scanner]) => scanners.includes(scanner)).map(([name]) => name)
  }

  const servers = Array.from({ length: 50 }, (_, index) => `srv-${index + 1}`)
  const addSite = async () => {
    await add('routeur')
    await add('switch', 'routeur')
    for (const name of servers) await add(name, 'switch')
    await answer('routeur', 'switch', ...servers)
  }

  it('a router falls, then its switch, then 50 hosts: one incident with 51 hosts that it cuts off, one alert; then one recovery', async () => {
    await addSite()
    for (let attempt = 0; attempt < 3; attempt++) await fail('routeur')
    await failNow('switch')
    await failNow(...servers)
    expect([stateOf('routeur'), stateOf('switch'), ...statesOf(servers)]).toEqual([
      'down',
      'unreachable',
      'unreachable',
    ])
    const [incident, ...others] = await incidents()
    expect(others).toEqual([])
    expect(incident).toMatchObject({ hostName: 'routeur', unreachable: 51, merged: 0, parentId: null })
    expect(await incidents({ open: true, roots: false })).toHaveLength(1)
    expect(await told()).toEqual(['routeur : Ping en erreur'])
    for (let round = 0; round < 4; round++) await fail('routeur', 'switch', ...servers)
    expect(await incidents({ roots: false })).toHaveLength(1)
    const lines = (await detail(incident.id)).timeline.map(({ kind, text }: { kind: string; text: string }) => [
      kind,
      text,
    ])
    expect(lines.slice(1)).toEqual([
      ['unreachable', '1 équipement injoignable\u202f: switch.'],
      ['unreachable', '50 équipements injoignables\u202f: srv-1, srv-2, srv-3 et 47 de plus.'],
    ])

    await answer('routeur')
    expect(await rechecked()).toEqual(['switch'])
    await answerNow('switch')
    await answerNow(...servers)
    expect(statesOf(['routeur', 'switch', ...servers])).toEqual(['available'])
    expect(await incidents({ open: true, roots: false })).toEqual([])
    expect(await told()).toEqual(['routeur : Ping en erreur', 'routeur : Ping de nouveau OK'])
    const { effects } = await detail(incident.id)
    expect(effects.filter(({ until }: { until: string | null }) => until === null)).toEqual([])
    expect(effects).toHaveLength(51)
    expect((await kindsOf(incident.id)).slice(3)).toEqual(['closed', 'reachable', 'reachable'])
  })

  it('the same with the hosts seen first: what they hang on is checked at once, they wait for it, and one alert is given', async () => {
    await addSite()
    await fail(...servers)
    expect(await rechecked()).toEqual(['switch'])
    await failNow('switch')
    expect(await rechecked()).toContain('routeur')
    await failNow('routeur')
    for (let attempt = 0; attempt < 2; attempt++) {
      await fail(...servers)
      await failNow('switch')
      await failNow('routeur')
    }
    expect([stateOf('routeur'), stateOf('switch'), ...statesOf(servers)]).toEqual([
      'down',
      'unreachable',
      'unreachable',
    ])
    expect(await incidents({ roots: false })).toMatchObject([{ hostName: 'routeur', unreachable: 51, merged: 0 }])
    expect(await told()).toEqual(['routeur : Ping en erreur'])
  })

  it('hosts that were told before what they hang on was known to be down are merged into its incident, and end in silence', async () => {
    await add('routeur')
    await add('switch', 'routeur')
    await add('a', 'switch')
    await add('b', 'switch')
    await answer('routeur', 'switch', 'a', 'b')
    for (let attempt = 0; attempt < 3; attempt++) {
      await fail('a', 'b')
      await answerNow('switch')
    }
    expect([...statesOf(['a', 'b']), stateOf('switch')]).toEqual(['down', 'available'])
    for (let attempt = 0; attempt < 3; attempt++) {
      await fail('switch', 'a', 'b')
      await answerNow('routeur')
    }
    expect([stateOf('switch'), ...statesOf(['a', 'b'])]).toEqual(['down', 'unreachable'])
    expect(await incidents()).toMatchObject([{ hostName: 'switch', merged: 2, unreachable: 2 }])
    for (let attempt = 0; attempt < 3; attempt++) await fail('routeur')
    const [root, ...others] = await incidents()
    expect(others).toEqual([])
    expect(root).toMatchObject({ hostName: 'routeur', merged: 3, unreachable: 3 })
    const all = await incidents({ roots: false })
    expect(all.map(({ parentId }: { parentId: number | null }) => parentId).filter(Boolean)).toEqual([
      root.id,
      root.id,
      root.id,
    ])
    const before = await told()
    expect(before).toHaveLength(4)
    await answer('routeur')
    await answerNow('switch')
    await answerNow('a', 'b')
    expect((await told()).slice(4)).toEqual(['routeur : Ping de nouveau OK'])
    expect(await incidents({ open: true, roots: false })).toEqual([])
    const child = all.find(({ hostName }: { hostName: string }) => hostName === 'a')
    expect(await kindsOf(child.id)).toEqual(['opened', 'merged', 'merged', 'closed'])
  })

  it('a host with one way left is down by itself: another parent that answers explains nothing away', async () => {
    await add('routeur-1')
    await add('routeur-2')
    await add('srv', 'routeur-1', 'routeur-2')
    await answer('routeur-1', 'routeur-2', 'srv')
    for (let attempt = 0; attempt < 3; attempt++) {
      await fail('routeur-1', 'srv')
      await answerNow('routeur-2')
    }
    expect([stateOf('routeur-1'), stateOf('srv')]).toEqual(['down', 'down'])
    expect(await incidents()).toHaveLength(2)
    for (let attempt = 0; attempt < 3; attempt++) await fail('routeur-2')
    expect(stateOf('srv')).toBe('unreachable')
    const [srv] = await incidents({ open: true, roots: false, hostId: ids.get('srv') })
    const { chain } = await detail(srv.id)
    const hosts = chain.filter(({ kind }: { kind: string }) => kind === 'host')
    expect(hosts.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)).toEqual([
      'routeur-2 Indisponible',
      'routeur-1 Indisponible',
      'srv Injoignable',
    ])
    expect(chain.filter(({ cause }: { cause: boolean }) => cause)).toHaveLength(1)
    expect(hosts[2].evidence).toBe(
      'Ping\u202f: Équipement injoignable\u202f: tous ses parents sont indisponibles (routeur-1, routeur-2).',
    )
  })

  it('what is back but still holds a dead host lets it be told by itself, after its attempts', async () => {
    await add('routeur')
    await add('mort', 'routeur')
    await answer('routeur', 'mort')
    for (let attempt = 0; attempt < 3; attempt++) await fail('routeur', 'mort')
    expect(stateOf('mort')).toBe('unreachable')
    await answer('routeur')
    expect(await rechecked()).toEqual(['mort'])
    for (let attempt = 1; attempt <= 2; attempt++) {
      await fail('mort')
      expect(stateOf('mort')).toBe('unreachable')
    }
    await answerNow('routeur')
    await fail('mort')
    expect(stateOf('mort')).toBe('down')
    expect(await told()).toEqual(['routeur : Ping en erreur', 'routeur : Ping de nouveau OK', 'mort : Ping en erreur'])
  })

  it('a merged incident whose host is still bad stands for itself again, and is told', async () => {
    await add('routeur')
    await add('mort', 'routeur')
    await answer('routeur', 'mort')
    for (let attempt = 0; attempt < 3; attempt++) {
      await fail('mort')
      await answerNow('routeur')
    }
    for (let attempt = 0; attempt < 3; attempt++) await fail('routeur', 'mort')
    const [child] = await incidents({ roots: false, hostId: ids.get('mort') })
    expect(child.parentId).not.toBeNull()
    await answer('routeur')
    for (let attempt = 1; attempt <= 3; attempt++) await fail('mort')
    expect(await incidents()).toMatchObject([{ id: child.id, parentId: null, closedAt: null, reopened: 0 }])
    expect(await kindsOf(child.id)).toEqual(['opened', 'merged', 'separated'])
    expect((await told()).at(-1)).toBe('mort : Ping en erreur')
  })

  it('a parent of which nothing is heard holds a failure for a minute at most', async () => {
    await add('routeur')
    await add('srv', 'routeur')
    await answer('routeur', 'srv')
    for (let attempt = 0; attempt < 3; attempt++) await fail('srv')
    expect([stateOf('srv'), await told()]).toEqual(['available', []])
    await test.app.monitoring.pass()
    expect(stateOf('srv')).toBe('available')
    nowMs += 60_000
    await test.app.monitoring.pass()
    expect([stateOf('srv'), await told()]).toEqual(['down', ['srv : Ping en erreur']])
  })

  it('a parent heard after the failure began lets it be confirmed at once', async () => {
    await add('routeur')
    await add('srv', 'routeur')
    await answer('routeur', 'srv')
    await fail('srv')
    await answerNow('routeur')
    await fail('srv')
    await fail('srv')
    expect(stateOf('srv')).toBe('down')
  })

  it('what answers behind a dead parent stays available, and what else fails on it is told', async () => {
    await add('routeur')
    await add('srv', 'routeur')
    const ssh = await admin.make('/api/Scanner/Create', {
      ...{ name: 'SSH', kind: 'tcp', hostId: ids.get('srv'), parameters: { port: 22 } },
    })
    await answer('routeur', 'srv')
    for (let attempt = 0; attempt < 3; attempt++) {
      await fail('routeur')
      await answerNow('srv')
    }
    expect([stateOf('routeur'), stateOf('srv')]).toEqual(['down', 'available'])
    for (let attempt = 0; attempt < 3; attempt++) {
      await answer('srv')
      expect(await probe.post([{ scanner: ssh.id, failure: FAILURE }])).toBe(204)
      await test.app.monitoring.evaluation.idle()
    }
    expect((await told()).at(-1)).toBe('srv : SSH en erreur')
  })

  it('other scanners of what is cut off are unknown for the same cause, and open nothing', async () => {
    await add('routeur')
    await add('srv', 'routeur')
    const ssh = await admin.make('/api/Scanner/Create', {
      ...{ name: 'SSH', kind: 'tcp', hostId: ids.get('srv'), parameters: { port: 22 } },
    })
    await answer('routeur', 'srv')
    for (let attempt = 0; attempt < 4; attempt++) {
      await fail('routeur', 'srv')
      expect(await probe.post([{ scanner: ssh.id, failure: FAILURE }])).toBe(204)
      await test.app.monitoring.evaluation.idle()
    }
    const metrics = (await admin.call('GET', `/api/Metric/Get?host=${ids.get('srv')}`)).body
    expect(new Set(metrics.map(({ cause }: { cause: string }) => cause))).toEqual(new Set(['host-unreachable']))
    expect(await told()).toEqual(['routeur : Ping en erreur'])
  })
})
