import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHostScene, type HostScene } from '../../testing/host-scene.ts'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'

describe.each(DIALECTS)('what explains what is unknown, on %s', dialect => {
  let scene: HostScene
  beforeEach(async () => {
    scene = await createHostScene(dialect)
    await scene.add('rtr')
    await scene.add('srv-b', 'rtr')
    await scene.add('Été', 'rtr')
    await scene.answer('rtr', 'srv-b', 'Été')
  })
  afterEach(() => scene.test.close())

  const causes = async (name: string): Promise<Answered> =>
    (await scene.admin.call('GET', `/api/Incident/Get/Cause?host=${scene.idOf(name)}`)).body

  it('the incident of a silent probe lists by name the hosts that are unknown because of it, and each leads to it', async () => {
    await scene.listen(70_000)
    const [incident] = await scene.incidents({ kind: 'probe', open: true })
    const { effects, effectHosts } = await scene.detail(incident.id)
    expect(effectHosts).toBe(3)
    expect(effects.map(({ hostName, until }: Answered) => [hostName, until])).toEqual([
      ['Été', null],
      ['rtr', null],
      ['srv-b', null],
    ])
    expect(await causes('srv-b')).toEqual([
      {
        cause: 'probe-offline',
        incidentId: incident.id,
        title: 'Sonde d’essai hors ligne',
        scannerIds: [scene.scannerOf('srv-b')],
      },
    ])
    await scene.answer('rtr', 'Été')
    const again = await scene.detail(incident.id)
    expect([again.effectHosts, again.effects.map(({ hostName }: Answered) => hostName)]).toEqual([1, ['srv-b']])
    expect(await causes('rtr')).toEqual([])
  })

  it('a host that can’t be reached leads to the incident at which the cut begins; what answers has nothing to explain', async () => {
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('rtr', 'srv-b')
    expect(scene.stateOf('srv-b')).toBe('unreachable')
    const [incident] = await scene.incidents({ open: true })
    expect(await causes('srv-b')).toMatchObject([
      { cause: 'host-unreachable', incidentId: incident.id, title: expect.stringContaining('rtr') },
    ])
    expect([await causes('rtr'), await causes('Été')]).toEqual([[], []])
    expect((await scene.detail(incident.id)).effectHosts).toBe(1)
    expect((await scene.admin.call('GET', '/api/Incident/Get/Cause?host=9999')).status).toBe(404)
    expect((await scene.admin.call('GET', '/api/Incident/Get/Cause')).status).toBe(400)
  })
})
