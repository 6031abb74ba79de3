import { ALL_ROUTES, type Route, SITE_CLAIMS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from './testing/test-app.ts'

/** In the name of everything that the limited account may not see; a site of which it sees one host is told by its name. */
const SECRET = 'Zanzibar'

describe.each(DIALECTS)('S32: an account that is limited to tags, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let limited: Caller
  const ids = {
    above: 0,
    frame: 0,
    hidden: 0,
    host: 0,
    beside: 0,
    far: 0,
    metric: 0,
    scanner: 0,
    incident: 0,
    comment: 0,
  }
  let [group, maintenance] = [0, 0]

  const make = async (url: string, body: unknown): Promise<number> => {
    const made = await admin.make(url, body)
    return made.id ?? made.idUser
  }
  const member = async (login: string, groups: readonly number[]): Promise<Caller> => {
    await make('/api/Account/Create', { login, password: PASSWORD, groups })
    await test.database.db.updateTable('account').set({ first_connection: 0 }).where('login', '=', login).execute()
    return test.signIn(login, PASSWORD)
  }
  const tag = async (id: number, tags: readonly string[]): Promise<number> => {
    const host = (await admin.call('GET', `/api/Host/Get/${id}`)).body
    return (await admin.call('PUT', `/api/Host/Update/${id}`, { ...host, tags })).status
  }
  const status = async (path: string): Promise<number> => (await limited.call('GET', path)).status
  const total = async (path: string): Promise<number> => (await limited.call('GET', path)).body.recordsTotal

  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    ids.above = await make('/api/Site/Create', { name: `${SECRET} siège`, code: 'SIE' })
    ids.frame = await make('/api/Site/Create', { name: 'Atelier', code: 'ATE', parentId: ids.above })
    ids.hidden = await make('/api/Site/Create', { name: SECRET, code: 'ZAN' })
    const host = { withPing: true, siteId: ids.frame }
    ids.host = await make('/api/Host/Create', {
      ...host,
      name: 'tour',
      address: '192.0.2.1',
      tags: ['Éclairage 100 %'],
    })
    ids.beside = await make('/api/Host/Create', {
      ...host,
      name: `${SECRET}-voisin`,
      address: '192.0.2.2',
      tags: ['Éclairage 100'],
    })
    ids.far = await make('/api/Host/Create', {
      ...host,
      name: `${SECRET}-loin`,
      address: '192.0.2.3',
      siteId: ids.hidden,
    })
    const [metric] = (await admin.call('GET', `/api/Metric/Get?host=${ids.beside}`)).body
    await admin.call('PUT', `/api/Metric/Update/${metric.id}`, { ...metric, name: `${SECRET} RTT` })
    const scanner = (await admin.call('GET', `/api/Scanner/Get/${metric.scannerId}`)).body
    await admin.call('PUT', `/api/Scanner/Update/${scanner.id}`, { ...scanner, name: `${SECRET} ping` })
    Object.assign(ids, { metric: metric.id, scanner: scanner.id })
    const incident = { kind: 'metric', metric_id: ids.metric, host_id: ids.beside, site_id: ids.frame, probe_id: null }
    const row = await test.database.db
      .insertInto('incident')
      .values({
        ...{ ...incident, event_key: 'zan', severity_rank: 0, worst_rank: 0, information: SECRET },
        ...{ opened_at: 1, closed_at: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.incident = row.id
    ids.comment = await make('/api/Comment/Create', { kind: 'host', id: ids.beside, text: `${SECRET} noté` })
    await make('/api/Comment/Create', { kind: 'site', id: ids.frame, text: `${SECRET} sur le site` })
    const [from, to] = [-60_000, 3_600_000].map(ms => new Date(Date.now() + ms).toISOString())
    for (const [comment, named] of [
      [`${SECRET} en travaux`, { hosts: [ids.beside] }],
      // Of the site that the visible host stands on: it is told of it by the host too.
      ['Coupure du secteur', { sites: [ids.frame] }],
    ] as const)
      maintenance = await make('/api/Maintenance/Create', {
        ...{ comment, schedule: { kind: 'one-off', from, to } },
        ...named,
      })
    const model = await make('/api/Model/Create', { name: 'Commun', definition: { scanners: [], fields: {} } })
    const change = { addMonitoringModelIds: [model] }
    await admin.call('POST', '/api/Host/Bulk', { ids: [ids.host, ids.beside, ids.far], change })
    const claims = SITE_CLAIMS.map(claim => ({ claim }))
    const body = { name: 'Éclairage', claims, limited: true, tags: ['éclairage 100 %'] }
    group = await make('/api/UserGroup/Create', body)
    limited = await member('eclairage', [group])
  })
  afterAll(() => test.close())

  const hiddenId = ({ path }: Route): number | null => {
    const owners: readonly (readonly [RegExp, number])[] = [
      [/^\/api\/(Host|Availability\/Host|CustomField\/Host|Credential\/Host)\//, ids.beside],
      [/^\/api\/(Site|CustomField\/Site|Credential\/Site)\//, ids.hidden],
      [/^\/api\/(Metric|Availability\/Metric)\//, ids.metric],
      [/^\/api\/Scanner\//, ids.scanner],
      [/^\/api\/(Incident|Delivery\/Incident)\//, ids.incident],
      [/^\/api\/Comment\//, ids.comment],
    ]
    return owners.find(([pattern]) => pattern.test(path))?.[1] ?? null
  }

  it('reads nothing of the neighbours, by whatever call that reads, with whatever ids', async () => {
    const [from, to] = [-3_600_000, 3_600_000].map(ms => new Date(Date.now() + ms).toISOString())
    const queries = [ids.frame, ids.hidden].flatMap(site => [
      `host=${ids.beside}&ids=${ids.metric}&site=${site}&from=${from}&to=${to}&term=zan&kind=host&object=host&id=${ids.beside}`,
      `host=${ids.beside}&site=${site}&from=${from}&to=${to}&kind=site&object=site&id=${ids.frame}`,
    ])
    const told: string[] = []
    for (const route of ALL_ROUTES.filter(
      one => one.method === 'GET' && one.access !== 'open' && one.access !== 'probe',
    )) {
      const path = route.path.replace(':scope', 'host').replace(':id', String(hiddenId(route) ?? 1))
      for (const query of [...queries, '']) {
        const { status, body } = await limited.call('GET', `${path}?${query}`)
        if (JSON.stringify(body).includes(SECRET) || status >= 500)
          told.push(`${status} ${path}?${query} ${JSON.stringify(body).match(/.{80}Zanzibar.{40}/)?.[0]}`)
        if (status === 200 && route.path.includes(':id') && hiddenId(route) !== null && !/Type|Model/.test(path))
          told.push(`200 ${path}?${query}`)
      }
    }
    expect(told).toEqual([])
  })

  it('lists, counts and exports the hosts that bear the tag, and their site as a frame', async () => {
    for (const { path } of ALL_ROUTES.filter(one => one.method === 'PUT' && one.path.endsWith('Datatable'))) {
      const { body } = await limited.call('PUT', path, { search: { value: '', regex: false } })
      expect([path, JSON.stringify(body).match(/.{80}Zanzibar.{40}/)?.[0]]).toEqual([path, undefined])
      const file = await limited.file(path, 'text/csv', {})
      expect([path, file.text.includes(SECRET)]).toEqual([path, false])
    }
    expect([await total('/api/SiteDatatable'), await total('/api/HostDatatable')]).toEqual([1, 1])
    const frame = (await limited.call('GET', `/api/Site/Get/${ids.frame}`)).body
    expect([frame.partial, frame.hosts, frame.parentId, frame.parentName]).toEqual([true, 1, null, null])
    const [node, ...others] = (await limited.call('GET', '/api/Site/Tree')).body
    expect([node.partial, node.hosts, node.parentId, others]).toEqual([true, 1, null, []])
    const [site] = (await limited.call('GET', '/api/Dashboard/Get/Status')).body
    expect([site.siteId, site.hosts]).toEqual([ids.frame, 1])
    const main = (await limited.call('GET', '/api/Dashboard/Get/Main')).body
    expect(Object.values(main.hosts).reduce((sum: number, n) => sum + Number(n), 0)).toBe(1)
    expect(await status(`/api/RuleSetting/Get?scope=host&id=${ids.host}`)).toBe(200)
    expect(await total('/api/MaintenanceDatatable')).toBe(1)
    const common = (models: { name: string }[]) => models.find(({ name }) => name === 'Commun')
    expect(common((await limited.call('GET', '/api/Model/Get')).body)).toMatchObject({ hosts: 1 })
    expect(common((await admin.call('GET', '/api/Model/Get')).body)).toMatchObject({ hosts: 3 })
  })

  it('changes nothing of the neighbours, nor of a site that it sees in part', async () => {
    const own = (await limited.call('GET', `/api/Host/Get/${ids.host}`)).body
    const site = (await limited.call('GET', `/api/Site/Get/${ids.frame}`)).body
    const tried: ['DELETE' | 'POST' | 'PUT', string, unknown][] = [
      ['PUT', `/api/Site/Update/${ids.frame}`, site],
      ['DELETE', `/api/Site/Delete/${ids.frame}`, undefined],
      ['POST', '/api/Site/Create', { name: 'Sous', code: 'SOU', parentId: ids.frame }],
      ['POST', `/api/Maintenance/End/${maintenance}`, undefined],
      ['DELETE', `/api/Maintenance/Delete/${maintenance}`, undefined],
      ['POST', '/api/Comment/Create', { kind: 'site', id: ids.frame, text: 'vu' }],
      ['PUT', `/api/CustomField/Site/${ids.frame}`, { values: {}, updatedAt: null }],
      ['PUT', `/api/Host/Update/${ids.beside}`, own],
      ['DELETE', `/api/Host/Delete/${ids.beside}`, undefined],
      ['POST', '/api/Scanner/Create', { hostId: ids.beside, kind: 'ping', name: 'p', parameters: {} }],
      ['POST', `/api/Host/Check/${ids.beside}`, undefined],
    ]
    for (const [method, url, body] of tried) {
      const answer = await limited.call(method, url, body)
      expect([method, url, answer.status >= 400 && answer.status < 500]).toEqual([method, url, true])
    }
    const bulk = async (path: string, body: object) =>
      (await limited.call('POST', `/api/${path}/Bulk`, body)).body.matched
    expect(await bulk('Host', { ids: [ids.beside, ids.far], change: { enabled: false } })).toBe(0)
    expect(await bulk('Site', { ids: [ids.frame], change: { country: 'Tanzanie' } })).toBe(0)
    expect(await bulk('Metric', { ids: [ids.metric], change: { enabled: false } })).toBe(0)
    expect(await bulk('Scanner', { ids: [ids.scanner], change: { enabled: false } })).toBe(0)
    expect((await limited.call('PUT', `/api/Host/Update/${ids.host}`, { ...own, description: 'vu' })).status).toBe(200)
  })

  it('S35: puts equipment only where it sees it afterwards, alone or many at once', async () => {
    const host = { name: 'neuf', address: '192.0.2.9', siteId: ids.frame }
    const create = async (more: object) => (await limited.call('POST', '/api/Host/Create', { ...host, ...more })).status
    expect(await create({})).toBe(400)
    expect(await create({ siteId: ids.hidden, tags: ['éclairage 100 %'] })).toBe(400)
    expect(await create({ tags: ['ÉCLAIRAGE 100 %'] })).toBe(201)
    const [made] = (await limited.call('GET', '/api/HostDatatable')).body.data.filter(
      (one: { name: string }) => one.name === 'neuf',
    )
    const without = await limited.call('PUT', `/api/Host/Update/${made.id}`, { ...made, tags: [] })
    expect([without.status, without.body.fields?.tags]).toEqual([400, expect.stringMatching(/eclairage 100/)])
    const bulk = { ids: [made.id], change: { removeTags: ['éclairage 100 %'] } }
    const many = (await limited.call('POST', '/api/Host/Bulk', bulk)).body
    expect([many.changed, many.refusals.length]).toEqual([0, 1])
    expect((await limited.call('DELETE', `/api/Host/Delete/${made.id}`)).status).toBe(200)
  })

  it('sees at once what a tag brings, and no more what one takes away', async () => {
    expect(await status(`/api/Host/Get/${ids.far}`)).toBe(404)
    expect(await tag(ids.far, ['éclairage 100 %'])).toBe(200)
    expect([await status(`/api/Host/Get/${ids.far}`), await total('/api/HostDatatable')]).toEqual([200, 2])
    expect([await total('/api/SiteDatatable'), (await total('/api/MetricDatatable')) > 0]).toEqual([2, true])
    expect(await tag(ids.far, [])).toBe(200)
    expect([await status(`/api/Host/Get/${ids.far}`), await total('/api/HostDatatable')]).toEqual([404, 1])
    expect(await total('/api/SiteDatatable')).toBe(1)
  })

  it('unites with the sites of another group, and tells where each right is held', async () => {
    const sites = { name: 'Zan', claims: [{ claim: 'incident_write' }], limited: true, siteIds: [ids.hidden] }
    const both = await member('deux', [group, await make('/api/UserGroup/Create', sites)])
    expect((await both.call('GET', '/api/SiteDatatable')).body.recordsTotal).toBe(2)
    expect((await both.call('GET', '/api/HostDatatable')).body.recordsTotal).toBe(2)
    const { limits } = (await both.call('GET', '/api/Account/Get')).body
    const writes = SITE_CLAIMS.filter(claim => claim !== 'incident_write')
    expect(limits).toEqual([{ claims: expect.arrayContaining(writes), siteIds: [], hostIds: [ids.host] }])
    const far = (await both.call('GET', `/api/Host/Get/${ids.far}`)).body
    expect((await both.call('PUT', `/api/Host/Update/${ids.far}`, far)).status).toBe(404)
    expect((await both.call('POST', `/api/Host/Check/${ids.far}`)).status).toBe(200)
    const account = (
      await admin.call(
        'GET',
        `/api/Account/Get/${far.id === 0 ? 0 : (await both.call('GET', '/api/Account/Get')).body.idUser}`,
      )
    ).body
    expect(account.groups.map(({ tags }: { tags: string[] }) => tags)).toEqual([['éclairage 100 %'], []])
  })

  it('a group names a tag once, however it is written, and must name something', async () => {
    const create = (body: object) =>
      admin.call('POST', '/api/UserGroup/Create', { name: 'Deux fois', limited: true, ...body })
    expect((await create({})).status).toBe(400)
    const made = await create({ tags: ['Cœur', 'cœur', 'CŒUR'] })
    expect([made.status, made.body.tags, made.body.sites]).toEqual([201, ['CŒUR'], []])
    const seen = await admin.call('PUT', '/api/UserGroupDatatable', { search: { value: 'deux fois', regex: false } })
    expect(seen.body.data[0].tags).toEqual(['CŒUR'])
  })
})
