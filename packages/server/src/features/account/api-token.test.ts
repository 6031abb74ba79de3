import { ALL_ROUTES } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

const DAY_MS = 86_400_000

describe.each(DIALECTS)('API tokens on %s', dialect => {
  const clock = createTestClock()
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: clock.now })
    admin = await test.admin()
  })
  afterAll(() => test.close())

  const create = async (user: Caller, body: object) => {
    const answer = await user.call('POST', '/api/ApiToken/Create', { name: 'sauvegarde', ...body })
    return { ...answer, script: test.bearing(answer.body?.token ?? '') }
  }
  const idOf = async (user: Caller) => (await user.call('GET', '/api/Account/Get')).body.idUser

  it('works as a bearer token, without cookie or XSRF header, with the claims it was given and no other', async () => {
    const user = await test.user(['site_write', 'host_write'])
    const { status, body, script } = await create(user, { claims: [{ claim: 'site_write' }] })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ name: 'sauvegarde', claims: [{ claim: 'site_write' }], lastUsedAt: null }),
    ])
    expect(body.token).toMatch(/^narval_[\w-]{43}$/)
    expect((await script.call('POST', '/api/Site/Create', { name: 'S', code: `S-${dialect}` })).status).toBe(201)
    expect((await script.call('POST', '/api/Host/Create', { name: 'h', address: '192.0.2.1', siteId: 1 })).status).toBe(
      403,
    )
    expect((await script.call('GET', '/api/Claim/User/Get')).body).toEqual([{ claim: 'site_write' }])
    const [listed] = (await user.call('GET', '/api/ApiToken/Get')).body
    expect(listed).toMatchObject({ lastUsedAt: new Date(clock.now()).toISOString() })
    expect(listed).not.toHaveProperty('token')
  })

  it('nobody puts in it a claim that he does not hold; one that he loses, it loses', async () => {
    const user = await test.user(['site_write'])
    expect((await create(user, { claims: [{ claim: 'host_write' }] })).status).toBe(403)
    expect((await create(user, { claims: [{ claim: 'admin' }] })).status).toBe(403)
    const { script } = await create(user, { claims: [{ claim: 'site_write' }] })
    await admin.call('PUT', `/api/Claim/${await idOf(user)}`, { claims: [] })
    expect((await script.call('POST', '/api/Site/Create', { name: 'T', code: `T-${dialect}` })).status).toBe(403)
    expect((await script.call('GET', '/api/Site/Get')).status).toBe(200)
  })

  it('carries a claim that its owner holds on some sites only, and holds it there only', async () => {
    const [near, far] = [`N-${dialect}`, `F-${dialect}`]
    const siteOf = async (code: string) => (await admin.make('/api/Site/Create', { name: code, code })).id
    const [nearId, farId] = [await siteOf(near), await siteOf(far)]
    const claims = [{ claim: 'host_write' }]
    const group = await admin.make('/api/UserGroup/Create', { name: near, claims, limited: true, siteIds: [nearId] })
    const readers = await admin.make('/api/UserGroup/Create', { name: far })
    const user = await test.user([])
    await admin.call('PUT', `/api/Account/Update/${await idOf(user)}`, { groups: [group.id, readers.id] })
    const { status, script } = await create(user, { claims })
    expect(status).toBe(201)
    const host = { name: 'h', address: '192.0.2.1' }
    expect((await script.call('POST', '/api/Host/Create', { ...host, siteId: nearId })).status).toBe(201)
    expect((await script.call('POST', '/api/Host/Create', { ...host, siteId: farId })).status).toBe(400)
    expect((await script.call('GET', `/api/Site/Get/${farId}`)).status).toBe(200)
  })

  it('touches neither the account, nor its password, nor its sessions and tokens', async () => {
    const { script } = await create(admin, { claims: [{ claim: 'admin' }] })
    const refused = ALL_ROUTES.filter(route => route.sessionOnly)
    expect(refused.map(route => `${route.method} ${route.path}`).toSorted()).toEqual([
      'DELETE /api/Account/Delete',
      'DELETE /api/ApiToken/Delete/:id',
      'DELETE /api/Display/Delete/:id',
      'DELETE /api/SecondFactor/User/:id',
      'DELETE /api/Session/Delete',
      'DELETE /api/Session/Delete/:id',
      'GET /api/SecondFactor/Get',
      'POST /api/ApiToken/Create',
      'POST /api/Authentication/Logout',
      'POST /api/Display/Create',
      'POST /api/SecondFactor/Begin',
      'POST /api/SecondFactor/Codes',
      'POST /api/SecondFactor/Confirm',
      'POST /api/SecondFactor/Remove',
      'PUT /api/Account/Password/Update',
      'PUT /api/Account/Picture',
      'PUT /api/Account/Update',
    ])
    for (const route of refused)
      expect([route.path, (await script.call(route.method, route.path.replace(':id', '1'), {})).status]).toEqual([
        route.path,
        403,
      ])
  })

  it('ends at its date, when it is revoked, when the account is disabled or its password reset', async () => {
    const user = await test.user([])
    const [dated, revoked, kept] = [
      await create(user, { days: 1 }),
      await create(user, {}),
      await create(user, { days: 365 }),
    ]
    const statusOf = async (caller: Caller) => (await caller.call('GET', '/api/Account/Get')).status
    expect([await statusOf(dated.script), await statusOf(revoked.script)]).toEqual([200, 200])
    const stranger = await test.user([])
    expect((await stranger.call('DELETE', `/api/ApiToken/Delete/${revoked.body.id}`)).status).toBe(404)
    expect((await user.call('DELETE', `/api/ApiToken/Delete/${revoked.body.id}`)).status).toBe(204)
    expect(await statusOf(revoked.script)).toBe(401)
    clock.forward(DAY_MS)
    admin = await test.admin()
    expect([await statusOf(dated.script), await statusOf(kept.script)]).toEqual([401, 200])
    const id = (await kept.script.call('GET', '/api/Account/Get')).body.idUser
    await admin.call('PUT', `/api/Account/Update/${id}`, { enabled: false })
    expect(await statusOf(kept.script)).toBe(401)
    await admin.call('PUT', `/api/Account/Update/${id}`, { enabled: true })
    expect(await statusOf(kept.script)).toBe(200)
    await admin.call('POST', `/api/Account/Password/Reset/${id}`)
    expect(await statusOf(kept.script)).toBe(401)
  })

  it('fifty at most', async () => {
    const user = await test.user([])
    for (let made = 0; made < 50; made++) expect((await create(user, {})).status).toBe(201)
    expect((await create(user, {})).status).toBe(409)
  })

  it.each(['narval_', 'narval_x', `narval_${'A'.repeat(43)}`, 'narval_\u0000'])('%s opens nothing', async token => {
    expect((await test.bearing(token).call('GET', '/api/Account/Get')).status).toBe(401)
  })
})
