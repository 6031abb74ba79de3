import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHostScene, type HostScene, SCENE_FAILURE } from '../testing/host-scene.ts'
import { type Answered, DIALECTS } from '../testing/test-app.ts'

describe.each(DIALECTS)('what hangs on what, on %s', dialect => {
  let scene: HostScene
  beforeEach(async () => {
    scene = await createHostScene(dialect)
  })
  afterEach(() => scene.test.close())
  /** The SSH of a host fails, at this instant. */
  const failSsh = async (scanner: number) => {
    expect(await scene.probe.post([{ scanner, failure: SCENE_FAILURE }])).toBe(204)
    await scene.test.app.monitoring.evaluation.idle()
  }
  const addSsh = async (name: string): Promise<number> => {
    const ssh = { name: 'SSH', kind: 'tcp', hostId: scene.idOf(name), parameters: { port: 22 } }
    return (await scene.admin.make('/api/Scanner/Create', ssh)).id
  }

  const servers = Array.from({ length: 50 }, (_, index) => `srv-${index + 1}`)
  const addSite = async () => {
    await scene.add('routeur')
    await scene.add('switch', 'routeur')
    for (const name of servers) await scene.add(name, 'switch')
    await scene.answer('routeur', 'switch', ...servers)
  }

  it('a router falls, then its switch, then 50 hosts: one incident with 51 hosts that it cuts off, one alert; then one recovery', async () => {
    await addSite()
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('routeur')
    await scene.failNow('switch')
    await scene.failNow(...servers)
    expect([scene.stateOf('routeur'), scene.stateOf('switch'), ...scene.statesOf(servers)]).toEqual([
      'down',
      'unreachable',
      'unreachable',
    ])
    const [incident, ...others] = await scene.incidents()
    expect(others).toEqual([])
    expect(incident).toMatchObject({ hostName: 'routeur', unreachable: 51, merged: 0, parentId: null })
    expect(await scene.incidents({ open: true, roots: false })).toHaveLength(1)
    expect(await scene.told()).toEqual(['routeur\u202f: Ping en erreur'])
    for (let round = 0; round < 4; round++) await scene.fail('routeur', 'switch', ...servers)
    expect(await scene.incidents({ roots: false })).toHaveLength(1)
    const lines = (await scene.detail(incident.id)).timeline.map(({ kind, text }: Answered) => [kind, text])
    expect(lines.slice(1)).toEqual([
      ['unreachable', '1 équipement injoignable\u202f: switch.'],
      ['unreachable', '50 équipements injoignables\u202f: srv-1, srv-2, srv-3 et 47 de plus.'],
    ])

    await scene.answer('routeur')
    expect(await scene.rechecked()).toEqual(['switch'])
    await scene.answerNow('switch')
    await scene.answerNow(...servers)
    expect(scene.statesOf(['routeur', 'switch', ...servers])).toEqual(['available'])
    expect(await scene.incidents({ open: true, roots: false })).toEqual([])
    expect(await scene.told()).toEqual(['routeur\u202f: Ping en erreur', 'routeur\u202f: Ping de nouveau OK'])
    const { effects } = await scene.detail(incident.id)
    expect(effects.filter(({ until }: Answered) => until === null)).toEqual([])
    expect(effects).toHaveLength(51)
    expect((await scene.kindsOf(incident.id)).slice(3)).toEqual(['closed', 'reachable', 'reachable'])
  })

  it('the same with the hosts seen first: what they hang on is checked at once, they wait for it, and one alert is given', async () => {
    await addSite()
    await scene.fail(...servers)
    expect(await scene.rechecked()).toEqual(['switch'])
    await scene.failNow('switch')
    expect(await scene.rechecked()).toContain('routeur')
    await scene.failNow('routeur')
    for (let attempt = 0; attempt < 2; attempt++) {
      await scene.fail(...servers)
      await scene.failNow('switch')
      await scene.failNow('routeur')
    }
    expect([scene.stateOf('routeur'), scene.stateOf('switch'), ...scene.statesOf(servers)]).toEqual([
      'down',
      'unreachable',
      'unreachable',
    ])
    expect(await scene.incidents({ roots: false })).toMatchObject([{ hostName: 'routeur', unreachable: 51, merged: 0 }])
    expect(await scene.told()).toEqual(['routeur\u202f: Ping en erreur'])
  })

  it('hosts that were told before what they hang on was known to be down are merged into its incident, and end in silence', async () => {
    await scene.add('routeur')
    await scene.add('switch', 'routeur')
    await scene.add('a', 'switch')
    await scene.add('b', 'switch')
    await scene.answer('routeur', 'switch', 'a', 'b')
    for (let attempt = 0; attempt < 3; attempt++) {
      await scene.fail('a', 'b')
      await scene.answerNow('switch')
    }
    expect([...scene.statesOf(['a', 'b']), scene.stateOf('switch')]).toEqual(['down', 'available'])
    for (let attempt = 0; attempt < 3; attempt++) {
      await scene.fail('switch', 'a', 'b')
      await scene.answerNow('routeur')
    }
    expect([scene.stateOf('switch'), ...scene.statesOf(['a', 'b'])]).toEqual(['down', 'unreachable'])
    expect(await scene.incidents()).toMatchObject([{ hostName: 'switch', merged: 2, unreachable: 2 }])
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('routeur')
    const [root, ...others] = await scene.incidents()
    expect(others).toEqual([])
    expect(root).toMatchObject({ hostName: 'routeur', merged: 3, unreachable: 3 })
    const all = await scene.incidents({ roots: false })
    expect(all.map(({ parentId }: Answered) => parentId).filter(Boolean)).toEqual([root.id, root.id, root.id])
    const before = await scene.told()
    expect(before).toHaveLength(4)
    await scene.answer('routeur')
    await scene.answerNow('switch')
    await scene.answerNow('a', 'b')
    expect((await scene.told()).slice(4)).toEqual(['routeur\u202f: Ping de nouveau OK'])
    expect(await scene.incidents({ open: true, roots: false })).toEqual([])
    const child = all.find(({ hostName }: Answered) => hostName === 'a')
    expect(await scene.kindsOf(child.id)).toEqual(['opened', 'merged', 'merged', 'closed'])
  })

  it('a host with one way left is down by itself: another parent that answers explains nothing away', async () => {
    await scene.add('routeur-1')
    await scene.add('routeur-2')
    await scene.add('srv', 'routeur-1', 'routeur-2')
    await scene.answer('routeur-1', 'routeur-2', 'srv')
    for (let attempt = 0; attempt < 3; attempt++) {
      await scene.fail('routeur-1', 'srv')
      await scene.answerNow('routeur-2')
    }
    expect([scene.stateOf('routeur-1'), scene.stateOf('srv')]).toEqual(['down', 'down'])
    expect(await scene.incidents()).toHaveLength(2)
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('routeur-2')
    expect(scene.stateOf('srv')).toBe('unreachable')
    const [srv] = await scene.incidents({ open: true, roots: false, hostId: scene.idOf('srv') })
    const { chain } = await scene.detail(srv.id)
    const hosts = chain.filter(({ kind }: Answered) => kind === 'host')
    expect(hosts.map(({ name, state }: Answered) => `${name} ${state}`)).toEqual([
      'routeur-2 Indisponible',
      'routeur-1 Indisponible',
      'srv Injoignable',
    ])
    expect(chain.filter(({ cause }: Answered) => cause)).toHaveLength(1)
    expect(hosts[2].evidence).toBe(
      'Ping\u202f: Équipement injoignable\u202f: tous ses parents sont indisponibles (routeur-1, routeur-2).',
    )
  })

  it('what is back but still holds a dead host lets it be told by itself, after its attempts', async () => {
    await scene.add('routeur')
    await scene.add('mort', 'routeur')
    await scene.answer('routeur', 'mort')
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('routeur', 'mort')
    expect(scene.stateOf('mort')).toBe('unreachable')
    await scene.answer('routeur')
    expect(await scene.rechecked()).toEqual(['mort'])
    for (let attempt = 1; attempt <= 2; attempt++) {
      await scene.fail('mort')
      expect(scene.stateOf('mort')).toBe('unreachable')
    }
    await scene.answerNow('routeur')
    await scene.fail('mort')
    expect(scene.stateOf('mort')).toBe('down')
    expect(await scene.told()).toEqual([
      'routeur\u202f: Ping en erreur',
      'routeur\u202f: Ping de nouveau OK',
      'mort\u202f: Ping en erreur',
    ])
  })

  it('a merged incident whose host is still bad stands for itself again, and is told', async () => {
    await scene.add('routeur')
    await scene.add('mort', 'routeur')
    await scene.answer('routeur', 'mort')
    for (let attempt = 0; attempt < 3; attempt++) {
      await scene.fail('mort')
      await scene.answerNow('routeur')
    }
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('routeur', 'mort')
    const [child] = await scene.incidents({ roots: false, hostId: scene.idOf('mort') })
    expect(child.parentId).not.toBeNull()
    await scene.answer('routeur')
    for (let attempt = 1; attempt <= 3; attempt++) await scene.fail('mort')
    expect(await scene.incidents()).toMatchObject([{ id: child.id, parentId: null, closedAt: null, reopened: 0 }])
    expect(await scene.kindsOf(child.id)).toEqual(['opened', 'merged', 'separated'])
    expect((await scene.told()).at(-1)).toBe('mort\u202f: Ping en erreur')
  })

  it('a parent of which nothing is heard holds a failure for a minute at most', async () => {
    await scene.add('routeur')
    await scene.add('srv', 'routeur')
    await scene.answer('routeur', 'srv')
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('srv')
    expect([scene.stateOf('srv'), await scene.told()]).toEqual(['available', []])
    await scene.test.app.monitoring.pass()
    expect(scene.stateOf('srv')).toBe('available')
    await scene.wait(60_000)
    await scene.test.app.monitoring.pass()
    expect([scene.stateOf('srv'), await scene.told()]).toEqual(['down', ['srv\u202f: Ping en erreur']])
  })

  it('a parent heard after the failure began lets it be confirmed at once', async () => {
    await scene.add('routeur')
    await scene.add('srv', 'routeur')
    await scene.answer('routeur', 'srv')
    await scene.fail('srv')
    await scene.answerNow('routeur')
    await scene.fail('srv')
    await scene.fail('srv')
    expect(scene.stateOf('srv')).toBe('down')
  })

  it('what answers behind a dead parent stays available, and what else fails on it is told', async () => {
    await scene.add('routeur')
    await scene.add('srv', 'routeur')
    const ssh = await addSsh('srv')
    await scene.answer('routeur', 'srv')
    for (let attempt = 0; attempt < 3; attempt++) {
      await scene.fail('routeur')
      await scene.answerNow('srv')
    }
    expect([scene.stateOf('routeur'), scene.stateOf('srv')]).toEqual(['down', 'available'])
    for (let attempt = 0; attempt < 3; attempt++) {
      await scene.answer('srv')
      await failSsh(ssh)
    }
    expect((await scene.told()).at(-1)).toBe('srv\u202f: SSH en erreur')
  })

  it('what hung on a host that is deleted is judged by itself, and an incident that it explained stands alone', async () => {
    await scene.add('routeur')
    await scene.add('a', 'routeur')
    await scene.add('b', 'routeur')
    await scene.answer('routeur', 'a', 'b')
    for (let attempt = 0; attempt < 3; attempt++) {
      await scene.fail('b')
      await scene.answerNow('routeur')
    }
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('routeur', 'a', 'b')
    expect(scene.statesOf(['a', 'b'])).toEqual(['unreachable'])
    const [b] = await scene.incidents({ hostId: scene.idOf('b'), roots: false })
    expect(b.parentId).not.toBeNull()
    expect((await scene.admin.call('DELETE', `/api/Host/Delete/${scene.idOf('routeur')}?cascade=true`)).status).toBe(
      200,
    )
    expect(await scene.incidents()).toMatchObject([{ id: b.id, parentId: null }])
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('a', 'b')
    expect(scene.statesOf(['a', 'b'])).toEqual(['down'])
    expect((await scene.told()).at(-1)).toBe('a\u202f: Ping en erreur')
  })

  it('what is not heard of any more behind a dead parent is unreachable for that reason', async () => {
    await scene.add('routeur')
    await scene.add('srv', 'routeur')
    await scene.answer('routeur', 'srv')
    for (let run = 0; run < 3; run++) await scene.fail('routeur')
    for (let run = 0; run < 5; run++) {
      await scene.listen(40_000)
      await scene.failNow('routeur')
    }
    const metrics = (await scene.admin.call('GET', `/api/Metric/Get?host=${scene.idOf('srv')}`)).body
    expect(new Set(metrics.map(({ cause }: Answered) => cause))).toEqual(new Set(['host-unreachable']))
    expect([scene.stateOf('srv'), await scene.told()]).toEqual(['unreachable', ['routeur\u202f: Ping en erreur']])
    expect(await scene.incidents()).toMatchObject([{ hostName: 'routeur', unreachable: 1 }])
  })

  it('other scanners of what is cut off are unknown for the same cause, and open nothing', async () => {
    await scene.add('routeur')
    await scene.add('srv', 'routeur')
    const ssh = await addSsh('srv')
    await scene.answer('routeur', 'srv')
    for (let attempt = 0; attempt < 4; attempt++) {
      await scene.fail('routeur', 'srv')
      await failSsh(ssh)
    }
    const metrics = (await scene.admin.call('GET', `/api/Metric/Get?host=${scene.idOf('srv')}`)).body
    expect(new Set(metrics.map(({ cause }: Answered) => cause))).toEqual(new Set(['host-unreachable']))
    expect(await scene.told()).toEqual(['routeur\u202f: Ping en erreur'])
  })
})
