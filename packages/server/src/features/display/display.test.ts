import { ALL_ROUTES, DISPLAY_STREAM, GLOBAL_STREAM, HUBS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RATE_LIMITS } from '../../http/rate-limit.ts'
import { HUB_DEFINITIONS } from '../../hub-definitions.ts'
import { createTestClock } from '../../testing/clock.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

const DAY_MS = 86_400_000
const WALL = '/api/Display/Wall'
const HOSTS = '/api/Display/Host'

describe.each(DIALECTS)('display tokens on %s', dialect => {
  const clock = createTestClock()
  let test: TestApp
  let admin: Caller
  let here: number
  let there: number
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: clock.now })
    admin = await test.admin()
    for (const [name, code] of [
      ['Brest', 'BRE'],
      ['Toulon', 'TLN'],
    ] as const) {
      const site = await admin.make('/api/Site/Create', { name, code })
      for (const index of [1, 2])
        await admin.make('/api/Host/Create', { name: `${code}-${index}`, address: '192.0.2.1', siteId: site.id })
      if (code === 'BRE') here = site.id
      else there = site.id
    }
  })
  afterAll(() => test.close())

  const create = async (body: object = {}) => {
    const made = await admin.make('/api/Display/Create', { name: 'Hall', ...body })
    return { ...made, screen: test.bearing(made.token) }
  }
  const statusOf = async (screen: Caller, url = WALL) => (await screen.call('GET', url)).status

  it('reads the wall and the grid of hosts; every other route answers 401 or 403 to it, and takes it for nobody', async () => {
    const { screen } = await create()
    const open = new Set<string>()
    for (const route of ALL_ROUTES.filter(one => one.access !== 'open')) {
      const { status } = await screen.call(
        route.method,
        route.path.replaceAll(/:\w+/g, '1'),
        route.method === 'GET' ? undefined : {},
      )
      if (status !== 401 && status !== 403) open.add(`${status} ${route.method} ${route.path}`)
    }
    expect([...open].toSorted()).toEqual([`200 GET ${HOSTS}`, `200 GET ${WALL}`])
  })

  it('opens no session: no cookie is given to it, and what is open to anybody does not know it', async () => {
    const { screen } = await create()
    const answer = await screen.call('GET', WALL)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect((await screen.call('GET', '/api/Parameter/Public')).status).toBe(200)
    expect((await screen.call('POST', '/api/Authentication/Logout')).status).toBe(401)
  })

  it('of one site sees that site alone: counters, problems, sites, hosts', async () => {
    const { screen, siteName } = await create({ siteId: here })
    expect(siteName).toBe('Brest')
    const wall = (await screen.call('GET', WALL)).body
    expect([wall.siteName, wall.sites.total, wall.sites.rows.map((one: { id: number }) => one.id)]).toEqual([
      'Brest',
      1,
      [here],
    ])
    const counted = Object.values<number>(wall.hosts).reduce((sum, one) => sum + one, 0)
    const grid = (await screen.call('GET', HOSTS)).body
    expect([counted, grid.name, grid.sites]).toEqual([2, ['BRE-1', 'BRE-2'], [{ id: here, name: 'Brest' }]])
    const whole = (await (await create()).screen.call('GET', HOSTS)).body
    expect(whole.name).toEqual(['BRE-1', 'BRE-2', 'TLN-1', 'TLN-2'])
    expect((await admin.call('GET', '/api/Dashboard/Get/Host')).body).toEqual({ ...whole, at: expect.any(String) })
  })

  it('goes with its site rather than show all of them', async () => {
    const site = await admin.make('/api/Site/Create', { name: 'Passager', code: 'PAS' })
    const { screen } = await create({ siteId: site.id })
    expect(await statusOf(screen)).toBe(200)
    expect((await admin.call('DELETE', `/api/Site/Delete/${site.id}`)).status).toBe(200)
    expect(await statusOf(screen)).toBe(401)
    expect((await admin.call('POST', '/api/Display/Create', { name: 'x', siteId: site.id })).status).toBe(400)
  })

  it('ends at its date', async () => {
    const [dated, kept] = [await create({ days: 1 }), await create({ days: 30 })]
    expect([await statusOf(dated.screen), await statusOf(kept.screen)]).toEqual([200, 200])
    clock.forward(DAY_MS)
    admin = await test.admin()
    expect([await statusOf(dated.screen), await statusOf(kept.screen)]).toEqual([401, 200])
  })

  it('is never taken from an address, where it would be written down', async () => {
    const { token } = await create()
    for (const hub of Object.values(HUBS)) {
      const url = `${hub.path}/negotiate?negotiateVersion=1&access_token=${token}`
      expect([hub.path, (await test.app.http.inject({ method: 'POST', url })).statusCode]).toEqual([hub.path, 401])
    }
    expect((await test.app.http.inject({ url: `${WALL}?access_token=${token}` })).statusCode).toBe(401)
  })

  it('follows the stream of walls on the service hub and no other', () => {
    const joined: string[] = []
    const connection = (userId: number) => ({
      ...{ id: 'c', identity: { userId, sessionId: userId, expiresMs: 0 }, leave: () => {} },
      join: (stream: string) => joined.push(stream) > 0,
    })
    for (const { path, methods } of HUB_DEFINITIONS)
      for (const [name, method] of Object.entries(methods).filter(([one]) => one.startsWith('Join')))
        for (const stream of [GLOBAL_STREAM, '1', 'host:1', 'account:1', DISPLAY_STREAM]) {
          const answer = method(connection(-1), [stream])
          const isAllowed = path === HUBS.service.path && stream === DISPLAY_STREAM
          expect([path, name, stream, answer === null]).toEqual([path, name, stream, isAllowed])
        }
    expect(joined).toEqual([DISPLAY_STREAM])
  })

  it('is kept as a hash, shown once, listed with its last use, and audited', async () => {
    const { token, id } = await create({ name: 'Accueil' })
    expect(token).toMatch(/^narvalmur_[\w-]{43}$/)
    const rows = await test.database.db.selectFrom('display_token').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token.slice(10))
    const listed = async () =>
      (await admin.call('GET', '/api/Display/Get')).body.find((one: { id: number }) => one.id === id)
    expect(await listed()).toMatchObject({ name: 'Accueil', lastUsedAt: null, lastAddress: '', screens: 0 })
    await test.bearing(token).call('GET', WALL)
    expect(await listed()).toMatchObject({
      ...{ lastUsedAt: new Date(clock.now()).toISOString(), lastAddress: '127.0.0.1', screens: 1 },
    })
    expect(await listed()).not.toHaveProperty('token')
    await test.bearing(token).call('GET', WALL)
    await admin.call('DELETE', `/api/Display/Delete/${id}`)
    const audited = await test.database.db
      .selectFrom('audit')
      .select(['action', 'actor', 'address', 'detail'])
      .where('object', '=', `display-token ${id}`)
      .orderBy('id')
      .execute()
    expect(audited.map(({ action, actor }) => [action, actor])).toEqual([
      ['display-token-create', 'admin'],
      ['display-token-use', null],
      ['display-token-delete', 'admin'],
    ])
    expect(JSON.stringify(audited)).not.toContain(token)
  })

  it('is made and revoked with parameter_write, by a session, and no other way', async () => {
    const plain = await test.user(['site_write', 'service_read'])
    for (const [method, url] of [
      ['GET', '/api/Display/Get'],
      ['POST', '/api/Display/Create'],
      ['DELETE', '/api/Display/Delete/1'],
    ] as const)
      expect([url, (await plain.call(method, url, method === 'POST' ? { name: 'x' } : undefined)).status]).toEqual([
        url,
        403,
      ])
    const holder = await test.user(['parameter_write'])
    expect((await holder.call('POST', '/api/Display/Create', { name: 'x', days: 0 })).status).toBe(400)
    expect((await holder.call('POST', '/api/Display/Create', { name: 'x', siteId: there })).status).toBe(201)
    expect(await statusOf(plain)).toBe(200)
  })

  it.each(['narvalmur_', `narvalmur_${'A'.repeat(43)}`, 'narvalmur_\u0000', 'narval_x', 'x'])(
    '%j opens no wall',
    async token => {
      expect([await statusOf(test.bearing(token)), await statusOf(test.bearing(token), HOSTS)]).toEqual([401, 401])
    },
  )
})

it('revoked, it opens nothing any more, and its hub connections end with it', async () => {
  const test = await createTestApp()
  try {
    const admin = await test.admin()
    const { id, token } = await admin.make('/api/Display/Create', { name: 'Hall' })
    const statuses = async () => {
      const url = `${HUBS.service.path}/negotiate?negotiateVersion=1`
      const headers = { authorization: `Bearer ${token}` }
      const hub = await test.app.http.inject({ method: 'POST', url, headers })
      return [(await test.bearing(token).call('GET', WALL)).status, hub.statusCode]
    }
    expect(await statuses()).toEqual([200, 200])
    expect(test.app.hubs.stats().sessions).toBe(1)
    expect((await admin.call('DELETE', `/api/Display/Delete/${id}`)).status).toBe(204)
    expect(test.app.hubs.stats().sessions).toBe(0)
    expect(await statuses()).toEqual([401, 401])
    expect((await admin.call('DELETE', `/api/Display/Delete/${id}`)).status).toBe(404)
  } finally {
    await test.close()
  }
})

it('guessing is slowed down: after the burst of its class an address waits', async () => {
  const test = await createTestApp({ rateLimits: RATE_LIMITS })
  try {
    const statuses = []
    for (let tried = 0; tried < RATE_LIMITS.heavy.burst + 10; tried++)
      statuses.push((await test.bearing(`narvalmur_${tried}`).call('GET', WALL)).status)
    expect(statuses.slice(0, RATE_LIMITS.heavy.burst)).not.toContain(429)
    expect(statuses.slice(-3)).toEqual([429, 429, 429])
  } finally {
    await test.close()
  }
})
