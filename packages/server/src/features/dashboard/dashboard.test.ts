import { HOST_STATES } from '@narval/contracts'
import { SEVERITIES } from '@narval/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHostScene, type HostScene } from '../../testing/host-scene.ts'
import { DIALECTS } from '../../testing/test-app.ts'

describe.each(DIALECTS)('the dashboard on %s', dialect => {
  let scene: HostScene
  beforeAll(async () => {
    scene = await createHostScene(dialect)
    for (const name of ['Routeur', 'serveur', 'Étuve']) await scene.add(name)
    await scene.answer('Routeur', 'serveur', 'Étuve')
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail('serveur')
  })
  afterAll(() => scene.test.close())

  const grid = async () => (await scene.admin.call('GET', '/api/Dashboard/Get/Host')).body

  it('the grid has every host once by columns, in the order of names without case and accents', async () => {
    const { at, ...told } = await grid()
    expect(Date.parse(at)).toBe(scene.now())
    expect(told).toEqual({
      sites: [{ id: scene.siteId, name: 'Lyon' }],
      types: [],
      id: ['Étuve', 'Routeur', 'serveur'].map(scene.idOf),
      name: ['Étuve', 'Routeur', 'serveur'],
      site: [0, 0, 0],
      type: [null, null, null],
      state: ['available', 'available', 'down'].map(state => HOST_STATES.findIndex(one => one === state)),
      severity: ['unknown', 'unknown', 'error'].map(severity => SEVERITIES.findIndex(one => one === severity)),
      age: expect.any(Array),
      inMaintenance: [],
      acknowledged: [],
    })
    expect(told.age[2]).toBeLessThan(120)
  })

  it('a host counts as taken care of once its incidents are acknowledged', async () => {
    const [incident] = await scene.incidents()
    const body = { comment: 'vu', sticky: true }
    expect((await scene.admin.call('POST', `/api/Incident/Acknowledge/${incident.id}`, body)).status).toBe(200)
    expect((await grid()).acknowledged).toEqual([scene.idOf('serveur')])
  })

  it('the list as a file holds all that its filter matches, and refuses a filter that is none', async () => {
    const file = (filters: object) => scene.admin.file('/api/DashboardDatatable', 'text/csv', { length: 1, filters })
    const lines = async (filters: object) => (await file(filters)).text.trim().split('\r\n')
    expect((await lines({ view: 'all' })).length).toBeGreaterThan(3)
    const [head, ...problems] = await lines({ view: 'problems' })
    expect(head).toContain('Équipement;Métrique;Site;Sonde;Valeur')
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.every(line => line.includes(';serveur;'))).toBe(true)
    expect((await lines({ view: 'unhandled' })).length).toBe(1)
    expect((await file({ view: 'x' })).status).toBe(400)
  })
})
