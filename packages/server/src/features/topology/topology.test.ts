import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHostScene, type HostScene } from '../../testing/host-scene.ts'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { createTopologyService } from './topology.service.ts'

describe.each(DIALECTS)('the topology, on %s', dialect => {
  let scene: HostScene
  let branch: number
  beforeAll(async () => {
    scene = await createHostScene(dialect)
    await scene.add('core')
    await scene.add('edge', 'core')
    await scene.add('twin', 'core')
    await scene.add('server', 'edge', 'twin')
    await scene.add('alone')
    branch = (await scene.admin.make('/api/Site/Create', { name: 'Nantes', code: 'NTE' })).id
    const body = { name: 'branch', address: '192.0.2.9', siteId: branch, parentIds: [scene.idOf('edge')] }
    await scene.admin.make('/api/Host/Create', body)
    await scene.answer('core', 'edge', 'twin', 'server', 'alone')
  })
  afterAll(() => scene.test.close())

  const read = async (query = ''): Promise<Answered> => {
    const { status, body } = await scene.admin.call('GET', `/api/Dashboard/Get/Topology${query}`)
    expect([status, body.errors]).toEqual([200, undefined])
    return body
  }
  const namesOf = (body: Answered): string[] => body.hosts.map((host: { name: string }) => host.name)
  const of = (body: Answered, name: string): Answered => body.hosts.find((host: { name: string }) => host.name === name)

  it('tells every host with what it hangs on, what others hang on before them, and the probe that reaches it', async () => {
    const body = await read()
    expect(body.total).toBe(6)
    const names = namesOf(body)
    for (const [above, below] of [
      ['core', 'edge'],
      ['core', 'twin'],
      ['twin', 'server'],
      ['edge', 'branch'],
      ['server', 'alone'],
    ] as const)
      expect([above, below, names.indexOf(above) < names.indexOf(below)]).toEqual([above, below, true])
    expect(of(body, 'server').parents.toSorted()).toEqual([scene.idOf('edge'), scene.idOf('twin')].toSorted())
    expect(body.probes).toEqual([expect.objectContaining({ state: 'online' })])
    expect(of(body, 'core').probeId).toBe(body.probes[0].id)
    expect(body.sites.map((site: { name: string }) => site.name).toSorted()).toEqual(['Lyon', 'Nantes'])
  })

  it('of one site, tells its hosts and all through which they are reached, and nothing else', async () => {
    const body = await read(`?site=${branch}`)
    expect(namesOf(body).toSorted()).toEqual(['branch', 'core', 'edge'])
    expect(body.total).toBe(3)
  })

  it('says what is cut off: the one that is down, and what can no longer be reached', async () => {
    for (let time = 0; time < 3; time += 1) await scene.fail('core', 'edge', 'twin', 'server')
    const body = await read()
    expect(['core', 'edge', 'server', 'alone'].map(name => of(body, name).state)).toEqual([
      'down',
      'unreachable',
      'unreachable',
      'available',
    ])
  })

  it('refuses a site that is none (400), one that does not exist (404), and whoever is not signed in (401)', async () => {
    const { admin, test } = scene
    expect((await admin.call('GET', '/api/Dashboard/Get/Topology?site=0')).status).toBe(400)
    expect((await admin.call('GET', '/api/Dashboard/Get/Topology?site=9999')).status).toBe(404)
    expect((await test.anonymous().call('GET', '/api/Dashboard/Get/Topology')).status).toBe(401)
  })

  it('neither shows nor counts what one may not see', async () => {
    const { database, app } = scene.test
    const service = createTopologyService(database, app.monitoring, scene.now)
    const nobody = {
      ...{ userId: 0, login: '', sessionId: null, credential: '', firstConnection: false, signedInMs: 0 },
      claims: new Set<string>(),
      ...{ place: null, limits: new Map() },
    }
    const hidden = await service.read(nobody, null)
    expect([hidden.hosts, hidden.probes, hidden.sites, hidden.total]).toEqual([[], [], [], 0])
  })
})
