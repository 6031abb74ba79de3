import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from './testing/test-app.ts'

const SITE = { name: 'Lyon Part-Dieu', code: 'LYO-1', city: 'Lyon' }

describe.each(DIALECTS)('objects on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
  })
  afterAll(() => test.close())

  const create = async (path: string, body: unknown) => {
    const answer = await admin.call('POST', path, body)
    expect([path, answer.status, answer.body.errors]).toEqual([path, 201, undefined])
    return answer.body
  }

  it('a site, its host with a ping, a scanner and its metrics are created and read back', async () => {
    const site = await create('/api/Site/Create', SITE)
    expect(site).toMatchObject({
      ...SITE,
      country: 'France',
      timeZone: 'Europe/Paris',
      hosts: 0,
      severity: 'ok',
      updatedBy: 'admin',
    })
    const host = await create('/api/Host/Create', {
      name: 'rtr-lyon-01',
      address: '192.0.2.1',
      siteId: site.id,
      tags: ['cœur', 'wan'],
    })
    expect(host).toMatchObject({
      siteName: SITE.name,
      state: 'pending',
      severity: 'unknown',
      scanners: 1,
      tags: ['cœur', 'wan'],
    })
    const scanner = await create('/api/Scanner/Create', {
      name: 'SSH',
      kind: 'tcp',
      hostId: host.id,
      parameters: { port: 22 },
    })
    expect(scanner).toMatchObject({
      parameters: { port: 22, banner: '' },
      effective: { intervalSeconds: 60, retryIntervalSeconds: 20, attempts: 3 },
      metrics: 2,
    })
    const metrics = await admin.call('GET', `/api/Metric/Get?host=${host.id}`)
    expect(metrics.body.map((metric: { key: string }) => metric.key).toSorted()).toEqual([
      'availability',
      'availability',
      'connect_time',
      'jitter',
      'loss_ratio',
      'rtt_avg',
      'rtt_max',
      'rtt_min',
    ])
    expect((await admin.call('GET', '/api/Site/Get')).body[0]).toMatchObject({ hosts: 1, counts: { unknown: 1 } })
  })

  it('names are found without case or accents, in every list and in the search', async () => {
    await create('/api/Site/Create', { name: 'Entrepôt Évry Œuvres', code: 'EVRY' })
    for (const term of ['ENTREPOT EVRY', 'œuvres', 'oeuvres']) {
      const answer = await admin.call('PUT', '/api/SiteDatatable', { draw: 7, search: { value: term } })
      expect(answer.body).toMatchObject({ draw: 7, recordsFiltered: 1 })
    }
    expect((await admin.call('GET', '/api/Search?term=EVRY')).body[0]).toMatchObject({
      kind: 'site',
      name: 'Entrepôt Évry Œuvres',
    })
    expect((await admin.call('GET', '/api/Site/Select2D/Get?term=evry')).body).toMatchObject({
      results: [{ text: 'Entrepôt Évry Œuvres' }],
      pagination: { more: false },
    })
  })

  it('pages are 25 by default, at most 1,000, sorted by any column, and neither repeat nor skip a row', async () => {
    const site = await create('/api/Site/Create', { name: 'Pages', code: 'PAGES' })
    for (let index = 0; index < 60; index++)
      await create('/api/Host/Create', {
        name: `h-${index % 7}`,
        address: `198.51.100.${index}`,
        siteId: site.id,
        withPing: false,
      })
    const columns = [{ data: 'name' }, { data: 'address' }]
    const page = (start: number, length: number) =>
      admin.call('PUT', '/api/HostDatatable', {
        start,
        length,
        columns,
        order: [{ column: 0, dir: 'desc' }],
        filters: { siteId: site.id },
      })
    const pages = [await page(0, 25), await page(25, 25), await page(50, 25)]
    const ids = pages.flatMap(answer => answer.body.data.map((host: { id: number }) => host.id))
    expect([ids.length, new Set(ids).size, pages[0]?.body.recordsFiltered]).toEqual([60, 60, 60])
    expect(pages[0]?.body.data[0].name).toBe('h-6')
    expect((await page(0, -1)).body.data.length).toBe(60)
    expect((await admin.call('GET', '/api/HostDatatable')).body.data.length).toBe(25)
  })

  it('an update based on an older version gets 409 with the newer one, and changes nothing', async () => {
    const site = await create('/api/Site/Create', { name: 'Deux éditeurs', code: 'DEUX' })
    const first = await admin.call('PUT', `/api/Site/Update/${site.id}`, {
      ...SITE,
      code: 'DEUX',
      name: 'Premier',
      updatedAt: site.updatedAt,
    })
    expect(first.status).toBe(200)
    const second = await admin.call('PUT', `/api/Site/Update/${site.id}`, {
      ...SITE,
      code: 'DEUX',
      name: 'Second',
      updatedAt: site.updatedAt,
    })
    expect(second).toMatchObject({
      status: 409,
      body: { current: { name: 'Premier' }, errors: ['Cette fiche a été modifiée entre-temps par admin.'] },
    })
    expect((await admin.call('GET', `/api/Site/Get/${site.id}`)).body.name).toBe('Premier')
  })

  it('a duplicate code, an unknown reference, a cycle of parents and bad thresholds are refused beside their field', async () => {
    const parent = await create('/api/Site/Create', { name: 'Parent', code: 'PARENT' })
    const child = await create('/api/Site/Create', { name: 'Enfant', code: 'ENFANT', parentId: parent.id })
    expect(await admin.call('POST', '/api/Site/Create', { name: 'x', code: 'parent' })).toMatchObject({
      status: 409,
      body: { fields: { code: 'Ce code est déjà pris.' } },
    })
    const cycle = await admin.call('PUT', `/api/Site/Update/${parent.id}`, {
      name: 'Parent',
      code: 'PARENT',
      parentId: child.id,
      updatedAt: parent.updatedAt,
    })
    expect(cycle).toMatchObject({ status: 400, body: { fields: { parentId: expect.any(String) } } })
    expect(
      await admin.call('POST', '/api/Host/Create', { name: 'x', address: '1.2.3.4', siteId: 999_999 }),
    ).toMatchObject({ status: 400, body: { fields: { siteId: 'Ce site n’existe pas.' } } })
    expect(
      await admin.call('POST', '/api/Host/Create', { name: '', address: '300.1.1.1', siteId: parent.id }),
    ).toMatchObject({ status: 400, body: { fields: { name: 'Champ requis', address: expect.any(String) } } })
    const host = await create('/api/Host/Create', { name: 'seuils', address: '192.0.2.9', siteId: parent.id })
    const metric = (await admin.call('GET', `/api/Metric/Get?host=${host.id}`)).body.find(
      (one: { key: string }) => one.key === 'rtt_avg',
    )
    const thresholds = { warningHigh: 100, errorHigh: 50 }
    const answer = await admin.call('PUT', `/api/Metric/Update/${metric.id}`, {
      name: metric.name,
      thresholds,
      updatedAt: metric.updatedAt,
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: { 'thresholds.errorHigh': expect.stringContaining('seuil') } },
    })
  })

  it('a site that still has hosts cannot be deleted: 409, the site stays; a host goes with its scanners and metrics', async () => {
    const site = await create('/api/Site/Create', { name: 'À vider', code: 'VIDE' })
    const host = await create('/api/Host/Create', { name: 'dernier', address: '192.0.2.77', siteId: site.id })
    expect((await admin.call('DELETE', `/api/Site/Delete/${site.id}`)).status).toBe(409)
    expect((await admin.call('DELETE', `/api/Host/Delete/${host.id}?plan=true`)).body).toEqual({
      deleted: false,
      plan: { sites: 0, hosts: 1, scanners: 1, metrics: 6, comments: 0 },
    })
    expect((await admin.call('DELETE', `/api/Host/Delete/${host.id}`)).body.deleted).toBe(true)
    expect((await admin.call('GET', `/api/Scanner/Get?host=${host.id}`)).body).toEqual([])
    expect((await admin.call('DELETE', `/api/Site/Delete/${site.id}`)).body.deleted).toBe(true)
  })

  it('a site goes with the sites under it and their equipment when that is asked for, as its plan said; nothing else does', async () => {
    const region = await create('/api/Site/Create', { name: 'Région', code: 'REG' })
    const town = await create('/api/Site/Create', { name: 'Ville', code: 'VILLE', parentId: region.id })
    const kept = await create('/api/Site/Create', { name: 'Ailleurs', code: 'AILL' })
    for (const [name, siteId] of [
      ['a', region.id],
      ['b', town.id],
      ['c', kept.id],
    ] as const)
      await create('/api/Host/Create', { name: `cascade-${name}`, address: '192.0.2.5', siteId })
    const path = `/api/Site/Delete/${region.id}`
    const plan = { sites: 2, hosts: 2, scanners: 2, metrics: 12, comments: 0 }
    expect((await admin.call('DELETE', `${path}?plan=true`)).body).toEqual({ deleted: false, plan })
    expect((await admin.call('DELETE', path)).status).toBe(409)
    const editor = await test.user(['site_write'])
    expect((await editor.call('DELETE', `${path}?cascade=true`)).status).toBe(403)
    expect((await admin.call('DELETE', `${path}?cascade=true`)).body).toEqual({ deleted: true, plan })
    expect((await admin.call('GET', `/api/Site/Get/${town.id}`)).status).toBe(404)
    const left = (await admin.call('PUT', '/api/HostDatatable', { search: { value: 'cascade-' } })).body.data
    expect(left.map((host: { name: string }) => host.name)).toEqual(['cascade-c'])
    expect((await admin.call('GET', `/api/Site/Get/${kept.id}`)).body.hosts).toBe(1)
  })

  it('a timeout longer than the time between two attempts is refused beside its field; an inherited one gives way', async () => {
    const site = await create('/api/Site/Create', { name: 'Délais', code: 'DELAIS' })
    const host = await create('/api/Host/Create', { name: 'lent', address: '192.0.2.88', siteId: site.id })
    const tcp = { name: 'SSH', kind: 'tcp', hostId: host.id, intervalSeconds: 10, parameters: { port: 22 } }
    const wrong = await admin.call('POST', '/api/Scanner/Create', { ...tcp, retryIntervalSeconds: 2, timeoutMs: 3_000 })
    expect(wrong).toMatchObject({ status: 400, body: { fields: { timeoutMs: expect.stringContaining('(2 s)') } } })
    expect((await create('/api/Scanner/Create', { ...tcp, retryIntervalSeconds: 2 })).effective.timeoutMs).toBe(2_000)
    expect(await admin.call('PUT', '/api/Parameter/Collect', { timeoutMs: 30_000 })).toMatchObject({
      status: 400,
      body: { fields: { timeoutMs: expect.any(String) } },
    })
  })

  it('settings have bounds and origins, change all or nothing, and are read before signing in only where public', async () => {
    const bad = await admin.call('PUT', '/api/Parameter/Collect', { intervalSeconds: 30, attempts: 99 })
    expect(bad).toMatchObject({ status: 400, body: { fields: { attempts: expect.any(String) } } })
    const origin = async () =>
      (await admin.call('GET', '/api/Parameter/Collect')).body.find(
        (one: { key: string }) => one.key === 'intervalSeconds',
      )
    expect(await origin()).toMatchObject({ value: 60, origin: 'default' })
    expect((await admin.call('PUT', '/api/Parameter/Collect', { intervalSeconds: 30 })).status).toBe(200)
    expect(await origin()).toMatchObject({ value: 30, origin: 'setting' })
    expect((await test.anonymous().call('GET', '/api/Parameter/Public')).body).toMatchObject({
      name: 'Narval',
      passwordMinLength: 8,
    })
  })

  it('accounts are created by API with claims and groups; nobody gives what he does not hold, the last administrator stays', async () => {
    const created = await create('/api/Account/Create', {
      login: 'Marie.Dupont',
      firstName: 'Marie',
      claims: [{ claim: 'site_write' }],
    })
    expect(created).toMatchObject({
      firstConnection: true,
      claims: [{ claim: 'site_write' }],
      temporaryPassword: expect.any(String),
    })
    const marie = await test.signIn('marie.dupont', created.temporaryPassword)
    expect((await marie.call('GET', '/api/Site/Get')).status).toBe(403)
    expect(
      (await marie.call('PUT', '/api/Account/Password/Update', { password: 'court', passwordConfirmation: 'court' }))
        .body.errors.length,
    ).toBe(2)
    expect(
      (
        await marie.call('PUT', '/api/Account/Password/Update', {
          password: 'Nouveau-2026!',
          passwordConfirmation: 'Nouveau-2026!',
        })
      ).status,
    ).toBe(204)
    expect((await marie.call('GET', '/api/Site/Get')).status).toBe(200)
    const manager = await test.user(['user_write', 'user_read'])
    expect(
      (await manager.call('PUT', `/api/Claim/${created.idUser}`, { claims: [{ claim: 'host_write' }] })).status,
    ).toBe(403)
    expect(
      (await admin.call('PUT', `/api/Claim/${created.idUser}`, { claims: [{ claim: 'host_write' }] })).body.claims,
    ).toEqual([{ claim: 'host_write' }])
    const own = (await admin.call('GET', '/api/Account/Get')).body
    expect((await admin.call('DELETE', '/api/Account/Delete')).status).toBe(409)
    expect((await admin.call('PUT', `/api/Account/Update/${own.idUser}`, { enabled: false })).status).toBe(409)
    expect((await admin.call('POST', '/api/Account/Create', { login: 'MARIE.DUPONT' })).status).toBe(409)
  })

  it('S14, S15: a lost claim, a disabled account and a logout act on the next call', async () => {
    const user = await test.user(['site_write'], { login: `perdu-${dialect}` })
    const id = (await user.call('GET', '/api/Account/Get')).body.idUser
    expect((await user.call('POST', '/api/Site/Create', { name: 'A', code: 'A' })).status).toBe(201)
    await admin.call('PUT', `/api/Claim/${id}`, { claims: [] })
    expect((await user.call('POST', '/api/Site/Create', { name: 'B', code: 'B' })).status).toBe(403)
    await user.call('POST', '/api/Authentication/Logout', null)
    expect((await user.call('GET', '/api/Account/Get')).status).toBe(401)
    const again = await test.signIn(`perdu-${dialect}`, 'Essai-2026!')
    await admin.call('PUT', `/api/Account/Update/${id}`, { enabled: false })
    expect((await again.call('GET', '/api/Account/Get')).status).toBe(401)
  })

  it('S16–S19: a refresh rotates, its answer can be asked again, anything else ends the session', async () => {
    const refresh = (caller: Caller, over = {}) =>
      caller.call('POST', '/api/Authentication/Refresh', {
        accessToken: caller.token,
        refreshToken: caller.refreshToken,
        uuid: caller.uuid,
        ...over,
      })
    const user = await test.user([])
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(user)))
    expect(new Set(answers.map(answer => answer.body.refreshToken)).size).toBe(1)
    expect(answers.every(answer => answer.status === 200)).toBe(true)
    const other = await test.user([])
    expect((await refresh(other, { uuid: '00000000-0000-4000-8000-000000000000' })).status).toBe(401)
    expect((await refresh(other)).status).toBe(401)
    expect((await other.call('GET', '/api/Account/Get')).status).toBe(401)
  })
})
