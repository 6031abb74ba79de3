import { ALL_ROUTES, type Route, SITE_CLAIMS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from './testing/test-app.ts'

/** In the name of everything that the limited account may not see. */
const SECRET = 'Zanzibar'

describe.each(DIALECTS)('S32: an account that is limited to sites, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let limited: Caller
  const ids = { lyon: 0, workshop: 0, hidden: 0, host: 0, hiddenHost: 0, scanner: 0, metric: 0, incident: 0 }
  let [maintenance, comment, group] = [0, 0, 0]

  const make = async (url: string, body: unknown): Promise<number> => {
    const made = await admin.make(url, body)
    return made.id ?? made.idUser
  }
  const member = async (login: string, groups: readonly number[], claims: readonly string[] = []): Promise<Caller> => {
    const account = { login, password: PASSWORD, groups, claims: claims.map(claim => ({ claim })) }
    await make('/api/Account/Create', account)
    await test.database.db.updateTable('account').set({ first_connection: 0 }).where('login', '=', login).execute()
    return test.signIn(login, PASSWORD)
  }

  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    ids.lyon = await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    ids.workshop = await make('/api/Site/Create', { name: 'Atelier', code: 'ATE', parentId: ids.lyon })
    ids.hidden = await make('/api/Site/Create', { name: SECRET, code: 'ZAN' })
    ids.host = await make('/api/Host/Create', {
      name: 'tour',
      address: '192.0.2.1',
      siteId: ids.workshop,
      withPing: true,
    })
    const far = { name: `${SECRET}-srv`, address: '192.0.2.2', siteId: ids.hidden, withPing: true, tags: [SECRET] }
    ids.hiddenHost = await make('/api/Host/Create', far)
    const [metric] = (await admin.call('GET', `/api/Metric/Get?host=${ids.hiddenHost}`)).body
    await admin.call('PUT', `/api/Metric/Update/${metric.id}`, { ...metric, name: `${SECRET} RTT` })
    Object.assign(ids, { metric: metric.id, scanner: metric.scannerId })
    const scanner = (await admin.call('GET', `/api/Scanner/Get/${ids.scanner}`)).body
    await admin.call('PUT', `/api/Scanner/Update/${ids.scanner}`, { ...scanner, name: `${SECRET} ping` })
    const incident = {
      kind: 'metric',
      metric_id: ids.metric,
      host_id: ids.hiddenHost,
      site_id: ids.hidden,
      probe_id: null,
    }
    const row = await test.database.db
      .insertInto('incident')
      .values({
        ...incident,
        event_key: 'zan',
        severity_rank: 0,
        worst_rank: 0,
        information: SECRET,
        opened_at: 1,
        closed_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.incident = row.id
    comment = await make('/api/Comment/Create', { kind: 'host', id: ids.hiddenHost, text: `${SECRET} noté` })
    const [from, to] = [new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString()]
    const plan = { comment: `${SECRET} en travaux`, schedule: { kind: 'one-off', from, to }, hosts: [ids.hiddenHost] }
    maintenance = await make('/api/Maintenance/Create', plan)
    const claims = SITE_CLAIMS.map(claim => ({ claim }))
    group = await make('/api/UserGroup/Create', { name: 'Rhône', claims, limited: true, siteIds: [ids.lyon] })
    limited = await member('rhone', [group])
  })
  afterAll(() => test.close())

  /** The hidden object that an id of a route is of; null where ids are of nothing that stands on a site. */
  const hiddenId = ({ path }: Route): number | null => {
    const owners: readonly (readonly [RegExp, number])[] = [
      [/^\/api\/(Host|Availability\/Host|CustomField\/Host|Credential\/Host)\//, ids.hiddenHost],
      [/^\/api\/(Site|CustomField\/Site|Credential\/Site)\//, ids.hidden],
      [/^\/api\/(Metric|Availability\/Metric)\//, ids.metric],
      [/^\/api\/Scanner\//, ids.scanner],
      [/^\/api\/(Incident|Delivery\/Incident)\//, ids.incident],
      [/^\/api\/Comment\//, comment],
      [/^\/api\/Maintenance\//, maintenance],
    ]
    return owners.find(([pattern]) => pattern.test(path))?.[1] ?? null
  }
  const queries = () => {
    const [from, to] = [-3_600_000, 3_600_000].map(ms => new Date(Date.now() + ms).toISOString())
    const all = `host=${ids.hiddenHost}&ids=${ids.metric}&site=${ids.hidden}&from=${from}&to=${to}&term=zan`
    return [`${all}&kind=host&object=host&id=${ids.hiddenHost}`, `${all}&id=${ids.scanner}`, '']
  }

  it('reads nothing of the others, by whatever call that reads, with whatever ids', async () => {
    const told: string[] = []
    const seen = new Set<string>()
    for (const route of ALL_ROUTES.filter(
      one => one.method === 'GET' && one.access !== 'open' && one.access !== 'probe',
    )) {
      const path = route.path.replace(':scope', 'host').replace(':id', String(hiddenId(route) ?? 1))
      for (const query of queries()) {
        const shown = JSON.stringify((await admin.call('GET', `${path}?${query}`)).body).includes(SECRET)
        if (shown) seen.add(route.path)
        else if (query !== '') continue
        const { status, body } = await limited.call('GET', `${path}?${query}`)
        if (JSON.stringify(body).includes(SECRET) || status >= 500) told.push(`${status} ${path}?${query}`)
        if (status === 200 && route.path.includes(':id') && hiddenId(route) !== null && !/Type|Model/.test(path))
          told.push(`200 ${path}?${query}`)
      }
    }
    expect(told).toEqual([])
    // The same questions of who sees everything: they do reach what is hidden.
    expect(seen.size).toBeGreaterThan(35)
  })

  it('lists, counts and exports only what stands on its sites', async () => {
    const lists = ALL_ROUTES.filter(
      one => one.method === 'PUT' && one.path.endsWith('Datatable') && one.access !== 'admin',
    )
    for (const { path } of lists) {
      const { status, body } = await limited.call('PUT', path, { search: { value: '', regex: false } })
      expect([path, status < 500, JSON.stringify(body).includes(SECRET)]).toEqual([path, true, false])
      const file = await limited.file(path, 'text/csv', {})
      expect([path, file.text.includes(SECRET)]).toEqual([path, false])
    }
    const count = async (path: string) => (await limited.call('GET', path)).body.recordsTotal
    expect([await count('/api/SiteDatatable'), await count('/api/HostDatatable')]).toEqual([2, 1])
    const main = (await limited.call('GET', '/api/Dashboard/Get/Main')).body
    expect(Object.values(main.hosts).reduce((sum: number, n) => sum + Number(n), 0)).toBe(1)
  })

  it('changes nothing of the others: by id as if they were not, in bulk as if they did not match', async () => {
    const changed: string[] = []
    const state = async () =>
      JSON.stringify([
        (await admin.call('GET', `/api/Host/Get/${ids.hiddenHost}`)).body.updatedAt,
        (await admin.call('GET', `/api/Site/Get/${ids.hidden}`)).body.updatedAt,
        (await admin.call('GET', `/api/Metric/Get/${ids.metric}`)).body.updatedAt,
        (await admin.call('GET', `/api/Scanner/Get/${ids.scanner}`)).body.updatedAt,
        (await admin.call('GET', `/api/Maintenance/Get/${maintenance}`)).body.updatedAt,
        (await admin.call('GET', `/api/Comment/Get?kind=host&id=${ids.hiddenHost}`)).body,
        (await admin.call('GET', `/api/Incident/Get/${ids.incident}`)).body,
      ])
    const before = await state()
    for (const route of ALL_ROUTES.filter(one => one.method !== 'GET' && one.path.includes('/:id'))) {
      const id = hiddenId(route)
      if (id === null || /Type|Model/.test(route.path)) continue
      const path = route.path.replace(':scope', 'host').replace(':id', String(id))
      const entity = /Update/.test(path) ? (await admin.call('GET', path.replace('Update', 'Get'))).body : {}
      const body = { ...entity, text: 'x', comment: 'x', minutes: 60, into: ids.incident, owner: 'rhone', pinned: true }
      const { status } = await limited.call(route.method, path, route.method === 'DELETE' ? undefined : body)
      if (status < 400 || status >= 500) changed.push(`${status} ${route.method} ${path}`)
    }
    for (const [path, change] of [
      ['Host', { enabled: false }],
      ['Site', { country: 'Tanzanie' }],
      ['Metric', { enabled: false }],
      ['Scanner', { enabled: false }],
    ] as const) {
      const id =
        path === 'Host' ? ids.hiddenHost : path === 'Site' ? ids.hidden : path === 'Metric' ? ids.metric : ids.scanner
      const answer = await limited.call('POST', `/api/${path}/Bulk`, { ids: [id], change })
      expect([path, answer.body.matched, answer.body.changed]).toEqual([path, 0, 0])
    }
    expect(changed).toEqual([])
    expect(await state()).toBe(before)
  })

  it('puts nothing where it would not see it, and nothing under what it does not see', async () => {
    const host = { name: 'intrus', address: '192.0.2.9' }
    expect((await limited.call('POST', '/api/Host/Create', { ...host, siteId: ids.hidden })).status).toBe(400)
    expect(
      (await limited.call('POST', '/api/Host/Create', { ...host, siteId: ids.lyon, parentIds: [ids.hiddenHost] }))
        .status,
    ).toBe(400)
    const scanner = { hostId: ids.hiddenHost, kind: 'ping', name: 'p', parameters: {} }
    expect((await limited.call('POST', '/api/Scanner/Create', scanner)).status).toBe(400)
    expect((await limited.call('POST', '/api/Site/Create', { name: 'Ailleurs', code: 'AIL' })).status).toBe(400)
    expect(
      (await limited.call('POST', '/api/Site/Create', { name: 'Sous', code: 'SOU', parentId: ids.hidden })).status,
    ).toBe(400)
    const under = await limited.call('POST', '/api/Site/Create', { name: 'Quai', code: 'QUA', parentId: ids.workshop })
    expect([under.status, (await limited.call('GET', `/api/Site/Get/${under.body.id}`)).status]).toEqual([201, 200])
    const own = (await limited.call('GET', `/api/Host/Get/${ids.host}`)).body
    const moved = await limited.call('PUT', `/api/Host/Update/${ids.host}`, { ...own, siteId: ids.hidden })
    expect(moved.status).toBe(400)
    expect(
      (await limited.call('POST', '/api/Model/Create', { name: 'M', definition: { scanners: [], fields: {} } })).status,
    ).toBe(403)
    expect((await limited.call('POST', '/api/Host/CreateType', { name: 'T', icon: 'server' })).status).toBe(403)
  })

  it('keeps the parents of equipment that it does not see when it saves it', async () => {
    const all = (await admin.call('GET', `/api/Host/Get/${ids.host}`)).body
    await admin.call('PUT', `/api/Host/Update/${ids.host}`, { ...all, parentIds: [ids.hiddenHost] })
    const own = (await limited.call('GET', `/api/Host/Get/${ids.host}`)).body
    expect([own.parentIds, JSON.stringify(own).includes(SECRET)]).toEqual([[], false])
    expect((await limited.call('PUT', `/api/Host/Update/${ids.host}`, { ...own, description: 'vu' })).status).toBe(200)
    expect((await admin.call('GET', `/api/Host/Get/${ids.host}`)).body.parentIds).toEqual([ids.hiddenHost])
  })

  it('unites the scopes of groups, and holds each claim where a group gives it', async () => {
    const readers = await make('/api/UserGroup/Create', { name: 'Tout le monde' })
    const writers = {
      name: 'Écrivains du Rhône',
      claims: [{ claim: 'host_write' }],
      limited: true,
      siteIds: [ids.lyon],
    }
    const both = await member('partout', [readers, await make('/api/UserGroup/Create', writers)])
    const far = await both.call('GET', `/api/Host/Get/${ids.hiddenHost}`)
    expect(far.status).toBe(200)
    expect((await both.call('PUT', `/api/Host/Update/${ids.hiddenHost}`, far.body)).status).toBe(404)
    const near = (await both.call('GET', `/api/Host/Get/${ids.host}`)).body
    expect((await both.call('PUT', `/api/Host/Update/${ids.host}`, near)).status).toBe(200)
    const elsewhere = { name: 'Océan', claims: [{ claim: 'incident_write' }], limited: true, siteIds: [ids.hidden] }
    const two = await member('deux', [group, await make('/api/UserGroup/Create', elsewhere)])
    expect((await two.call('GET', '/api/SiteDatatable')).body.recordsTotal).toBe(4)
    expect((await two.call('POST', `/api/Host/Check/${ids.hiddenHost}`)).status).toBe(200)
    expect((await two.call('PUT', `/api/Host/Update/${ids.hiddenHost}`, far.body)).status).toBe(404)
  })

  it('has no claim on the whole platform while it is limited, and a group without site left shows nothing', async () => {
    const lost = await make('/api/Site/Create', { name: 'Fermé', code: 'FER' })
    const only = await make('/api/UserGroup/Create', { name: 'Fermés', limited: true, siteIds: [lost] })
    const one = await member('isole', [only], ['log_read', 'user_read', 'host_write'])
    expect((await one.call('GET', '/api/Claim/User/Get')).body).toEqual([{ claim: 'host_write' }])
    expect((await one.call('GET', '/api/AccountDatatable')).status).toBe(403)
    await admin.call('DELETE', `/api/Site/Delete/${lost}`)
    expect((await one.call('GET', '/api/SiteDatatable')).body.recordsTotal).toBe(0)
    const out = (await admin.call('GET', `/api/UserGroup/Get/${only}`)).body
    expect([out.limited, out.sites]).toEqual([true, []])
    await admin.call('DELETE', `/api/UserGroup/Delete/${only}`)
    expect((await one.call('GET', '/api/AccountDatatable')).status).toBe(200)
  })
})
