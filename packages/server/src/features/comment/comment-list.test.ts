import { accountStream, DEFAULT_ALERT_SETTINGS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('all comments, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let marie: Caller
  /** Reads Lyon alone. */
  let rhone: Caller
  const ids = { lyon: 0, brest: 0, hostLyon: 0, hostBrest: 0, metric: 0, incident: 0 }

  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    await test.user([], { login: 'marie' })
    marie = await test.signIn('marie', PASSWORD)
    ids.lyon = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    ids.brest = (await admin.make('/api/Site/Create', { name: 'Brest', code: 'BRE' })).id
    const host = { address: '192.0.2.1', withPing: true }
    ids.hostLyon = (await admin.make('/api/Host/Create', { ...host, name: 'srv-lyon', siteId: ids.lyon })).id
    ids.hostBrest = (await admin.make('/api/Host/Create', { ...host, name: 'srv-brest', siteId: ids.brest })).id
    ids.metric = (await admin.call('GET', `/api/Metric/Get?host=${ids.hostBrest}`)).body[0].id
    const values = { event_key: 'one', metric_id: ids.metric, host_id: ids.hostBrest, site_id: ids.brest }
    const acts = { acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null }
    const row = await test.database.db
      .insertInto('incident')
      .values({ ...values, ...acts, severity_rank: 0, information: '', opened_at: 1, closed_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.incident = row.id
    const group = { name: 'Rhône', claims: [{ claim: 'incident_write' }], limited: true, siteIds: [ids.lyon] }
    const groups = [(await admin.make('/api/UserGroup/Create', group)).id]
    await admin.make('/api/Account/Create', { login: 'rhone', password: PASSWORD, groups, claims: [] })
    await test.database.db.updateTable('account').set({ first_connection: 0 }).execute()
    rhone = await test.signIn('rhone', PASSWORD)
    // Who is limited is read again after the account was made.
    await vi.waitFor(async () => expect(await offered('host', ids.hostBrest, 'rhone')).toEqual([]))
  })
  afterAll(() => test.close())

  const offered = async (kind: string, id: number, term: string, caller = marie): Promise<string[]> =>
    (await caller.call('GET', `/api/Comment/Get/Mentionable?kind=${kind}&id=${id}&term=${term}`)).body.map(
      (one: { login: string }) => one.login,
    )
  const write = (kind: string, id: number, text: string, caller = marie) =>
    caller.make('/api/Comment/Create', { kind, id, text })
  const list = async (filters: object = {}, caller = marie, search = '') => {
    const body = { filters, search: { value: search }, columns: [{ data: 'text' }, { data: 'siteName' }] }
    return (await caller.call('PUT', '/api/CommentDatatable', body)).body
  }
  const texts = async (...asked: Parameters<typeof list>): Promise<string[]> =>
    (await list(...asked)).data.map((one: { text: string }) => one.text)
  const inbox = async (caller: Caller): Promise<{ title: string; link: string }[]> =>
    (await caller.call('GET', '/api/Notification/Get')).body.notifications

  it('are listed with their object and site, by author, object, site, words, pinned, mention; what is hidden is not counted', async () => {
    const a = await write('host', ids.hostLyon, 'Climatisation rétablie')
    await write('metric', ids.metric, 'Latence élevée la nuit', admin)
    await write('incident', ids.incident, 'Opérateur prévenu, @marie suit', admin)
    await write('site', ids.brest, 'Badge à demander')
    await admin.call('POST', `/api/Comment/Pin/${a.id}`, { pinned: true })
    const all = await list()
    expect([all.recordsTotal, all.recordsFiltered]).toEqual([4, 4])
    expect(all.data[1]).toMatchObject({
      ...{ kind: 'incident', objectId: ids.incident, siteName: 'Brest', mentionsMe: true },
      mentions: [{ login: 'marie', name: 'Claire Legoff' }],
    })
    expect(await texts({ kind: ['site', 'metric'] })).toEqual(['Badge à demander', 'Latence élevée la nuit'])
    expect(await texts({ siteId: ids.lyon })).toEqual(['Climatisation rétablie'])
    expect(await texts({ hostId: ids.hostBrest })).toHaveLength(2)
    expect(await texts({ pinned: true })).toEqual(['Climatisation rétablie'])
    expect(await texts({ mentionsMe: true })).toEqual(['Opérateur prévenu, @marie suit'])
    expect(await texts({ author: 'legoff' })).toHaveLength(2)
    expect(await texts({ mine: true }, admin)).toHaveLength(2)
    expect(await texts({ from: '2100-01-01T00:00:00Z' })).toEqual([])
    expect(await texts({}, marie, 'RETABLIE')).toEqual(['Climatisation rétablie'])
    expect(await texts({}, marie, 'brest')).toHaveLength(3)
    expect((await marie.call('PUT', '/api/CommentDatatable', { filters: { from: 'hier' } })).status).toBe(400)
    const seen = await list({}, rhone)
    expect([seen.recordsTotal, seen.data.map((one: { text: string }) => one.text)]).toEqual([
      1,
      ['Climatisation rétablie'],
    ])
    const file = await rhone.file('/api/CommentDatatable', 'text/csv', {})
    expect(file.text.trim().split('\r\n')).toHaveLength(2)
  })

  it('are unread until one says so; one’s own never are, nor what one may not see', async () => {
    const news = async (caller: Caller) => (await caller.call('GET', '/api/Comment/Get/Unread')).body
    const { latest } = await news(marie)
    expect(await news(marie)).toEqual({ unread: 2, mentions: 1, latest })
    expect(await texts({ unread: true })).toHaveLength(2)
    expect((await news(rhone)).unread).toBe(1)
    expect((await marie.call('POST', '/api/Comment/Read', { through: 2_000_000_000 })).body.unread).toBe(0)
    await write('site', ids.brest, 'Badge obtenu', admin)
    expect(await news(marie)).toMatchObject({ unread: 1, mentions: 0 })
    expect((await news(rhone)).unread).toBe(1)
    // A place that was passed is not gone back to.
    expect((await marie.call('POST', '/api/Comment/Read', { through: 1 })).body.unread).toBe(1)
  })

  it('S32: who may not see the object is neither offered, nor mentioned, nor told', async () => {
    expect(await offered('host', ids.hostLyon, '')).toEqual(expect.arrayContaining(['admin', 'marie', 'rhone']))
    expect(await offered('host', ids.hostLyon, 'RHÔ')).toEqual(['rhone'])
    expect(await offered('incident', ids.incident, '')).not.toContain('rhone')
    expect((await rhone.call('GET', `/api/Comment/Get/Mentionable?kind=site&id=${ids.brest}`)).status).toBe(404)
    const before = (await inbox(rhone)).length
    const hidden = await write('host', ids.hostBrest, 'Voir avec @rhone et @inconnu')
    expect([hidden.mentions, (await inbox(rhone)).length]).toEqual([[], before])
    const seen = await write('host', ids.hostLyon, 'Voir avec @Rhone.')
    expect(seen.mentions).toEqual([{ login: 'rhone', name: 'rhone' }])
    expect((await inbox(rhone))[0]).toMatchObject({
      ...{ title: 'Claire Legoff vous mentionne', link: `/host/${ids.hostLyon}`, type: 'Info' },
    })
    expect((await inbox(admin)).some(({ title }) => title.includes('mentionne'))).toBe(false)
  })

  it('tells each once: not oneself, not again when the text is changed, once for many objects', async () => {
    const start = (await inbox(admin)).length
    const made = await write('site', ids.lyon, 'Demander à @admin et à @marie')
    const told = async () => (await inbox(admin)).length - start
    expect(await told()).toBe(1)
    expect((await inbox(marie)).some(({ title }) => title.startsWith('Claire Legoff'))).toBe(false)
    const change = async (text: string) =>
      (await marie.call('PUT', `/api/Comment/Update/${made.id}`, { text })).body.mentions.length
    expect([await change('Redemander à @admin'), await told()]).toEqual([1, 1])
    expect([await change('Plus personne'), await change('@admin encore'), await told()]).toEqual([0, 1, 1])
    const bulk = { of: 'host', ids: [ids.hostLyon, ids.hostBrest], text: 'Ronde faite, @marie' }
    const before = (await inbox(marie)).length
    expect((await admin.call('POST', '/api/Comment/Bulk', bulk)).body.changed).toBe(2)
    expect((await inbox(marie)).length - before).toBe(1)
  })

  it('whom one names is told at once, but in his quiet hours: then it waits unread', async () => {
    const { idUser } = (await marie.call('GET', '/api/Account/Get')).body
    const publish = vi.spyOn(test.app.hubs, 'publish')
    const before = (await inbox(marie)).length
    const isShown = async (quiet: object | null): Promise<boolean[]> => {
      const settings = { ...DEFAULT_ALERT_SETTINGS, quiet }
      expect((await marie.call('PUT', '/api/Notification/Update/Settings', settings)).status).toBe(200)
      publish.mockClear()
      await write('site', ids.lyon, 'Vu avec @marie', admin)
      const own = publish.mock.calls.filter(([, stream]) => stream === accountStream(idUser))
      return own.map(([, , , , wants]) => wants?.(idUser) ?? true)
    }
    const days = [1, 2, 3, 4, 5, 6, 7]
    const always = { days, from: '00:00', to: '24:00', timeZone: 'UTC', exceptErrors: true }
    expect([await isShown(always), await isShown(null)]).toEqual([[false], [true]])
    expect((await inbox(marie)).length - before).toBe(2)
    publish.mockRestore()
  })

  it('pinned ones are the instructions of what they are about and of what stands on it', async () => {
    const pin = async (kind: string, id: number, text: string) =>
      admin.make('/api/Comment/Create', { kind, id, text, pinned: true })
    await pin('site', ids.brest, 'Prévenir le gardien')
    await pin('host', ids.hostBrest, 'Ne pas redémarrer')
    await pin('metric', ids.metric, 'Normal le lundi')
    await pin('incident', ids.incident, 'Attendre le prestataire')
    const of = async (kind: string, id: number): Promise<string[]> =>
      (await marie.call('GET', `/api/Comment/Get/Instruction?kind=${kind}&id=${id}`)).body.map(
        (one: { text: string }) => one.text,
      )
    const [site, host, metric, incident] = [
      ...['Prévenir le gardien', 'Ne pas redémarrer', 'Normal le lundi', 'Attendre le prestataire'],
    ]
    expect(await of('site', ids.brest)).toEqual([site])
    expect(await of('host', ids.hostBrest)).toEqual([host, site])
    expect(await of('metric', ids.metric)).toEqual([metric, host, site])
    expect(await of('incident', ids.incident)).toEqual([incident, metric, host, site])
    expect((await rhone.call('GET', `/api/Comment/Get/Instruction?kind=host&id=${ids.hostBrest}`)).status).toBe(404)
  })
})
