import { randomUUID } from 'node:crypto'
import { CLAIMS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

/** Spec §7, the first table, call by call: payload and answer. */
describe.each(DIALECTS)('the calls of the accounts on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let marie: Caller
  let id = 0
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    marie = await test.user(['site_write'], { login: 'marie' })
    id = (await marie.call('GET', '/api/Account/Get')).body.idUser
  })
  afterAll(() => test.close())

  it('POST Authentication/Login takes the fourteen fields, gives token and refreshToken; wrong ones get a 401 problem', async () => {
    const body = {
      login: ADMIN.login,
      password: ADMIN.password,
      uuid: randomUUID(),
      browser: 'Chrome',
      browserVersion: '150',
      device: 'Unknown',
      deviceType: 'desktop',
      orientation: 'landscape',
      os: 'Windows',
      osVersion: 'windows-11',
      userAgent: 'Mozilla/5.0',
      isMobile: false,
      isTablet: false,
      isDesktopDevice: true,
    }
    const answer = await test.anonymous().call('POST', '/api/Authentication/Login', body)
    expect([answer.status, Object.keys(answer.body).toSorted()]).toEqual([200, ['refreshToken', 'token']])
    const refused = await test.anonymous().call('POST', '/api/Authentication/Login', { ...body, password: 'non' })
    expect(refused).toMatchObject({
      status: 401,
      body: { status: 401, errors: ['Nom de compte ou mot de passe incorrect.'] },
    })
    expect(refused.headers['content-type']).toContain('application/problem+json')
    for (const missing of ['login', 'password', 'uuid'])
      expect(
        (await test.anonymous().call('POST', '/api/Authentication/Login', { ...body, [missing]: undefined })).status,
      ).toBe(400)
  })

  it('POST Authentication/Refresh takes accessToken, refreshToken and uuid, gives new ones', async () => {
    const user = await test.signIn('marie', PASSWORD)
    const answer = await test.anonymous().call('POST', '/api/Authentication/Refresh', {
      accessToken: user.token,
      refreshToken: user.refreshToken,
      uuid: user.uuid,
    })
    expect([answer.status, Object.keys(answer.body).toSorted()]).toEqual([200, ['refreshToken', 'token']])
    expect(answer.body.refreshToken).not.toBe(user.refreshToken)
  })

  it('POST Authentication/Logout takes null and answers 204', async () => {
    const user = await test.signIn('marie', PASSWORD)
    expect(await user.call('POST', '/api/Authentication/Logout', null)).toMatchObject({ status: 204, body: null })
  })

  it('GET Account/Get gives one’s own account with its effective claims, also on a first connection', async () => {
    expect((await marie.call('GET', '/api/Account/Get')).body).toEqual({
      idUser: id,
      login: 'marie',
      firstName: 'Claire',
      lastName: 'Legoff',
      email: '',
      phone: '',
      avatar: 'narval',
      firstConnection: false,
      theme: 'auto',
      density: 'comfortable',
      homePage: '/dashboard/live-view',
      claims: [{ claim: 'site_write' }],
      limited: false,
      limits: [],
    })
    const fresh = await test.user([], { firstConnection: true })
    expect((await fresh.call('GET', '/api/Account/Get')).body.firstConnection).toBe(true)
  })

  it('GET Account/Get/{id} gives another account, its groups and own claims apart; unknown ones are 404', async () => {
    expect((await admin.call('GET', `/api/Account/Get/${id}`)).body).toMatchObject({
      idUser: id,
      login: 'marie',
      groups: [],
      ownClaims: [{ claim: 'site_write' }],
      enabled: true,
    })
    expect((await admin.call('GET', '/api/Account/Get/99999')).status).toBe(404)
  })

  it('GET Account/Get/LastUpdate moves with each change', async () => {
    const before = (await admin.call('GET', '/api/Account/Get/LastUpdate')).body.lastUpdate
    await new Promise(resolve => setTimeout(resolve, 2))
    await marie.call('PUT', '/api/Account/Update', { firstName: 'Marie' })
    const after = (await admin.call('GET', '/api/Account/Get/LastUpdate')).body.lastUpdate
    expect(after > before).toBe(true)
  })

  it('PUT Account/Update changes one’s own profile, PUT Account/Update/{id} another’s with login, enabled and groups', async () => {
    const own = await marie.call('PUT', '/api/Account/Update', {
      lastName: 'Dupont',
      email: 'marie@example.org',
      theme: 'dark',
      homePage: '/host',
      avatar: 'phare',
    })
    expect(own.body).toMatchObject({
      lastName: 'Dupont',
      email: 'marie@example.org',
      theme: 'dark',
      homePage: '/host',
      avatar: 'phare',
    })
    const [group] = (await admin.call('GET', '/api/UserGroup/Get')).body.filter(
      (one: { name: string }) => one.name === 'Lecteurs',
    )
    const other = await admin.call('PUT', `/api/Account/Update/${id}`, { login: 'marie.dupont', groups: [group.id] })
    expect(other.body).toMatchObject({ login: 'marie.dupont', groups: [{ name: 'Lecteurs' }] })
    for (const wrong of [
      { email: 'pas une adresse' },
      { theme: 'rose' },
      { homePage: 'https://evil.test' },
      { avatar: '../secret' },
      { firstName: 'x'.repeat(65) },
    ])
      expect([
        JSON.stringify(wrong).slice(0, 40),
        (await marie.call('PUT', '/api/Account/Update', wrong)).status,
      ]).toEqual([JSON.stringify(wrong).slice(0, 40), 400])
    await admin.call('PUT', `/api/Account/Update/${id}`, { login: 'marie', groups: [] })
  })

  it('PUT Account/Password/Update takes password and passwordConfirmation and answers 204', async () => {
    const user = await test.user([], { firstConnection: true })
    const answer = await user.call('PUT', '/api/Account/Password/Update', {
      password: 'Nouveau-2026!',
      passwordConfirmation: 'Nouveau-2026!',
    })
    expect(answer).toMatchObject({ status: 204, body: null })
  })

  it('GET Claim/User/Get gives one’s own claims, GET Claim/User/Get/{id} another’s, GET Claim/Get all with their labels', async () => {
    expect((await marie.call('GET', '/api/Claim/User/Get')).body).toEqual([{ claim: 'site_write' }])
    expect((await admin.call('GET', `/api/Claim/User/Get/${id}`)).body).toEqual([{ claim: 'site_write' }])
    const all = (await admin.call('GET', '/api/Claim/Get')).body
    expect(all.map((one: { claim: string }) => one.claim)).toEqual([...CLAIMS])
    expect(all[0]).toEqual({ claim: 'admin', label: expect.any(String), description: expect.any(String) })
  })

  it('PUT Claim/{id} replaces the own claims of an account', async () => {
    expect(
      (await admin.call('PUT', `/api/Claim/${id}`, { claims: [{ claim: 'host_write' }, { claim: 'log_read' }] }))
        .status,
    ).toBe(200)
    expect((await marie.call('GET', '/api/Claim/User/Get')).body).toEqual([
      { claim: 'host_write' },
      { claim: 'log_read' },
    ])
    expect((await admin.call('PUT', `/api/Claim/${id}`, { claims: [{ claim: 'root' }] })).status).toBe(400)
  })

  it('GET AccountDatatable gives the first page, PUT AccountDatatable the one that is asked, by DataTables’ protocol', async () => {
    const first = (await admin.call('GET', '/api/AccountDatatable')).body
    expect(first).toMatchObject({ draw: 0, recordsTotal: first.recordsFiltered })
    const columns = ['login', 'firstName', 'lastName', 'email'].map(data => ({
      data,
      name: '',
      searchable: true,
      orderable: true,
      search: { value: '', regex: false },
    }))
    const asked = {
      draw: 7,
      start: 0,
      length: 1,
      search: { value: 'DUPONT', regex: false },
      order: [{ column: 0, dir: 'desc' }],
      columns,
    }
    const answer = await admin.call('PUT', '/api/AccountDatatable', asked)
    expect(answer.body).toMatchObject({ draw: 7, recordsFiltered: 1, data: [{ login: 'marie', lastName: 'Dupont' }] })
    const enabled = async (value: unknown) =>
      (await admin.call('PUT', '/api/AccountDatatable', { filters: { enabled: value } })).status
    expect([await enabled('true'), await enabled(false)]).toEqual([200, 200])
    expect([await enabled('oui'), await enabled(1), await enabled(['true', 'false'])]).toEqual([400, 400, 400])
  })

  it('POST Account/Create and DELETE Account/Delete, one’s own or /{id}; the last administrator stays', async () => {
    const made = await admin.call('POST', '/api/Account/Create', {
      login: 'éphémère',
      firstName: 'É',
      claims: [{ claim: 'log_read' }],
    })
    expect(made).toMatchObject({
      status: 201,
      body: { login: 'éphémère', firstConnection: true, temporaryPassword: expect.any(String) },
    })
    expect((await admin.call('DELETE', `/api/Account/Delete/${made.body.idUser}`)).status).toBe(204)
    expect((await admin.call('GET', `/api/Account/Get/${made.body.idUser}`)).status).toBe(404)
    const leaving = await test.user([], { login: 'partante' })
    expect((await leaving.call('DELETE', '/api/Account/Delete')).status).toBe(204)
    await expect(test.signIn('partante', PASSWORD)).rejects.toThrow('401')
    expect(await admin.call('DELETE', '/api/Account/Delete')).toMatchObject({
      status: 409,
      body: { errors: [expect.stringContaining('dernier administrateur')] },
    })
  })

  it('S34: of two administrators who demote each other at once, one stays', async () => {
    const other = await test.user(['admin'], { login: 'second' })
    const [own, his] = [
      (await admin.call('GET', '/api/Account/Get')).body.idUser,
      (await other.call('GET', '/api/Account/Get')).body.idUser,
    ]
    await Promise.all([
      admin.call('PUT', `/api/Account/Update/${his}`, { enabled: false }),
      other.call('PUT', `/api/Account/Update/${own}`, { enabled: false }),
    ])
    const rows = await test.database.db.selectFrom('account').select('enabled').where('id', 'in', [own, his]).execute()
    expect(rows.filter(row => row.enabled === 1).length).toBeGreaterThanOrEqual(1)
  })
})
