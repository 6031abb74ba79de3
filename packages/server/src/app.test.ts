import { ALL_ROUTES, CLAIMS, type Route } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, type TestApp } from './testing/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const urlOf = (route: Route): string => route.path.replace(':id', '999999')
/** Nothing here may end the caller's own session or account. */
const SELF_ENDING = new Set(['/api/Authentication/Logout', '/api/Account/Delete', '/api/Account/Password/Update'])
const statusOf = async (caller: Caller, route: Route): Promise<number> =>
  (await caller.call(route.method, urlOf(route), route.method === 'GET' ? undefined : {})).status

describe('S31: every route answers as it declares', () => {
  const guarded = ALL_ROUTES.filter(route => route.access !== 'open' && !SELF_ENDING.has(route.path))

  it('401 without a token', async () => {
    for (const route of guarded)
      expect([route.method, route.path, await statusOf(test.anonymous(), route)]).toEqual([
        route.method,
        route.path,
        401,
      ])
  })

  it('403 on the first connection, but for own account, own claims, password, logout (S09)', async () => {
    const fresh = await test.user(['admin'], { firstConnection: true })
    for (const route of guarded.filter(one => one.access !== 'probe')) {
      const status = await statusOf(fresh, route)
      if (route.access === 'self') expect([route.path, status]).toEqual([route.path, 200])
      else expect([route.path, status]).toEqual([route.path, 403])
    }
  })

  it('403 without the claim, anything else with it; admin passes everywhere', async () => {
    const plain = await test.user([])
    const admin = await test.user(['admin'])
    const holders = new Map<string, Caller>()
    for (const claim of CLAIMS) holders.set(claim, await test.user([claim]))
    for (const route of guarded.filter(one => one.access !== 'probe')) {
      const needsClaim = !['self', 'user', 'display'].includes(route.access)
      const without = await statusOf(plain, route)
      if (needsClaim) expect([route.method, route.path, without]).toEqual([route.method, route.path, 403])
      else expect([route.path, [401, 403].includes(without)]).toEqual([route.path, false])
      expect([route.path, [401, 403].includes(await statusOf(admin, route))]).toEqual([route.path, false])
      if (!needsClaim) continue
      for (const [claim, holder] of holders) {
        const status = await statusOf(holder, route)
        const passes = claim === 'admin' || claim === route.access
        expect([route.method, route.path, claim, status === 403]).toEqual([route.method, route.path, claim, !passes])
      }
    }
  })
})

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_VALUE,
  '',
  'x'.repeat(20_000),
  "' or 1=1; drop table host; --",
  '"; select pg_sleep(5); --',
  '%',
  '_',
  '\\',
  '\u0000',
  '\u202e𝒽é🦄',
  '{{constructor.constructor("x")()}}',
  '<img src=x onerror=alert(1)>',
  '../../etc/passwd',
  [],
  [[]],
  {},
  { length: 1e9 },
  ['a', 1, null],
  Array.from({ length: 500 }, (_, i) => i),
]
const FIELDS = [
  'name',
  'code',
  'address',
  'siteId',
  'hostId',
  'scannerId',
  'kind',
  'parameters',
  'thresholds',
  'login',
  'password',
  'uuid',
  'claims',
  'groups',
  'draw',
  'start',
  'length',
  'search',
  'order',
  'columns',
  'filters',
  'updatedAt',
  'comment',
  'through',
  'accessToken',
  'refreshToken',
  'protocol',
  'publicKey',
  'results',
  'intervalSeconds',
]

describe('bad input gets a clear answer', () => {
  it('never 500 and always problem+json, whatever the body, on every route', async () => {
    const admin = await test.user(['admin'])
    const bodies = [
      ...HOSTILE,
      ...HOSTILE.slice(0, 21).map(value => Object.fromEntries(FIELDS.map(field => [field, value]))),
    ].map(body => ({ body, start: JSON.stringify(body).slice(0, 60) }))
    // Thousands of answers: those that are wrong are collected, each as it came.
    const wrong: unknown[] = []
    for (const route of ALL_ROUTES.filter(one => one.method !== 'GET' && !SELF_ENDING.has(one.path))) {
      for (const { body, start } of bodies) {
        const { status, headers, body: said } = await admin.call(route.method, urlOf(route), body)
        const isProblem = String(headers['content-type']).includes('application/problem+json') && said.errors.length > 0
        if (status >= 500 || (status >= 400 && !isProblem)) wrong.push([route.path, start, status, said])
      }
    }
    expect(wrong).toEqual([])
  })

  it('S36: ids that are none get 400, unknown ones 404', async () => {
    const admin = await test.user(['admin'])
    for (const route of ALL_ROUTES.filter(one => one.path.includes(':id') && one.access !== 'probe')) {
      for (const id of [':id', '0', '-1', '1e309', '1,2', '__proto__', '%00', '99999999999999', "1'--"]) {
        const answer = await admin.call(
          route.method,
          route.path.replace(':id', encodeURIComponent(id)),
          route.method === 'GET' ? undefined : {},
        )
        expect([route.path, id, answer.status]).toEqual([route.path, id, 400])
      }
    }
    for (const route of ALL_ROUTES.filter(one => one.path.includes(':id') && one.method === 'GET'))
      expect(await statusOf(admin, route)).toBe(404)
  })

  it('S42: a body with __proto__ or constructor.prototype is refused', async () => {
    const admin = await test.user(['admin'])
    const answer = await test.app.http.inject({
      method: 'PUT',
      url: '/api/HostDatatable',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      payload: '{"__proto__":{"x":1}}',
    })
    expect(answer.statusCode).toBe(400)
    expect(Object.prototype).not.toHaveProperty('x')
  })

  it('S38: SQL in sort, column, search and filter changes nothing and answers at once', async () => {
    const admin = await test.user(['admin'])
    for (const list of [
      'SiteDatatable',
      'HostDatatable',
      'MetricDatatable',
      'ScannerDatatable',
      'ProbeDatatable',
      'AccountDatatable',
      'DashboardDatatable',
    ]) {
      const hostile = 'name); drop table host; --'
      expect(
        (await admin.call('PUT', `/api/${list}`, { columns: [{ data: hostile }], order: [{ column: 0, dir: 'asc' }] }))
          .status,
      ).toBe(400)
      expect((await admin.call('PUT', `/api/${list}`, { filters: { [hostile]: 1 } })).status).toBe(400)
      const searched = await admin.call('PUT', `/api/${list}`, { search: { value: "' or '1'='1", regex: true } })
      expect([list, searched.status, searched.body.recordsFiltered]).toEqual([list, 200, 0])
    }
  })

  it('S22: a call that changes something is refused without its XSRF header', async () => {
    const admin = await test.user(['admin'])
    const answer = await test.app.http.inject({
      method: 'POST',
      url: '/api/Site/Create',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      payload: '{"name":"Lyon","code":"LYO"}',
    })
    expect(answer.statusCode).toBe(403)
  })
})
