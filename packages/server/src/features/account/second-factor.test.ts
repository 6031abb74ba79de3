import { randomBytes, randomUUID } from 'node:crypto'
import { CHALLENGE_MS, CHALLENGE_TRIES, CODE_PERIOD_MS, RECOVERY_CODES } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecretBox, KEY_BYTES } from '../../secret-box.ts'
import { createTestClock } from '../../testing/clock.ts'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'
import { fromBase32, hotp, stepAt } from './totp.ts'

const MINUTE_MS = 60_000
const WRONG = 'Ce code est incorrect.'

describe.each(DIALECTS)('the second factor on %s', dialect => {
  const clock = createTestClock()
  let test: TestApp
  beforeAll(async () => {
    const secrets = createSecretBox({ keys: [randomBytes(KEY_BYTES)], save: () => {} })
    test = await createTestApp({ dialect, now: clock.now, loginRate: true, secrets })
  })
  afterAll(() => test.close())

  const post = (url: string, body: unknown) => test.anonymous().call('POST', url, body)
  const login = (name: string, uuid: string = randomUUID(), password: string = PASSWORD) =>
    post('/api/Authentication/Login', { login: name, password, uuid, browser: 'Firefox' })
  const answer = (challenge: { token: string }, uuid: string, code: string) =>
    post('/api/Authentication/SecondFactor', { challenge: challenge.token, uuid, code })
  const codeOf = (secret: string, away = 0) => hotp(fromBase32(secret) ?? Buffer.alloc(0), stepAt(clock.now()) + away)
  const wrongCode = (secret: string) => (codeOf(secret).startsWith('0') ? '1' : '0') + codeOf(secret).slice(1)
  const nextCode = (secret: string) => {
    clock.forward(CODE_PERIOD_MS)
    return codeOf(secret)
  }
  /** An account whose second factor is on, its last code used up. */
  const enrolled = async (name: string) => {
    const user = await test.user([], { login: `${name}-${dialect}` })
    const begun = await user.call('POST', '/api/SecondFactor/Begin', { currentPassword: PASSWORD })
    const secret: string = begun.body.secret
    const done = await user.call('POST', '/api/SecondFactor/Confirm', { code: codeOf(secret) })
    expect([begun.status, done.status]).toEqual([200, 200])
    const recoveryCodes: string[] = done.body.recoveryCodes
    return { user, login: `${name}-${dialect}`, secret, recoveryCodes }
  }
  const audited = async (action: string) =>
    (await test.database.db.selectFrom('audit').selectAll().where('action', '=', action).orderBy('id').execute()).at(-1)
  const titles = async (caller: Caller): Promise<string[]> =>
    (await caller.call('GET', '/api/Notification/Get')).body.notifications.map((one: { title: string }) => one.title)

  it('off: a login answers its two tokens and nothing else', async () => {
    await test.user([], { login: `sans-${dialect}` })
    const signedIn = await login(`sans-${dialect}`)
    expect([signedIn.status, Object.keys(signedIn.body)]).toEqual([200, ['token', 'refreshToken']])
  })

  it('is enrolled by the password and a first code; what is kept of it is sealed and hashed; other sessions end', async () => {
    const user = await test.user([], { login: `active-${dialect}` })
    const other = await test.signIn(`active-${dialect}`, PASSWORD)
    const begin = (currentPassword: string) => user.call('POST', '/api/SecondFactor/Begin', { currentPassword })
    expect((await begin('faux')).body.fields).toEqual({ currentPassword: 'Le mot de passe actuel est incorrect.' })
    const { secret, uri } = (await begin(PASSWORD)).body
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toContain(`otpauth://totp/Narval:active-${dialect}?secret=${secret}&issuer=Narval&`)
    const confirm = (code: string) => user.call('POST', '/api/SecondFactor/Confirm', { code })
    expect((await confirm(wrongCode(secret))).body.fields).toEqual({ code: WRONG })
    // Not confirmed: signing in asks for nothing.
    expect((await login(`active-${dialect}`)).status).toBe(200)
    const { recoveryCodes } = (await confirm(codeOf(secret))).body
    expect(new Set(recoveryCodes).size).toBe(RECOVERY_CODES)
    expect(recoveryCodes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    const state = (await user.call('GET', '/api/SecondFactor/Get')).body
    expect(state).toEqual({ enabledAt: new Date(clock.now()).toISOString(), codesLeft: RECOVERY_CODES })
    expect((await other.call('GET', '/api/Account/Get')).status).toBe(401)
    expect((await begin(PASSWORD)).status).toBe(409)
    const kept = JSON.stringify([
      await test.database.db.selectFrom('second_factor').selectAll().execute(),
      await test.database.db.selectFrom('recovery_code').selectAll().execute(),
      await test.database.db.selectFrom('audit').selectAll().orderBy('id').execute(),
    ])
    expect([secret, ...recoveryCodes].filter(hidden => kept.includes(hidden))).toEqual([])
    expect(await audited('second-factor-enable')).toMatchObject({ actor: `active-${dialect}`, outcome: 'success' })
  })

  it('a secret that was not confirmed within a quarter of an hour is worth nothing', async () => {
    const user = await test.user([])
    const { secret } = (await user.call('POST', '/api/SecondFactor/Begin', { currentPassword: PASSWORD })).body
    clock.forward(16 * MINUTE_MS)
    expect((await user.call('POST', '/api/SecondFactor/Confirm', { code: codeOf(secret) })).status).toBe(401)
    const again = await test.signIn((await audited('login'))?.actor ?? '', PASSWORD)
    expect((await again.call('POST', '/api/SecondFactor/Confirm', { code: codeOf(secret) })).status).toBe(409)
  })

  it('on: the password gives a challenge and no token; a code ± 30 s from the same device opens, once', async () => {
    const { login: name, secret } = await enrolled('double')
    clock.forward(10 * CODE_PERIOD_MS)
    for (const away of [-1, 0, 1]) {
      clock.forward(3 * CODE_PERIOD_MS)
      const uuid = randomUUID()
      const asked = await login(name, uuid)
      expect([asked.status, asked.body.token, asked.body.detail]).toEqual([
        401,
        undefined,
        'Un code de vérification est demandé.',
      ])
      const { challenge } = asked.body
      expect((await answer(challenge, randomUUID(), codeOf(secret, away))).status).toBe(401)
      const opened = await answer(challenge, uuid, codeOf(secret, away))
      expect([opened.status, Object.keys(opened.body)]).toEqual([200, ['token', 'refreshToken']])
      // Neither the challenge nor the code does twice.
      expect((await answer(challenge, uuid, codeOf(secret, away))).body.challenge).toBeUndefined()
      const replayed = await answer((await login(name, uuid)).body.challenge, uuid, codeOf(secret, away))
      expect([replayed.status, replayed.body.detail]).toEqual([401, 'Ce code a déjà servi\u202f: attendez le suivant.'])
    }
    for (const away of [-2, 2]) {
      const uuid = randomUUID()
      expect((await answer((await login(name, uuid)).body.challenge, uuid, codeOf(secret, away))).status).toBe(401)
    }
    const entry = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'login')
      .where('actor', '=', name)
      .where('outcome', '=', 'success')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(entry?.detail).toBe('{"secondFactor":"code de l’application"}')
  })

  it('a challenge is no token, ends after five minutes, and with the password that began it', async () => {
    const { login: name, secret, user } = await enrolled('defi')
    const uuid = randomUUID()
    const { challenge } = (await login(name, uuid)).body
    expect((await test.bearing(challenge.token).call('GET', '/api/Account/Get')).status).toBe(401)
    clock.forward(CHALLENGE_MS)
    const late = await answer(challenge, uuid, codeOf(secret))
    expect([late.status, late.body.challenge]).toEqual([401, undefined])
    const fresh = (await login(name, uuid)).body.challenge
    const admin = await test.admin()
    const id = (await user.call('GET', '/api/Account/Get')).body.idUser
    expect((await admin.call('POST', `/api/Account/Password/Reset/${id}`)).status).toBe(200)
    expect((await answer(fresh, uuid, nextCode(secret))).status).toBe(401)
  })

  it('wrong codes: five end the sign-in and warn the account, and they delay as wrong passwords do, also a burst at once', async () => {
    const { login: name, secret } = await enrolled('force')
    const uuid = randomUUID()
    const { challenge } = (await login(name, uuid)).body
    const burst = await Promise.all(Array.from({ length: 30 }, () => answer(challenge, uuid, wrongCode(secret))))
    const judged = burst.filter(one => one.body.detail.startsWith(WRONG))
    expect(judged.length).toBe(CHALLENGE_TRIES)
    expect(new Set(burst.map(one => one.status))).toEqual(new Set([401, 429]))
    // A right password does not wipe the count out: the next wrong code waits, longer each time.
    const waits: number[] = []
    for (let tries = 0; tries < 6; tries++) {
      clock.forward((waits.at(-1) ?? 1) * 1_000)
      const again = await login(name, uuid)
      expect(again.status).toBe(401)
      await answer(again.body.challenge, uuid, wrongCode(secret))
      const refused = await login(name, uuid)
      expect(refused.status).toBe(429)
      waits.push(Number(refused.headers['retry-after']))
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64])
    // Shown to administrators as any lock; unlocking gives the owner his way back.
    const admin = await test.admin()
    const list = (await admin.call('GET', '/api/AccountDatatable')).body.data
    const row = list.find((one: { login: string }) => one.login === name)
    expect(row.lockedUntil).not.toBeNull()
    expect((await admin.call('POST', `/api/Account/Unlock/${row.idUser}`)).status).toBe(200)
    const back = (await login(name, uuid)).body.challenge
    expect((await answer(back, uuid, nextCode(secret))).status).toBe(200)
    const owner = await signedIn(name, nextCode(secret))
    expect(await titles(owner)).toContain('Codes incorrects après votre mot de passe')
  })
  it('wrong codes of many challenges at once are counted one after the other', async () => {
    const { login: name, secret } = await enrolled('rafale')
    const uuid = randomUUID()
    const challenges = await Promise.all(
      Array.from({ length: 6 }, async () => (await login(name, uuid)).body.challenge),
    )
    const burst = await Promise.all(
      challenges.flatMap(one => Array.from({ length: 5 }, () => answer(one, uuid, wrongCode(secret)))),
    )
    expect(burst.filter(one => one.status === 401).length).toBe(5)
    expect(burst.filter(one => one.status === 429).length).toBe(25)
  })

  const signedIn = async (name: string, code: string): Promise<Caller> => {
    const uuid = randomUUID()
    const { token } = (await answer((await login(name, uuid)).body.challenge, uuid, code)).body
    return test.bearing(token)
  }

  it('a recovery code opens once, of two at once one wins; its owner is told how many are left', async () => {
    const { login: name, recoveryCodes } = await enrolled('secours')
    const code = recoveryCodes[3] ?? ''
    const uuids = [randomUUID(), randomUUID()]
    const challenges = await Promise.all(uuids.map(async uuid => (await login(name, uuid)).body.challenge))
    const opened = await Promise.all(
      challenges.map((challenge, index) =>
        answer(challenge, uuids[index] ?? '', index === 0 ? code : code.toUpperCase()),
      ),
    )
    expect(opened.map(one => one.status).toSorted()).toEqual([200, 401])
    const owner = test.bearing(opened.find(one => one.status === 200)?.body.token)
    const { notifications } = (await owner.call('GET', '/api/Notification/Get')).body
    expect(notifications[0]).toMatchObject({ title: 'Connexion par un code de secours' })
    expect(notifications[0].message).toContain(`Il en reste ${RECOVERY_CODES - 1}.`)
    expect((await owner.call('GET', '/api/SecondFactor/Get')).body.codesLeft).toBe(RECOVERY_CODES - 1)
  })

  it('new recovery codes replace the old ones; removal asks for password and code, and ends other sessions', async () => {
    const { user, login: name, secret, recoveryCodes } = await enrolled('retire')
    const proof = (code: string, currentPassword = PASSWORD) => ({ currentPassword, code })
    const renewed = await user.call('POST', '/api/SecondFactor/Codes', proof(nextCode(secret)))
    expect(renewed.body.recoveryCodes.length).toBe(RECOVERY_CODES)
    const remove = (body: object) => user.call('POST', '/api/SecondFactor/Remove', body)
    expect((await remove(proof(recoveryCodes[0] ?? ''))).body.fields).toEqual({ code: WRONG })
    expect((await remove(proof(nextCode(secret), 'faux'))).body.fields.currentPassword).toBeDefined()
    const other = await signedIn(name, codeOf(secret))
    expect((await remove(proof(nextCode(secret)))).status).toBe(204)
    expect((await other.call('GET', '/api/Account/Get')).status).toBe(401)
    expect((await login(name)).status).toBe(200)
    expect((await remove(proof(nextCode(secret)))).status).toBe(409)
  })

  it('stays through a reset of the password, and does not concern API tokens', async () => {
    const { user, login: name } = await enrolled('reste')
    const { token } = await user.make('/api/ApiToken/Create', { name: 'script' })
    expect((await test.bearing(token).call('GET', '/api/Site/Get')).status).toBe(200)
    expect((await test.bearing(token).call('GET', '/api/SecondFactor/Get')).status).toBe(403)
    const id = (await user.call('GET', '/api/Account/Get')).body.idUser
    const { temporaryPassword } = (await (await test.admin()).call('POST', `/api/Account/Password/Reset/${id}`)).body
    expect((await login(name, randomUUID(), temporaryPassword)).body.challenge).toBeDefined()
  })

  it('an administrator takes it away from another: audited, told; nobody from who may do more than he', async () => {
    const { user, login: name } = await enrolled('perdu')
    const id = (await user.call('GET', '/api/Account/Get')).body.idUser
    const clerk = await test.user(['user_write'])
    const admin = await test.admin()
    const adminId = (await admin.call('GET', '/api/Account/Get')).body.idUser
    expect((await user.call('DELETE', `/api/SecondFactor/User/${id}`)).status).toBe(403)
    expect((await clerk.call('DELETE', `/api/SecondFactor/User/${adminId}`)).status).toBe(403)
    expect((await admin.call('DELETE', `/api/SecondFactor/User/${adminId}`)).status).toBe(409)
    expect((await admin.call('GET', `/api/Account/Get/${id}`)).body.secondFactor).toBe(true)
    expect((await admin.call('DELETE', `/api/SecondFactor/User/${id}`)).status).toBe(204)
    expect((await admin.call('GET', `/api/Account/Get/${id}`)).body.secondFactor).toBe(false)
    expect((await admin.call('DELETE', `/api/SecondFactor/User/${id}`)).status).toBe(409)
    expect(await audited('second-factor-remove')).toMatchObject({ actor: 'admin', object: `account ${id}` })
    expect(await titles(await test.signIn(name, PASSWORD))).toContain('Second facteur retiré')
  })

  it('a renewal of the keys seals its secret again, and the code still opens', async () => {
    const { login: name, secret } = await enrolled('cle')
    const sealed = async () =>
      (await test.database.db.selectFrom('second_factor').select('secret').execute()).map(row => row.secret)
    const before = await sealed()
    expect((await (await test.admin()).call('POST', '/api/Credential/Rotate')).body.unreadable).toBe(0)
    expect((await sealed()).filter(secret => before.includes(secret))).toEqual([])
    expect((await signedIn(name, nextCode(secret))).token).not.toBe('')
  })
})

it('even where sign-ins are not throttled, a challenge takes five codes and no more', async () => {
  const test = await createTestApp({ loginRate: false })
  try {
    const user = await test.user([], { login: 'sans-frein' })
    const { secret } = (await user.call('POST', '/api/SecondFactor/Begin', { currentPassword: PASSWORD })).body
    const code = () => hotp(fromBase32(secret) ?? Buffer.alloc(0), stepAt(Date.now()))
    expect((await user.call('POST', '/api/SecondFactor/Confirm', { code: code() })).status).toBe(200)
    const uuid = randomUUID()
    const post = (url: string, body: object) => test.anonymous().call('POST', url, { ...body, uuid })
    const asked = await post('/api/Authentication/Login', { login: 'sans-frein', password: PASSWORD })
    const tries = await Promise.all(
      Array.from({ length: 12 }, () =>
        post('/api/Authentication/SecondFactor', { challenge: asked.body.challenge.token, code: 'aaaa-bbbb' }),
      ),
    )
    expect(tries.filter(one => one.body.detail.startsWith(WRONG)).length).toBe(CHALLENGE_TRIES)
  } finally {
    await test.close()
  }
})
