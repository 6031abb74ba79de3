import { createHash } from 'node:crypto'
import { ALL_ROUTES, CSRF_COOKIE, CSRF_COOKIE_TLS, type Route } from '@narval/contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, PASSWORD, type TestApp } from '../testing/test-app.ts'

let test: TestApp
let admin: Caller
beforeAll(async () => {
  test = await createTestApp()
  admin = await test.admin()
})
afterAll(() => test.close())

const SITE = { name: 'Lyon', code: 'LYO' }
const TABLES = [
  'account',
  'account_claim',
  'session',
  'refresh_token',
  'api_token',
  'site',
  'host',
  'scanner',
  'metric',
  'probe',
  'probe_code',
  'setting',
  'incident',
  'outbox',
  'audit',
  'login_failure',
]
/** What the database holds, in one figure. */
const checksum = async (): Promise<string> => {
  // What was written is sealed a little later: that is no change of this call.
  await test.app.sealLog()
  const hash = createHash('sha256')
  for (const table of TABLES)
    hash.update(JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(test.database.db)).rows))
  return hash.digest('hex')
}
/** One call as a browser would make it, its headers chosen one by one. */
const send = async (method: Route['method'], url: string, headers: Record<string, string>, body?: unknown) => {
  const answer = await test.app.http.inject({
    method,
    url,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body }
}
const bearer = (caller: Caller) => ({ authorization: `Bearer ${caller.token}` })
const signed = (csrf: string) => ({ cookie: `${CSRF_COOKIE}=${csrf}`, 'x-xsrf-token': csrf })

describe('S22, S23: what another site may make a browser do', () => {
  const guarded = ALL_ROUTES.filter(route => route.csrf)

  it('every call that changes something is guarded, but those that a probe signs, or that a code or a token in the call opens', () => {
    const free = ALL_ROUTES.filter(route => route.method !== 'GET' && !route.csrf)
    expect(free.map(route => route.path).toSorted()).toEqual([
      '/api/Probe/Answer',
      '/api/Probe/Enroll',
      '/api/Probe/Results',
      '/api/Probe/Rotate',
      '/api/Push/:token',
    ])
  })

  it('without the header, without the cookie, with an unsigned token or another session’s: 403, and nothing changes', async () => {
    const other = await test.user(['admin'])
    const forged = 'AAAAAAAAAAAAAAAAAAAAAA.1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const wrong: Record<string, string>[] = [
      {},
      { 'x-xsrf-token': admin.csrf },
      { cookie: `${CSRF_COOKIE}=${admin.csrf}` },
      { cookie: `${CSRF_COOKIE}=${admin.csrf}`, 'x-xsrf-token': test.anonymous().csrf },
      signed(forged),
      signed(other.csrf),
      signed(test.anonymous().csrf),
    ]
    const before = await checksum()
    for (const route of guarded.filter(one => one.access !== 'open')) {
      for (const headers of wrong) {
        const answer = await send(route.method, route.path.replace(':id', '1'), { ...bearer(admin), ...headers }, {})
        expect([route.path, JSON.stringify(headers).slice(0, 60), answer.status]).toEqual([
          route.path,
          JSON.stringify(headers).slice(0, 60),
          403,
        ])
      }
    }
    expect(await checksum()).toBe(before)
  })

  it('from a foreign page, a null origin or a cross-site frame: 403; from our own: done', async () => {
    const own = { ...bearer(admin), ...signed(admin.csrf), host: 'narval.example:8080' }
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: 'http://narval.example:8080.evil.test' },
      { origin: 'http://narval.example:8081' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign)
      expect((await send('POST', '/api/Site/Create', { ...own, ...headers }, SITE)).status).toBe(403)
    const headers = { origin: 'http://narval.example:8080', 'sec-fetch-site': 'same-origin' }
    expect((await send('POST', '/api/Site/Create', { ...own, ...headers }, SITE)).status).toBe(201)
  })

  it('no GET changes anything', async () => {
    const before = await checksum()
    for (const route of ALL_ROUTES.filter(one => one.method === 'GET' && one.access !== 'probe')) {
      const answer = await send('GET', route.path.replace(':id', '1'), bearer(admin))
      expect([route.path, answer.status < 500]).toEqual([route.path, true])
    }
    expect(await checksum()).toBe(before)
  })

  it('S24: no foreign origin is ever allowed to read an answer', async () => {
    for (const origin of ['https://evil.test', 'null', 'http://localhost.evil.test', 'http://localhost'])
      for (const [method, url] of [
        ['GET', '/api/Account/Get'],
        ['GET', '/api/Parameter/Public'],
        ['POST', '/api/Authentication/Login'],
      ] as const) {
        const answer = await send(method, url, { origin, host: 'narval.test' })
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      }
  })
})

describe('S28, S30: headers', () => {
  it('every answer says not to guess types, to frame or to tell others; the API says not to store; no version is told', async () => {
    for (const url of ['/api/Parameter/Public', '/api/Account/Get', '/api/None', '/health/live', '/api/Host/Get/x']) {
      const { headers } = await send('GET', url, {})
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'permissions-policy': expect.any(String),
      })
      if (url.startsWith('/api/')) expect(headers['cache-control']).toBe('no-store')
      expect([headers.server, headers['x-powered-by'], headers['strict-transport-security']]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    }
  })

  it('an address that can not be read is refused as anything else is', async () => {
    const answer = await send('GET', '/%E0%A4%A', {})
    expect([answer.status, answer.headers['content-type'], answer.headers['x-frame-options']]).toEqual([
      400,
      expect.stringContaining('application/problem+json'),
      'DENY',
    ])
    expect(JSON.parse(answer.body).errors).toEqual(['L’adresse demandée n’est pas lisible.'])
  })

  it('the cookie is SameSite; on https it is Secure, bears the __Host- prefix, and HSTS is said', async () => {
    const plain = await send('GET', '/api/Parameter/Public', {})
    expect(String(plain.headers['set-cookie'])).toMatch(/^XSRF-TOKEN=[^;]+; Path=\/; SameSite=Strict$/)
    const secure = await createTestApp({ publicUrl: 'https://narval.example' })
    const answer = await secure.app.http.inject({ method: 'GET', url: '/api/Parameter/Public' })
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-XSRF-TOKEN=[^;]+; Path=\/; Secure; SameSite=Strict$/)
    expect(answer.headers['strict-transport-security']).toContain('max-age=')
    const csrf = answer.cookies.find(cookie => cookie.name === CSRF_COOKIE_TLS)?.value ?? ''
    const login = (cookie: string) =>
      secure.app.http.inject({
        method: 'POST',
        url: '/api/Authentication/Login',
        headers: { cookie, 'x-xsrf-token': csrf, 'content-type': 'application/json', origin: 'https://narval.example' },
        payload: JSON.stringify({ login: 'admin', password: 'Narval-2026!', uuid: admin.uuid }),
      })
    expect((await login(`XSRF-TOKEN=${csrf}`)).statusCode).toBe(403)
    expect((await login(`__Host-XSRF-TOKEN=${csrf}`)).statusCode).toBe(200)
    await secure.close()
  })
})

describe('S33: one’s own account', () => {
  it('an update changes only what is one’s own to change, and answers only what is listed', async () => {
    const user = await test.user(['site_write'], { login: 'modeste' })
    const before = (await user.call('GET', '/api/Account/Get')).body
    const answer = await user.call('PUT', '/api/Account/Update', {
      idUser: 1,
      login: 'admin2',
      firstConnection: true,
      enabled: false,
      claims: [{ claim: 'admin' }],
      groups: [1],
      passwordHash: 'x',
      password_hash: 'x',
      password: 'x',
      lastName: 'Le Goff',
    })
    expect(answer).toMatchObject({ status: 200, body: { ...before, lastName: 'Le Goff' } })
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'avatar',
      'claims',
      'density',
      'email',
      'firstConnection',
      'firstName',
      'homePage',
      'idUser',
      'lastName',
      'limited',
      'limits',
      'login',
      'phone',
      'theme',
    ])
    expect((await test.signIn('modeste', PASSWORD)).token).not.toBe('')
  })

  it('no answer of the accounts’ calls ever holds a hash', async () => {
    for (const route of ALL_ROUTES.filter(
      one => one.method === 'GET' && /Account|Claim|Session|ApiToken|UserGroup/.test(one.path),
    ))
      expect((await send('GET', route.path.replace(':id', '1'), bearer(admin))).body).not.toMatch(
        /argon2|password_?hash/i,
      )
  })
})

describe('S38: SQL in what signing in keeps', () => {
  it('in the device fields, the login, the headers: kept as text, tables intact', async () => {
    const hostile = "x'); drop table session; --"
    const device = { browser: hostile, os: hostile, osVersion: hostile, userAgent: hostile, device: hostile }
    const csrf = test.anonymous().csrf
    const headers = { ...signed(csrf), 'user-agent': hostile, 'x-forwarded-for': hostile, referer: hostile }
    const login = { login: 'admin', password: 'Narval-2026!', uuid: admin.uuid, ...device }
    const answer = await send('POST', '/api/Authentication/Login', headers, login)
    expect(answer.status).toBe(200)
    expect((await send('POST', '/api/Authentication/Login', headers, { ...login, login: hostile })).status).toBe(401)
    expect((await send('POST', '/api/Authentication/Login', headers, { ...login, uuid: hostile })).status).toBe(400)
    const { token } = JSON.parse(answer.body)
    const sessions = JSON.parse((await send('GET', '/api/Session/Get', { authorization: `Bearer ${token}` })).body)
    expect(sessions.find((one: { current: boolean }) => one.current)).toMatchObject(device)
    expect(await checksum()).toMatch(/^[0-9a-f]{64}$/)
  })
})
