import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { createTestNotifier, type TestNotifier } from '../../testing/test-notifier.ts'

describe.each(DIALECTS)('who can be in charge of an incident, on %s', dialect => {
  let t: TestNotifier
  let [lyon, paris] = [0, 0]
  let incident = { lyon: 0, paris: 0 }

  beforeEach(async () => {
    t = await createTestNotifier(dialect)
    lyon = (await t.site('Lyon')).id
    paris = (await t.site('Paris')).id
    incident = {
      lyon: await t.open(await t.host('srv-l', lyon)),
      paris: await t.open(await t.host('srv-p', paris)),
    }
  })
  afterEach(() => t.test.close())

  const own = (id: number, owner: string | null): Promise<Answered> =>
    t.admin.call('POST', `/api/Incident/Own/${id}`, { owner })
  const offered = async (query = '', caller = t.admin): Promise<string[]> =>
    (await caller.call('GET', `/api/Incident/GetOwner${query}`)).body.map(({ login }: Answered) => login).toSorted()
  const idOf = async (login: string): Promise<number> =>
    (await t.db.selectFrom('account').select('id').where('login', '=', login).executeTakeFirstOrThrow()).id
  /** An account that may act on incidents of Lyon alone. */
  const limited = async (login: string) => {
    const caller = await t.test.user([], { login })
    const claims = [{ claim: 'incident_write' }]
    const group = await t.admin.make('/api/UserGroup/Create', { name: login, claims, limited: true, siteIds: [lyon] })
    await t.db
      .insertInto('user_group_member')
      .values({ group_id: group.id, account_id: await idOf(login) })
      .execute()
    return { caller, group }
  }

  it('an account that can not act is neither offered nor accepted, and the refusal says why', async () => {
    await t.test.user([], { login: 'lecteur' })
    await t.test.user(['incident_write'], { login: 'marie' })
    await t.test.user(['incident_write'], { login: 'neuf', firstConnection: true })
    await t.test.user(['incident_write'], { login: 'parti' })
    await t.db.updateTable('account').set({ enabled: 0 }).where('login', '=', 'parti').execute()
    await limited('lyonnais')
    expect(await offered()).toEqual(['admin', 'lyonnais', 'marie'])
    expect(await offered(`?id=${incident.lyon}`)).toEqual(['admin', 'lyonnais', 'marie'])
    expect(await offered(`?id=${incident.paris}`)).toEqual(['admin', 'marie'])
    expect(await offered(`?of=site&id=${paris}`)).toEqual(['admin', 'marie'])
    expect((await t.admin.call('GET', '/api/Incident/GetOwner?of=host&id=9999')).status).toBe(404)
    const why: Record<string, string> = {
      personne: 'Ce compte n’existe pas.',
      parti: 'Le compte «\u202fparti\u202f» est désactivé.',
      neuf: 'Le compte «\u202fneuf\u202f» n’a pas encore fait sa première connexion.',
      lecteur: 'Le compte «\u202flecteur\u202f» n’a pas le droit «\u202fIncidents\u202f».',
      lyonnais: 'Le compte «\u202flyonnais\u202f» n’a pas le droit d’agir sur le site «\u202fParis\u202f».',
    }
    for (const [login, text] of Object.entries(why)) {
      const answer = await own(incident.paris, login)
      expect([login, answer.status, answer.body.errors]).toEqual([login, 400, [text]])
      const acknowledge = { comment: 'Vu', owner: login }
      const other = await t.admin.call('POST', `/api/Incident/Acknowledge/${incident.paris}`, acknowledge)
      expect([login, other.status, other.body.errors]).toEqual([login, 400, [text]])
    }
    const { owner, acknowledgedBy } = (await t.admin.call('GET', `/api/Incident/Get/${incident.paris}`)).body
    expect([owner, acknowledgedBy]).toEqual([null, null])
    expect((await own(incident.lyon, 'LYONNAIS')).body).toMatchObject({ owner: 'lyonnais', ownerLost: false })
    expect((await own(incident.paris, 'admin')).body).toMatchObject({ owner: 'admin', ownerLost: false })
  })

  it('of many, those that the account can not have are refused one by one', async () => {
    const { caller } = await limited('lyonnais')
    const ids = [incident.lyon, incident.paris]
    const change = { own: { owner: 'lyonnais' } }
    const planned = (await t.admin.call('POST', '/api/Incident/Bulk', { ids, change, plan: true })).body
    expect(planned).toMatchObject({
      ...{ matched: 2, changed: 1, refused: 1 },
      refusals: [
        {
          id: incident.paris,
          errors: ['Le compte «\u202flyonnais\u202f» n’a pas le droit d’agir sur le site «\u202fParis\u202f».'],
        },
      ],
    })
    // Who sees Lyon alone takes what is there, and is offered nobody who only acts elsewhere.
    await t.test.user(['incident_write'], { login: 'marie' })
    expect(await offered('', caller)).toEqual(['admin', 'lyonnais', 'marie'])
    expect((await caller.call('POST', `/api/Incident/Own/${incident.lyon}`, { owner: 'lyonnais' })).status).toBe(200)
    expect((await caller.call('GET', `/api/Incident/GetOwner?id=${incident.paris}`)).status).toBe(404)
  })

  it('an owner who loses the right stays named, and the incident counts as nobody’s: at once, in every list', async () => {
    await t.test.user(['incident_write'], { login: 'marie' })
    const { group } = await limited('lyonnais')
    await own(incident.lyon, 'lyonnais')
    await own(incident.paris, 'marie')
    const third = await t.open(await t.host('srv-n', lyon))
    const list = async (filters: object): Promise<string[]> =>
      (await t.admin.call('PUT', '/api/IncidentDatatable', { filters })).body.data
        .map(({ id, owner, ownerLost }: Answered) => `${id} ${owner} ${ownerLost}`)
        .toSorted()
    const kept = [`${incident.lyon} lyonnais false`, `${incident.paris} marie false`]
    expect([await list({ owned: true }), await list({ owned: false })]).toEqual([kept, [`${third} null false`]])
    await t.db
      .deleteFrom('account_claim')
      .where('account_id', '=', await idOf('marie'))
      .execute()
    await t.db.updateTable('user_group_site').set({ site_id: paris }).where('group_id', '=', group.id).execute()
    const lost = [`${incident.lyon} lyonnais true`, `${incident.paris} marie true`, `${third} null false`]
    expect([await list({ owned: true }), await list({ owned: false })]).toEqual([[], lost.toSorted()])
    expect((await t.admin.call('GET', `/api/Incident/Detail/${incident.paris}`)).body.incident).toMatchObject({
      ...{ owner: 'marie', ownerLost: true },
    })
    // What acts on all that the filter finds finds the same.
    const change = { own: { owner: 'admin' } }
    const filter = { filters: { owned: false, roots: true } }
    expect((await t.admin.call('POST', '/api/Incident/Bulk', { filter, change, plan: false })).body.changed).toBe(3)
    expect(await list({ owned: false })).toEqual([])
    await own(incident.paris, 'admin')
    await t.db
      .updateTable('incident')
      .set({ owner: 'marie', closed_at: t.clock.now() })
      .where('id', '=', third)
      .execute()
    expect((await t.admin.call('GET', `/api/Incident/Get/${third}`)).body).toMatchObject({
      ...{ owner: 'marie', ownerLost: false },
    })
    const { text } = await t.admin.file('/api/IncidentDatatable', 'text/csv', { filters: { owned: true } })
    expect(text).toContain('Responsable sans droit d’agir')
  })
})
