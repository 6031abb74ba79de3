import { beforeEach, describe, expect, test } from 'vitest'
import { credentials, MINUTE, type Reply, settle, tab, token, user } from '../testing/session-tab.ts'
import { STORAGE_KEYS } from './local-session.ts'

const REFRESH = '/api/Authentication/Refresh'
const ACCOUNT = '/api/Account/Get'
const other = { ...user, idUser: 8, login: 'denis' }

/** Answers this path when told to. */
const holdBack = (one: ReturnType<typeof tab>, path: string): ((reply: Reply) => void) => {
  const { promise, resolve } = Promise.withResolvers<Reply>()
  one.answer(path, () => promise)
  return resolve
}

describe('the account of a session', () => {
  let one: ReturnType<typeof tab>
  beforeEach(() => {
    one = tab()
  })

  test('that could not be loaded is asked for again, less and less often, until it is there', async () => {
    one.answer(ACCOUNT, () => ({ status: 503 }))
    await one.session.login(credentials)
    expect(one.session.state()).toEqual({ phase: 'signedIn', user: null })
    await one.pass(5_000)
    expect(one.count(ACCOUNT)).toBe(2)
    await one.pass(5_000)
    expect(one.count(ACCOUNT)).toBe(2)
    one.answer(ACCOUNT, () => ({ status: 200, body: user }))
    await one.pass(5_000)
    expect(one.session.state()).toEqual({ phase: 'signedIn', user })
    const asked = one.count(ACCOUNT)
    await one.pass(5 * MINUTE)
    expect(one.count(ACCOUNT)).toBe(asked)
  })

  test('loaded again is told where it has changed only', async () => {
    await one.session.login(credentials)
    const before = one.session.state()
    await one.session.loadAccount()
    expect(one.session.state()).toBe(before)
    const changed = { ...user, claims: [] }
    one.answer(ACCOUNT, () => ({ status: 200, body: changed }))
    await one.session.loadAccount()
    expect(one.session.state()).toEqual({ phase: 'signedIn', user: changed })
  })

  test('is asked for no more once signed out', async () => {
    one.answer(ACCOUNT, () => ({ status: 503 }))
    await one.session.login(credentials)
    one.session.logout()
    await one.pass(10 * MINUTE)
    expect(one.count(ACCOUNT)).toBe(1)
    expect(one.session.state()).toEqual({ phase: 'signedOut', user: null })
  })

  test('a 401 to it refreshes the session and asks once more (spec §4)', async () => {
    one.answer(ACCOUNT, () => (one.count(REFRESH) === 0 ? { status: 401 } : { status: 200, body: user }))
    await one.session.login(credentials)
    expect([one.count(REFRESH), one.count(ACCOUNT)]).toEqual([1, 2])
    expect(one.session.state()).toEqual({ phase: 'signedIn', user })
  })

  test('a 401 that no refresh mends signs out', async () => {
    one.answer(ACCOUNT, () => ({ status: 401 }))
    one.answer(REFRESH, () => ({ status: 401 }))
    await one.session.login(credentials)
    expect(one.session.state().phase).toBe('signedOut')
    expect(one.store.map.has(STORAGE_KEYS.token)).toBe(false)
  })

  test('answered after somebody else has signed in, it is not theirs', async () => {
    const answer = holdBack(one, ACCOUNT)
    const first = one.session.login(credentials)
    await settle()
    one.session.logout()
    one.answer(ACCOUNT, () => ({ status: 200, body: other }))
    await one.session.login({ ...credentials, login: 'denis' })
    answer({ status: 200, body: user })
    await first
    expect(one.session.state().user?.login).toBe('denis')
  })

  test('tokens that arrive after somebody else has signed in are not kept', async () => {
    await one.session.login(credentials)
    const answer = holdBack(one, REFRESH)
    const refreshed = one.session.refresh()
    await settle()
    one.session.logout()
    await one.session.login({ ...credentials, login: 'denis' })
    const theirs = one.session.token()
    answer({ status: 200, body: { token: token(99, 1_000_000), refreshToken: 'r99' } })
    expect(await refreshed).toBe(true)
    expect(one.session.token()).toBe(theirs)
    expect(one.store.map.get(STORAGE_KEYS.token)).toBe(theirs)
  })
})
