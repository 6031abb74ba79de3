import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('the search of everything, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let [lyon, hidden, router] = [0, 0, 0]
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    lyon = (await admin.make('/api/Site/Create', { name: 'Lyon Part-Dieu', code: 'LYO-1', city: 'Villeurbanne' })).id
    hidden = (await admin.make('/api/Site/Create', { name: 'Évry', code: 'EVR' })).id
    const host = (name: string, address: string, siteId: number, tags: string[] = []) =>
      admin.make('/api/Host/Create', { name, address, siteId, tags, withPing: true })
    router = (await host('routeur-lyon-01', '192.0.2.1', lyon, ['cœur de réseau'])).id
    await host('routeur-lyon-02', '192.0.2.2', lyon)
    await host('routeur-evry-01', '192.0.2.11', hidden)
  })
  afterAll(() => test.close())

  const find = async (term: string, who = admin, kind = '') =>
    (await who.call('GET', `/api/Search?term=${encodeURIComponent(term)}${kind === '' ? '' : `&kind=${kind}`}`)).body
  const names = async (term: string, kind: string, who = admin): Promise<string[]> =>
    (await find(term, who, kind)).map((one: { name: string }) => one.name)

  it('finds by parts of words in any order, without case and accents, with one fault', async () => {
    const both = ['routeur-lyon-01', 'routeur-lyon-02']
    expect(await names('LYON routeur', 'host')).toEqual(both)
    expect(await names('routuer lyon', 'host')).toEqual(both)
    expect(await names('out yon', 'host')).toEqual(both)
    expect(await names('éVRY', 'site')).toEqual(['Évry'])
    expect(await names('lyno', 'host')).toEqual([])
    expect(await names('   ', 'host')).toEqual([])
  })

  it('finds hosts by address, tag, and with words of their site; sites by code and city', async () => {
    expect(await names('192.0.2.1', 'host')).toEqual(['routeur-lyon-01', 'routeur-evry-01'])
    expect(await names('coeur', 'host')).toEqual(['routeur-lyon-01'])
    expect(await names('routeur part-dieu', 'host')).toEqual(['routeur-lyon-01', 'routeur-lyon-02'])
    // A site alone is not each of its hosts.
    expect(await names('part-dieu', 'host')).toEqual([])
    expect([await names('lyo-1', 'site'), await names('villeurbanne', 'site')]).toEqual([
      ['Lyon Part-Dieu'],
      ['Lyon Part-Dieu'],
    ])
  })

  it('puts the kind with the best match first, and the exact name before all', async () => {
    const found = await find('routeur-lyon-01')
    expect(found[0]).toMatchObject({
      kind: 'host',
      name: 'routeur-lyon-01',
      match: 'exact',
      detail: '192.0.2.1 · Lyon Part-Dieu',
    })
    expect((await find('ping'))[0]).toMatchObject({ kind: 'scanner', match: 'exact' })
    expect((await find('lyon'))[0]).toMatchObject({ kind: 'site', match: 'start' })
  })

  it('finds metrics with words of their host, and what is new or renamed at once', async () => {
    expect(await find('disponibilité routeur-evry', admin, 'metric')).toMatchObject([
      { detail: 'routeur-evry-01 · Évry' },
    ])
    const made = await admin.make('/api/Host/Create', { name: 'imprimante', address: '192.0.2.9', siteId: lyon })
    expect(await names('imprimante', 'host')).toEqual(['imprimante'])
    const host = (await admin.call('GET', `/api/Host/Get/${made.id}`)).body
    await admin.call('PUT', `/api/Host/Update/${made.id}`, { ...host, name: 'photocopieur' })
    expect([await names('imprimante', 'host'), await names('photocopieur', 'host')]).toEqual([[], ['photocopieur']])
    expect((await admin.call('DELETE', `/api/Host/Delete/${made.id}?seen=${host.updatedAt}`)).status).toBeLessThan(500)
  })

  it('tells people, groups, probes, models and scanners to who may read them only', async () => {
    await admin.make('/api/UserGroup/Create', { name: 'Exploitation Lyon', claims: [] })
    await admin.make('/api/Account/Create', {
      login: 'lyonnaise',
      password: PASSWORD,
      firstName: 'Anaïs',
      lastName: 'Lyonnet',
    })
    await admin.make('/api/Model/Create', { name: 'Base lyonnaise', definition: { scanners: [] } })
    const kinds = async (who: Caller) =>
      [...new Set((await find('lyon', who)).map((one: { kind: string }) => one.kind))].toSorted()
    expect(await kinds(admin)).toEqual(['group', 'host', 'model', 'site', 'user'])
    expect(await kinds(await test.user([], { login: 'simple' }))).toEqual(['host', 'site'])
    expect(await kinds(await test.user(['user_read'], { login: 'lecteur' }))).toEqual(['host', 'site', 'user'])
    expect(await names('anais', 'user')).toEqual(['Anaïs Lyonnet'])
    const simple = await test.signIn('simple', PASSWORD)
    expect([await names('ping', 'scanner', simple), await names('lyon', 'user', simple)]).toEqual([[], []])
  })

  it('S32: finds, recalls and counts nothing outside of the sites of a limited account', async () => {
    const group = await admin.make('/api/UserGroup/Create', {
      ...{ name: 'Évry seul', limited: true, siteIds: [hidden], claims: [{ claim: 'scanner_read' }] },
    })
    await admin.make('/api/Account/Create', { login: 'limite', password: PASSWORD, groups: [group.id] })
    await test.database.db.updateTable('account').set({ first_connection: 0 }).where('login', '=', 'limite').execute()
    const limited = await test.signIn('limite', PASSWORD)
    for (const kind of ['host', 'metric', 'scanner', 'site', 'incident'])
      expect([kind, JSON.stringify(await find('lyon', limited, kind))]).toEqual([kind, '[]'])
    expect(await names('routeur', 'host', limited)).toEqual(['routeur-evry-01'])
    expect((await find('ping', limited, 'scanner')).length).toBe(1)
    const recall = async (who: Caller) =>
      (await who.call('GET', `/api/Search/Recall?objects=host:${router},site:${hidden},user:1`)).body
    expect((await recall(limited)).map((one: { name: string }) => one.name)).toEqual(['Évry'])
    expect((await recall(admin)).map((one: { name: string }) => one.name)).toEqual(['routeur-lyon-01', 'Évry', 'admin'])
  })

  it('S32: who sees equipment by its tag finds it, with the name of its site and its own state, and no more of the site', async () => {
    await admin.make('/api/Account/Create', {
      ...{ login: 'etiquette', password: PASSWORD },
      groups: [
        (
          await admin.make('/api/UserGroup/Create', {
            ...{ name: 'Cœur', claims: [] },
            limited: true,
            tags: ['cœur de réseau'],
          })
        ).id,
      ],
    })
    await test.database.db
      .updateTable('account')
      .set({ first_connection: 0 })
      .where('login', '=', 'etiquette')
      .execute()
    const tagged = await test.signIn('etiquette', PASSWORD)
    expect(await names('routeur', 'host', tagged)).toEqual(['routeur-lyon-01'])
    expect(await find('lyon', tagged, 'site')).toMatchObject([{ name: 'Lyon Part-Dieu', detail: '' }])
    expect([await names('villeurbanne', 'site', tagged), await names('lyo-1', 'site', tagged)]).toEqual([[], []])
    expect([await names('evry', 'site', tagged), await names('lyo-1 routeur', 'host', tagged)]).toEqual([[], []])
    expect((await tagged.call('GET', `/api/Search/Recall?objects=site:${lyon},site:${hidden}`)).body).toMatchObject([
      { detail: '' },
    ])
  })

  it('takes any text as text, and refuses what is too long or no object', async () => {
    for (const term of ["' or 1=1 --", '%', '_', '\\', '\u0000', '((', 'a'.repeat(100)])
      expect([term, (await admin.call('GET', `/api/Search?term=${encodeURIComponent(term)}`)).status]).toEqual([
        term,
        200,
      ])
    for (const query of [`term=${'a'.repeat(101)}`, 'term=a&kind=maison', ''])
      expect([query, (await admin.call('GET', `/api/Search?${query}`)).status]).toEqual([query, 400])
    for (const objects of ['', 'host', 'host:0', 'maison:1', 'host:1,,host:2'])
      expect([objects, (await admin.call('GET', `/api/Search/Recall?objects=${objects}`)).status]).toEqual([
        objects,
        400,
      ])
  })
})
