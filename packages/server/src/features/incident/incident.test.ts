import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHostScene, type HostScene, SCENE_FAILURE } from '../../testing/host-scene.ts'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'

describe.each(DIALECTS)('incidents, on %s', dialect => {
  let scene: HostScene
  beforeEach(async () => {
    scene = await createHostScene(dialect)
    for (const name of ['Élan', 'bond', 'cap']) await scene.add(name)
    await scene.answer('Élan', 'bond', 'cap')
  })
  afterEach(() => scene.test.close())

  const fall = async (...names: readonly string[]) => {
    for (let attempt = 0; attempt < 3; attempt++) await scene.fail(...names)
  }
  const incidentOf = async (name: string): Promise<Answered> =>
    (await scene.incidents({ hostId: scene.idOf(name), roots: false }))[0]
  const merge = (id: number, into: number) => scene.admin.call('POST', `/api/Incident/Merge/${id}`, { into })
  const separate = (id: number) => scene.admin.call('POST', `/api/Incident/Separate/${id}`)
  const namesOf = async (filters: Record<string, unknown>, search = ''): Promise<string[]> => {
    const body = { filters, search: { value: search }, length: -1 }
    const { status, body: page } = await scene.admin.call('PUT', '/api/IncidentDatatable', body)
    expect(status).toBe(200)
    return page.data.map(({ hostName }: Answered) => hostName).toSorted()
  }

  it('are found by state, kind, severity, place, who has acknowledged or owns them, period and text', async () => {
    await fall('Élan')
    const first = scene.now()
    await scene.wait(3_600_000)
    await fall('bond', 'cap')
    await scene.answer('Élan')
    const { id } = await incidentOf('cap')
    await scene.admin.call('POST', `/api/Incident/Acknowledge/${id}`, { comment: 'Vu' })
    expect(await namesOf({ open: true })).toEqual(['bond', 'cap'])
    expect(await namesOf({ open: false })).toEqual(['Élan'])
    expect(await namesOf({ kind: 'metric', severity: 'error', siteId: scene.siteId })).toHaveLength(3)
    expect(await namesOf({ kind: ['probe', 'link'] })).toEqual([])
    expect(await namesOf({ severity: ['warning', 'unknown'] })).toEqual([])
    expect(await namesOf({ hostId: scene.idOf('bond') })).toEqual(['bond'])
    expect(await namesOf({ acknowledged: true })).toEqual(['cap'])
    expect(await namesOf({ acknowledged: false, open: true })).toEqual(['bond'])
    expect(await namesOf({ owner: 'admin' })).toEqual([])
    const iso = (ms: number) => new Date(ms).toISOString()
    expect(await namesOf({ period: [iso(first - 3_600_000), iso(first + 60_000)] })).toEqual(['Élan'])
    expect(await namesOf({ period: [iso(scene.now()), ''] })).toHaveLength(3)
    expect(await namesOf({ period: ['', iso(first - 3_600_000)] })).toEqual([])
    expect(await namesOf({}, 'elan')).toEqual(['Élan'])
    expect(await namesOf({}, 'pas de réponse après 2')).toHaveLength(3)
    const refused = await scene.admin.call('PUT', '/api/IncidentDatatable', { filters: { period: ['hier', ''] } })
    expect([refused.status, refused.body.errors ?? refused.body.detail]).toEqual([400, expect.anything()])
    expect((await scene.admin.call('PUT', '/api/IncidentDatatable', { filters: { unknown: 1 } })).status).toBe(400)
  })

  it('that are merged by hand are listed with the one that explains them, and chains become flat', async () => {
    await fall('Élan', 'bond', 'cap')
    const [a, b, c] = [await incidentOf('Élan'), await incidentOf('bond'), await incidentOf('cap')]
    expect((await merge(b.id, a.id)).body).toMatchObject({ id: b.id, parentId: a.id })
    expect(await namesOf({ open: true })).toEqual(['cap', 'Élan'])
    expect(await namesOf({ open: true, roots: false })).toHaveLength(3)
    expect((await merge(a.id, c.id)).body.parentId).toBe(c.id)
    expect([(await incidentOf('bond')).parentId, (await incidentOf('cap')).merged]).toEqual([c.id, 2])
    const root = await scene.detail(c.id)
    expect(root.merged.map(({ id }: Answered) => id).toSorted()).toEqual([a.id, b.id].toSorted())
    expect(root.timeline.at(-1)).toMatchObject({ kind: 'merged', actor: 'admin' })
    expect((await scene.kindsOf(b.id)).slice(-1)).toEqual(['merged'])
    const audit = await scene.test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('object', '=', `incident ${b.id}`)
      .orderBy('id')
      .execute()
    expect(audit).toMatchObject([{ action: 'incident-update', actor: 'admin' }])
    // What is merged ends in silence.
    const before = (await scene.told()).length
    await scene.answer('bond')
    expect([(await incidentOf('bond')).closedAt, (await scene.told()).length]).toEqual([expect.any(String), before])
  })

  it('are not merged into themselves, into what is over, nor in a circle; the refusal says why in French', async () => {
    await fall('Élan', 'bond', 'cap')
    const [a, b, c] = [await incidentOf('Élan'), await incidentOf('bond'), await incidentOf('cap')]
    await merge(b.id, a.id)
    await scene.answer('cap')
    const refusals = [
      await merge(a.id, a.id),
      await merge(a.id, b.id),
      await merge(b.id, a.id),
      await merge(a.id, c.id),
      await merge(c.id, a.id),
    ]
    expect(refusals.map(({ status, body }) => [status, body.detail ?? body.title])).toEqual([
      [409, 'Un incident ne se fusionne pas avec lui-même.'],
      [409, 'Cet incident explique déjà l’autre\u202f: séparez-les d’abord.'],
      [409, 'Cet incident est déjà fusionné avec celui-là.'],
      [409, 'L’incident qui l’expliquerait est terminé.'],
      [409, 'Cet incident est terminé.'],
    ])
    expect((await merge(a.id, 9_999)).status).toBe(404)
    expect((await separate(a.id)).status).toBe(409)
    const reader = await scene.test.user([])
    expect((await reader.call('POST', `/api/Incident/Merge/${b.id}`, { into: a.id })).status).toBe(403)
  })

  it('that were merged by hand stand for themselves when they are separated, and when what explained them ends', async () => {
    await fall('Élan', 'bond', 'cap')
    const [a, b, c] = [await incidentOf('Élan'), await incidentOf('bond'), await incidentOf('cap')]
    await merge(b.id, a.id)
    await merge(c.id, a.id)
    expect((await separate(b.id)).body.parentId).toBeNull()
    expect((await scene.kindsOf(b.id)).slice(-2)).toEqual(['merged', 'separated'])
    await scene.answer('Élan')
    expect((await incidentOf('cap')).parentId).toBeNull()
    expect((await scene.kindsOf(c.id)).slice(-2)).toEqual(['merged', 'separated'])
    const before = (await scene.told()).length
    await scene.answer('bond', 'cap')
    expect(await scene.told()).toHaveLength(before + 2)
  })

  it('that come back within ten minutes are the same ones, counted; later they are new', async () => {
    await fall('bond')
    const { id } = await incidentOf('bond')
    await scene.answer('bond')
    await scene.wait(5 * 60_000)
    await fall('bond')
    const all = await scene.incidents({ hostId: scene.idOf('bond') })
    expect(all).toMatchObject([{ id, reopened: 1, closedAt: null }])
    expect(await scene.kindsOf(id)).toEqual(['opened', 'closed', 'reopened'])
    const [{ openedAt, failsSince }] = all
    const { timeline, incident } = await scene.detail(id)
    expect([failsSince, incident.failsSince]).toEqual([timeline.at(-1).at, timeline.at(-1).at])
    expect([openedAt, Date.parse(failsSince) - Date.parse(openedAt)]).toEqual([timeline[0].at, 380_000])
    const { groups } = (await scene.admin.call('GET', '/api/Notification/Get/Group')).body
    expect(groups[0].incident).toMatchObject({ id, openedAt, failsSince, reopened: 1 })
    await scene.answer('bond')
    await scene.wait(10 * 60_000)
    await fall('bond')
    const [newest, ...others] = await scene.incidents({ hostId: scene.idOf('bond') })
    expect([others.length, newest.failsSince]).toEqual([1, newest.openedAt])
  })

  it('are the same ones as well when they end and come back within one batch', async () => {
    await fall('bond')
    const { id } = await incidentOf('bond')
    scene.skip(80_000)
    const scanner = scene.scannerOf('bond')
    const ofAge = (ageMs: number, result: object) => ({ scanner, at: scene.now() - ageMs, ...result })
    const failures = [40_000, 20_000, 0].map(age => ofAge(age, { failure: SCENE_FAILURE }))
    expect(await scene.probe.post([ofAge(60_000, { values: { rtt_avg: 1, loss_ratio: 0 } }), ...failures])).toBe(204)
    await scene.test.app.monitoring.evaluation.idle()
    expect(await scene.incidents({ hostId: scene.idOf('bond') })).toMatchObject([{ id, reopened: 1, closedAt: null }])
    expect(await scene.kindsOf(id)).toEqual(['opened', 'closed', 'reopened'])
  })

  it('show what the sheets of their host and site ask to do', async () => {
    const { db } = scene.test.database
    await db.updateTable('host').set({ instruction: 'Appeler Lyon.' }).where('id', '=', scene.idOf('bond')).execute()
    await fall('bond')
    const { id } = await incidentOf('bond')
    const ofHost = { kind: 'host', id: scene.idOf('bond'), name: 'bond', text: 'Appeler Lyon.' }
    expect((await scene.detail(id)).instructions).toEqual([ofHost])
    await db.updateTable('site').set({ instruction: 'Clés à l’accueil.' }).execute()
    const ofSite = { kind: 'site', id: scene.siteId, name: 'Lyon', text: 'Clés à l’accueil.' }
    expect((await scene.detail(id)).instructions).toEqual([ofHost, ofSite])
  })

  it('say why they are red, also when they are over', async () => {
    await fall('bond')
    const { id, metricId } = await incidentOf('bond')
    const { chain } = await scene.detail(id)
    expect(chain.map(({ kind, name, state, cause }: Answered) => [kind, name, state, cause])).toEqual([
      ['probe', 'Sonde d’essai', 'En ligne', false],
      ['link', 'Liaison de la sonde d’essai', 'Rien à signaler', false],
      ['host', 'bond', 'Indisponible', true],
      ['metric', expect.any(String), 'Erreur', false],
    ])
    expect(chain[2]).toMatchObject({ evidence: 'Ping\u202f: Pas de réponse après 2 s.', incidentId: id })
    expect(chain[3]).toMatchObject({ id: metricId, at: new Date(scene.now()).toISOString() })
    await scene.answer('bond')
    const over = await scene.detail(id)
    expect(over.chain.map(({ state }: Answered) => state)).toEqual([
      'En ligne',
      'Rien à signaler',
      'Indisponible',
      'Erreur',
    ])
    expect((await scene.admin.call('GET', '/api/Incident/Detail/9999')).status).toBe(404)
  })
})
