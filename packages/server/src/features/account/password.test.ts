import { PASSWORD_MESSAGES, passwordFaults } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDatabase } from '../../first-start.ts'
import { createTestClock } from '../../testing/clock.ts'
import { ADMIN, type Caller, createTestApp, openTestDatabase, PASSWORD, type TestApp } from '../../testing/test-app.ts'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword, randomPassword, verifyPassword } from './password-hash.ts'

const clock = createTestClock()
let test: TestApp
let admin: Caller
beforeAll(async () => {
  // Each sign-in does its whole work here.
  test = await createTestApp({ now: clock.now, verify: verifyPassword })
  admin = await test.admin()
})
afterAll(() => test.close())

const change = (caller: Caller, password: string, more: object = {}) =>
  caller.call('PUT', '/api/Account/Password/Update', { password, passwordConfirmation: password, ...more })

describe('how passwords are kept', () => {
  it('S01: argon2id with its floor of cost, and a salt of its own each time', async () => {
    await test.user([])
    const rows = await test.database.db.selectFrom('account').select('password_hash').execute()
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const salts = [await hashPassword('x'), await hashPassword('x')].map(phc => phc.split('$')[4])
    expect(new Set(salts).size).toBe(2)
  })

  it('S01: a hash of lower cost is renewed at the next sign-in, which it lets in', async () => {
    const { argon2Sync } = await import('node:crypto')
    const nonce = Buffer.alloc(16, 1)
    const hash = argon2Sync('argon2id', {
      message: PASSWORD,
      nonce,
      parallelism: 1,
      tagLength: 32,
      memory: 8_192,
      passes: 1,
    })
    const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
    await test.user([], { login: 'ancien' })
    const weak = `$argon2id$v=19$m=8192,t=1,p=1$${unpadded(nonce)}$${unpadded(hash)}`
    await test.database.db.updateTable('account').set({ password_hash: weak }).where('login', '=', 'ancien').execute()
    await test.signIn('ancien', PASSWORD)
    const row = await test.database.db
      .selectFrom('account')
      .select('password_hash')
      .where('login', '=', 'ancien')
      .executeTakeFirst()
    expect(row?.password_hash).toContain('m=19456,t=2')
    expect((await verifyPassword(PASSWORD, row?.password_hash ?? '')).ok).toBe(true)
  })

  it('S03: a password of 100 KB is refused before anything is computed', async () => {
    const answer = await test.anonymous().call('POST', '/api/Authentication/Login', {
      login: 'admin',
      password: 'x'.repeat(100_000),
      uuid: admin.uuid,
    })
    expect(answer).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
  })

  it('S04: unknown login, wrong password, disabled account: the same status and the same body', async () => {
    const user = await test.user([], { login: 'éteint' })
    const { idUser } = (await user.call('GET', '/api/Account/Get')).body
    await admin.call('PUT', `/api/Account/Update/${idUser}`, { enabled: false })
    const answers = await Promise.all(
      [
        ['personne', PASSWORD],
        [ADMIN.login, 'faux'],
        ['éteint', PASSWORD],
      ].map(([login, password]) =>
        test.anonymous().call('POST', '/api/Authentication/Login', { login, password, uuid: admin.uuid }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual([401, 401, 401])
    expect(new Set(answers.map(answer => JSON.stringify(answer.body))).size).toBe(1)
  })

  it('S07: of 100 sign-ins at once none is lost, other calls are answered meanwhile', async () => {
    const rssBefore = process.memoryUsage.rss()
    let ended = false
    const logins = Promise.all(Array.from({ length: 100 }, () => test.signIn(ADMIN.login, ADMIN.password))).finally(
      () => {
        ended = true
      },
    )
    let answered = 0
    while (!ended) {
      expect((await admin.call('GET', '/api/Claim/Get')).status).toBe(200)
      answered += 1
      await new Promise(resolve => setImmediate(resolve))
    }
    expect((await logins).length).toBe(100)
    const grownMb = (process.memoryUsage.rss() - rssBefore) / 2 ** 20
    expect(answered).toBeGreaterThan(20)
    expect(grownMb).toBeLessThan(200)
  })
})

describe('what a password must be', () => {
  it('S02: 8 and 32 characters pass, 7 and 33 do not, nor one without a class; the server says what the client says', async () => {
    const cases = [
      'Ab1!efg',
      'Ab1!efgh',
      `Ab1!${'x'.repeat(28)}`,
      `Ab1!${'x'.repeat(29)}`,
      'ab1!efgh',
      'AB1!EFGH',
      'Abc!efgh',
      'Ab1defgh',
      'Ab1(efgh',
      '',
    ]
    for (const password of cases) {
      const user = await test.user([])
      const faults = passwordFaults(password)
      const answer = await change(user, password)
      expect([password, answer.status]).toEqual([password, faults.length === 0 ? 204 : 400])
      if (faults.length > 0) expect(answer.body.errors).toEqual(faults)
    }
    expect(cases.map(password => passwordFaults(password).length === 0)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
    expect(passwordFaults('Ab1!efg')).toEqual([PASSWORD_MESSAGES.tooShort(8)])
    expect(passwordFaults(`Ab1!${'x'.repeat(29)}`)).toEqual([PASSWORD_MESSAGES.tooLong(32)])
  })

  it('each special character of the requirements counts as one, others do not', () => {
    for (const special of '#?!@$%^&*-_') expect(passwordFaults(`Abcdef1${special}`)).toEqual([])
    for (const other of '()[]{}<>+=/|~€é ')
      expect(passwordFaults(`Abcdef1${other}`)).toEqual([PASSWORD_MESSAGES.complexity])
  })

  it('the two must be the same', async () => {
    const user = await test.user([])
    const answer = await user.call('PUT', '/api/Account/Password/Update', {
      password: 'Nouveau-2026!',
      passwordConfirmation: 'Nouveau-2026?',
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: ['Les mots de passe saisis ne sont pas identiques.'] },
    })
  })

  it('S02: common words, the product and the login are refused where the setting says so', async () => {
    const user = await test.user([], { login: 'marguerite' })
    expect((await change(user, 'Password-1!')).status).toBe(204)
    await admin.call('PUT', '/api/Parameter/Configuration', { forbidCommonPasswords: true })
    for (const password of ['Password-1!', 'Qwerty123!', 'Narval-Sud-1!', 'Marguerite#9']) {
      const other = await test.user([], { login: `m-${password.length}-${password.charAt(0)}` })
      const answer = await change(
        password.startsWith('Marguerite') ? await test.signIn('marguerite', 'Password-1!') : other,
        password,
      )
      expect([password, answer.status, answer.body?.errors]).toEqual([
        password,
        400,
        ['Ce mot de passe est trop courant\u202f: choisissez-en un autre.'],
      ])
    }
    expect((await change(await test.user([]), 'Hirondelle+7?x')).status).toBe(204)
    await admin.call('PUT', '/api/Parameter/Configuration', { forbidCommonPasswords: false })
    expect(await isCommonPassword('DRAGON', [])).toBe(true)
  })

  it('a new one is another one', async () => {
    const user = await test.user([])
    expect(await change(user, PASSWORD)).toMatchObject({
      status: 400,
      body: { fields: { password: expect.any(String) } },
    })
  })

  it('a generated one is always accepted by the rules', () => {
    for (let index = 0; index < 500; index++) expect(passwordFaults(randomPassword())).toEqual([])
  })
})

describe('changing it', () => {
  it('S10: asks for the present one when the sign-in is older than 5 minutes, then ends every other session', async () => {
    const user = await test.user([], { login: 'change' })
    const other = await test.signIn('change', PASSWORD)
    clock.forward(5 * 60_000 + 1)
    expect(await change(user, 'Nouveau-2026!')).toMatchObject({
      status: 400,
      body: { fields: { currentPassword: 'Le mot de passe actuel est incorrect.' } },
    })
    expect((await change(user, 'Nouveau-2026!', { currentPassword: PASSWORD })).status).toBe(204)
    expect((await user.call('GET', '/api/Account/Get')).status).toBe(200)
    expect((await other.call('GET', '/api/Account/Get')).status).toBe(401)
    await expect(test.signIn('change', PASSWORD)).rejects.toThrow('401')
  })

  it('S34: nobody resets the password of an account that may do more than he', async () => {
    const manager = await test.user(['user_write', 'user_read'])
    const stronger = await test.user(['parameter_write'], { login: 'forte' })
    const { idUser } = (await stronger.call('GET', '/api/Account/Get')).body
    expect((await manager.call('POST', `/api/Account/Password/Reset/${idUser}`)).status).toBe(403)
    expect((await stronger.call('GET', '/api/Account/Get')).status).toBe(200)
  })

  it('a temporary password opens once, on the first connection, and ends after a day', async () => {
    const user = await test.user([], { login: 'oubli' })
    const { idUser } = (await user.call('GET', '/api/Account/Get')).body
    const { temporaryPassword } = (await admin.call('POST', `/api/Account/Password/Reset/${idUser}`)).body
    expect((await user.call('GET', '/api/Account/Get')).status).toBe(401)
    const again = await test.signIn('oubli', temporaryPassword)
    expect((await again.call('GET', '/api/Account/Get')).body.firstConnection).toBe(true)
    clock.forward(24 * 3_600_000)
    const late = await test
      .anonymous()
      .call('POST', '/api/Authentication/Login', { login: 'oubli', password: temporaryPassword, uuid: user.uuid })
    expect(late).toMatchObject({ status: 401, body: { errors: [expect.stringContaining('a expiré')] } })
  })
})

it('S08: a fresh installation has one administrator with a random password that ends after a day, and no default one', async () => {
  const { database, drop } = await openTestDatabase('sqlite')
  const nowMs = clock.now()
  const made = await prepareDatabase(database, { login: null, password: null }, nowMs)
  const again = await prepareDatabase(database, { login: 'autre', password: 'Autre-2026!' }, nowMs)
  const rows = await database.db.selectFrom('account').selectAll().execute()
  expect([made?.login, again, rows.length]).toEqual(['admin', null, 1])
  expect(rows[0]).toMatchObject({ first_connection: 1, password_expires_at: nowMs + 24 * 3_600_000 })
  for (const password of ['admin', 'narval', 'password', ''])
    expect((await verifyPassword(password, rows[0]?.password_hash ?? '')).ok).toBe(false)
  expect((await verifyPassword(made?.password ?? '', rows[0]?.password_hash ?? '')).ok).toBe(true)
  await drop()
})
