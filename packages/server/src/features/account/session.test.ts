import { createHash, randomUUID } from 'node:crypto'
import { SETTINGS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { ADMIN, type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DEVICE = {
  browser: 'Firefox',
  browserVersion: '145.0',
  device: 'Poste',
  deviceType: 'desktop',
  orientation: 'landscape',
  os: 'Linux',
  osVersion: '6.1',
  userAgent: 'Mozilla/5.0',
  isMobile: false,
  isTablet: false,
  isDesktopDevice: true,
}
const own = async (caller: Caller) => (await caller.call('GET', '/api/Account/Get')).status

describe.each(DIALECTS)('sessions on %s', dialect => {
  const clock = createTestClock()
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: clock.now })
  })
  afterAll(() => test.close())

  const refresh = (caller: Pick<Caller, 'token' | 'refreshToken' | 'uuid'>, over = {}) =>
    test.anonymous().call('POST', '/api/Authentication/Refresh', {
      accessToken: caller.token,
      refreshToken: caller.refreshToken,
      uuid: caller.uuid,
      ...over,
    })
  const audited = (action: string, outcome: string) =>
    test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', action)
      .where('outcome', '=', outcome)
      .orderBy('id')
      .execute()

  it('S15: after a logout neither token works', async () => {
    const user = await test.user([])
    expect((await user.call('POST', '/api/Authentication/Logout', null)).status).toBe(204)
    expect([await own(user), (await refresh(user)).status]).toEqual([401, 401])
    // A second logout is harmless: its 401 says only that there is nothing left to end.
    expect((await user.call('POST', '/api/Authentication/Logout', null)).status).toBe(401)
  })

  it('S16: a refresh token used again after the grace ends the session, its successor too, and its owner is told', async () => {
    const user = await test.user([], { login: `vole-${dialect}` })
    const other = await test.signIn(`vole-${dialect}`, PASSWORD)
    const next = (await refresh(user)).body
    clock.forward(10_001)
    expect((await refresh(user)).status).toBe(401)
    expect((await refresh({ ...user, token: next.token, refreshToken: next.refreshToken })).status).toBe(401)
    expect(await own(user)).toBe(401)
    expect(await own(other)).toBe(200)
    expect((await audited('refresh', 'refused')).at(-1)).toMatchObject({
      actor: `vole-${dialect}`,
      detail: '{"reason":"refresh-reuse"}',
    })
    const told = (await other.call('GET', '/api/Notification/Get')).body.notifications
    expect(told).toMatchObject([{ title: 'Session fermée par sécurité', severity: 'warning', read: false }])
    const stranger = await test.user([])
    expect((await stranger.call('GET', '/api/Notification/Get')).body.notifications).toEqual([])
  })

  it('S17, S18: ten refreshes at once, or again within 10 s, get the same successor, of which one row is kept', async () => {
    const user = await test.user([])
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(user)))
    clock.forward(9_999)
    answers.push(await refresh(user))
    expect(answers.map(answer => answer.status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(answer => answer.body.refreshToken)).size).toBe(1)
    const rows = await test.database.db
      .selectFrom('refresh_token as t')
      .innerJoin('refresh_token as mine', 'mine.session_id', 't.session_id')
      .where('mine.hash', '=', createHash('sha256').update(user.refreshToken).digest('hex'))
      .select('t.hash')
      .execute()
    expect(rows.length).toBe(2)
    expect(await own(user)).toBe(200)
  })

  it.each([
    ['another device', () => ({ uuid: randomUUID() })],
    ['an access token that we did not sign', () => ({ accessToken: 'eyJhbGciOiJub25lIn0.e30.' })],
  ])('S19: a refresh with %s is refused and ends the session', async (_what, over) => {
    const user = await test.user([])
    expect((await refresh(user, over())).status).toBe(401)
    expect([(await refresh(user)).status, await own(user)]).toEqual([401, 401])
  })

  it('S19: a refresh with the access token of another account is refused and ends the session', async () => {
    const [user, other] = [await test.user([]), await test.user([])]
    expect((await refresh(user, { accessToken: other.token })).status).toBe(401)
    expect([await own(user), await own(other)]).toEqual([401, 200])
  })

  it('S20: a session ends when nobody uses it, and at its greatest age whatever is done', async () => {
    const idle = await test.user([])
    const idleMs = SETTINGS.sessionIdleHours.default * HOUR_MS
    clock.forward(idleMs - 1)
    const kept = (await refresh(idle)).body
    clock.forward(idleMs)
    expect((await refresh({ ...idle, token: kept.token, refreshToken: kept.refreshToken })).status).toBe(401)

    const user = await test.user([])
    let held: Pick<Caller, 'token' | 'refreshToken' | 'uuid'> = user
    let last = 200
    let ageMs = 0
    while (last === 200 && ageMs < 400 * DAY_MS) {
      clock.forward(12 * HOUR_MS)
      ageMs += 12 * HOUR_MS
      const answer = await refresh(held)
      last = answer.status
      if (last === 200) held = { ...user, token: answer.body.token, refreshToken: answer.body.refreshToken }
    }
    expect([last, ageMs]).toEqual([401, SETTINGS.sessionMaxDays.default * DAY_MS])
  })

  it('sessions that are over by their age are not counted as open for ninety days more', async () => {
    const login = `absente-${dialect}`
    const user = await test.user([], { login })
    const id = (await user.call('GET', '/api/Account/Get')).body.idUser
    const counted = async () => {
      const admin = await test.admin()
      const { data } = (await admin.call('PUT', '/api/AccountDatatable', { search: { value: login } })).body
      return [data[0].sessions, (await admin.call('GET', `/api/Account/Get/${id}`)).body.sessions]
    }
    await test.app.purge()
    expect(await counted()).toEqual([1, 1])
    clock.forward(SETTINGS.sessionIdleHours.default * HOUR_MS)
    await test.app.purge()
    expect(await counted()).toEqual([0, 0])
  })

  it('S21: no refresh token and no API token lies in the database; what lies there is a SHA-256', async () => {
    const user = await test.user([])
    const made = await user.call('POST', '/api/ApiToken/Create', { name: 'script' })
    const refreshed = (await refresh(user)).body.refreshToken
    const dump = JSON.stringify([
      await test.database.db.selectFrom('refresh_token').selectAll().execute(),
      await test.database.db.selectFrom('session').selectAll().execute(),
      await test.database.db.selectFrom('api_token').selectAll().execute(),
      await test.database.db.selectFrom('audit').selectAll().orderBy('id').execute(),
    ])
    for (const secret of [user.refreshToken, refreshed, made.body.token]) expect(dump).not.toContain(secret)
    expect(dump).toContain(createHash('sha256').update(refreshed).digest('hex'))
    expect(Buffer.from(user.refreshToken, 'base64url').length).toBe(32)
  })

  it('the 11 device fields of the sign-in are kept and shown with the open sessions; one is closed, or all the others', async () => {
    const first = await test.user([], { login: `postes-${dialect}` })
    const uuid = randomUUID()
    const answer = await test
      .anonymous()
      .call('POST', '/api/Authentication/Login', { login: `postes-${dialect}`, password: PASSWORD, uuid, ...DEVICE })
    expect(answer.status).toBe(200)
    const list = (await first.call('GET', '/api/Session/Get')).body
    expect(list.length).toBe(2)
    expect(list.find((one: { current: boolean }) => !one.current)).toMatchObject({ ...DEVICE, address: '127.0.0.1' })
    const stranger = await test.user([])
    const [other] = list.filter((one: { current: boolean }) => !one.current)
    expect((await stranger.call('DELETE', `/api/Session/Delete/${other.id}`)).status).toBe(404)
    expect((await first.call('DELETE', `/api/Session/Delete/${other.id}`)).status).toBe(204)
    expect((await refresh({ ...answer.body, uuid })).status).toBe(401)
    const third = await test.signIn(`postes-${dialect}`, PASSWORD)
    expect((await first.call('DELETE', '/api/Session/Delete')).status).toBe(204)
    expect([await own(first), await own(third)]).toEqual([200, 401])
  })

  it('sessions that ended more than 90 days ago are forgotten', async () => {
    const user = await test.user([])
    await user.call('POST', '/api/Authentication/Logout', null)
    const count = async () => (await test.database.db.selectFrom('session').select('id').execute()).length
    const before = await count()
    clock.forward(91 * DAY_MS)
    const again = await test.admin()
    await test.app.purge()
    expect(before).toBeGreaterThan(1)
    expect(await count()).toBe(1)
    expect(await own(again)).toBe(200)
  })
})

describe('signing in is throttled, and no weapon', () => {
  const clock = createTestClock()
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ now: clock.now, loginRate: true })
  })
  afterAll(() => test.close())

  const attempt = async (
    login: string,
    password: string,
    { uuid = randomUUID(), address = '198.51.100.7', headers = {} } = {},
  ) => {
    const csrf = test.anonymous().csrf
    const answer = await test.app.http.inject({
      method: 'POST',
      url: '/api/Authentication/Login',
      remoteAddress: address,
      headers: { cookie: `XSRF-TOKEN=${csrf}`, 'x-xsrf-token': csrf, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ login, password, uuid }),
    })
    return { status: answer.statusCode, retryAfter: Number(answer.headers['retry-after'] ?? 0) }
  }

  it('S05: wrong passwords are slowed down, twice as long each time, 15 min at most; it survives a restart', async () => {
    const waits: number[] = []
    for (let tries = 0; tries < 30; tries++) {
      const answer = await attempt('inconnu', 'x')
      if (answer.status !== 429) continue
      waits.push(answer.retryAfter)
      clock.forward(answer.retryAfter * 1_000)
    }
    expect(waits.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 32])
    expect(Math.max(...waits)).toBe(900)
    const rows = await test.database.db.selectFrom('login_failure').selectAll().execute()
    expect(rows.find(row => row.key === 'pair:inconnu@198.51.100.7')?.failures).toBeGreaterThan(10)
  })

  it('S05: the right password still opens, from another address, and from a device already known at the very same one', async () => {
    const uuid = randomUUID()
    expect((await attempt(ADMIN.login, ADMIN.password, { uuid })).status).toBe(200)
    for (let tries = 0; tries < 12; tries++) await attempt(ADMIN.login, 'faux')
    expect((await attempt(ADMIN.login, ADMIN.password)).status).toBe(429)
    expect((await attempt(ADMIN.login, ADMIN.password, { address: '203.0.113.9' })).status).toBe(200)
    expect((await attempt(ADMIN.login, ADMIN.password, { uuid })).status).toBe(200)
  })

  it('S06: one password tried on 200 logins is throttled by its address, which X-Forwarded-For does not hide', async () => {
    for (const spoofed of [false, true]) {
      const address = spoofed ? '192.0.2.61' : '192.0.2.60'
      let refused = 0
      for (let index = 0; index < 200; index++) {
        const headers = spoofed ? { 'x-forwarded-for': `203.0.113.${index}` } : {}
        if ((await attempt(`compte-${index}`, 'Azerty-2026!', { address, headers })).status === 429) refused += 1
      }
      expect(refused).toBeGreaterThan(150)
    }
  })

  it('S05: one account tried from a hundred addresses is slowed down too, but for its own devices', async () => {
    const uuid = randomUUID()
    const user = await test.user([], { login: 'cible' })
    expect(user.token).not.toBe('')
    expect((await attempt('cible', PASSWORD, { uuid, address: '192.0.2.200' })).status).toBe(200)
    for (let index = 0; index < 110; index++) await attempt('cible', 'faux', { address: `10.1.${index}.1` })
    expect((await attempt('cible', 'faux', { address: '10.2.0.1' })).status).toBe(429)
    expect((await attempt('cible', PASSWORD, { uuid, address: '10.2.0.2' })).status).toBe(200)
  })
})
