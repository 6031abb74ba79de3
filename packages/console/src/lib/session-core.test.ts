import { REFRESH_BEFORE_EXPIRY_MS } from '@narval/contracts'
import { beforeEach, describe, expect, test } from 'vitest'
import { credentials, MINUTE, type Reply, settle, tab, token, user } from '../testing/session-tab.ts'
import { decrypt } from './cipher.ts'
import { ApiError } from './http.ts'
import { STORAGE_KEYS, STORAGE_VERSION } from './local-session.ts'

const REFRESH = '/api/Authentication/Refresh'

describe('the session of spec §4', () => {
  let one: ReturnType<typeof tab>
  beforeEach(() => {
    one = tab()
  })

  test('signing in stores token, refresh token, device id and account, the last two sealed', async () => {
    await one.session.login(credentials)
    expect(one.session.state()).toEqual({ phase: 'signedIn', user })
    expect([...one.store.map.keys()].sort()).toEqual(['jwt', 'refreshToken', 'user', 'uuid', 'version'])
    expect(one.store.map.get(STORAGE_KEYS.version)).toBe('v2.0.1')
    expect(one.store.map.get(STORAGE_KEYS.refreshToken)).not.toContain('refresh')
    expect(decrypt(one.store.map.get(STORAGE_KEYS.refreshToken) ?? '')).toMatch(/^refresh-/)
    expect(one.store.map.get(STORAGE_KEYS.user)).not.toContain('claire')
    expect(one.store.map.get(STORAGE_KEYS.uuid)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  test('a refused sign-in throws, stores nothing and is neither refreshed nor replayed', async () => {
    one.answer('/api/Authentication/Login', () => ({ status: 401 }))
    await expect(one.session.login(credentials)).rejects.toBeInstanceOf(ApiError)
    expect(one.store.map.has(STORAGE_KEYS.token)).toBe(false)
    expect(one.count(REFRESH)).toBe(0)
  })

  test('the refresh is asked 60 s before the token ends, with the three stored values', async () => {
    await one.session.login(credentials)
    expect(one.nextTimer()).toBe(10 * MINUTE - REFRESH_BEFORE_EXPIRY_MS)
    const before = one.store.map.get(STORAGE_KEYS.token)
    await one.pass(9 * MINUTE - 1)
    expect(one.count(REFRESH)).toBe(0)
    await one.pass(1)
    expect(one.count(REFRESH)).toBe(1)
    expect(one.asked.find(call => call.path === REFRESH)?.body).toEqual({
      accessToken: before,
      refreshToken: expect.stringMatching(/^refresh-/),
      uuid: one.store.map.get(STORAGE_KEYS.uuid),
    })
    expect(one.store.map.get(STORAGE_KEYS.token)).not.toBe(before)
    expect(one.nextTimer()).toBe(9 * MINUTE)
  })

  test.each(['lost', 'cut'] as const)(
    'a refresh %s because the page is left forgets nothing: the next page, or this one if it stays, goes on',
    async how => {
      await one.session.login(credentials)
      const next = tab(one.store)
      let cut = true
      next.answer(REFRESH, () =>
        cut ? how : { status: 200, body: { token: token(99, 1_003_000), refreshToken: 'r' } },
      )
      next.leave(2_000)
      void next.session.start()
      await settle()
      expect(next.session.state().phase).toBe('starting')
      expect(one.store.map.has(STORAGE_KEYS.token)).toBe(true)
      await next.pass(500)
      expect(one.store.map.has(STORAGE_KEYS.token)).toBe(true)
      cut = false
      await next.pass(3_000)
      expect(next.session.state()).toEqual({ phase: 'signedIn', user })
    },
  )

  test('a start with a stored session refreshes it and loads the account', async () => {
    await one.session.login(credentials)
    const next = tab(one.store, 1_000_000 + 30 * MINUTE)
    await next.session.start()
    expect(next.asked.map(call => call.path)).toEqual([REFRESH, '/api/Account/Get'])
    expect(next.session.state()).toEqual({ phase: 'signedIn', user })
    expect(next.session.check()).toBe(true)
  })

  test('a start without anything stored asks nothing and is signed out', async () => {
    await one.session.start()
    expect(one.asked).toEqual([])
    expect(one.session.state().phase).toBe('signedOut')
  })

  test.each([STORAGE_KEYS.token, STORAGE_KEYS.refreshToken, STORAGE_KEYS.uuid])(
    'a start without « %s » logs out',
    async key => {
      await one.session.login(credentials)
      one.store.map.delete(key)
      const next = tab(one.store)
      await next.session.start()
      expect(next.session.state().phase).toBe('signedOut')
      expect(next.store.map.has(STORAGE_KEYS.token)).toBe(false)
      expect(next.store.map.has(STORAGE_KEYS.refreshToken)).toBe(false)
      expect(next.store.map.has(STORAGE_KEYS.user)).toBe(false)
    },
  )

  test.each([{ status: 401 }, { status: 500 }, 'lost', 'cut'] as const)(
    'a refresh that fails at start logs out (%o)',
    async reply => {
      await one.session.login(credentials)
      const next = tab(one.store)
      next.answer(REFRESH, () => reply)
      const started = next.session.start()
      await settle()
      // A call that was cut may be that of a page which is left: half a second tells.
      await next.pass(500)
      await started
      expect(next.session.state().phase).toBe('signedOut')
    },
  )

  test('S28 another version of the storage empties it', async () => {
    await one.session.login(credentials)
    one.store.map.set(STORAGE_KEYS.version, 'v1.9.9')
    const next = tab(one.store)
    await next.session.start()
    expect(next.session.state().phase).toBe('signedOut')
    expect([...next.store.map]).toEqual([[STORAGE_KEYS.version, STORAGE_VERSION]])
  })

  test('a scheduled refresh without answer is asked again, and logs out once the token is over', async () => {
    await one.session.login(credentials)
    one.answer(REFRESH, () => 'lost')
    await one.pass(9 * MINUTE)
    expect(one.session.state().phase).toBe('signedIn')
    for (let i = 0; i < 11; i += 1) await one.pass(5_000)
    expect(one.session.state().phase).toBe('signedIn')
    await one.pass(5_000)
    expect(one.count(REFRESH)).toBe(13)
    expect(one.session.state().phase).toBe('signedOut')
  })

  test('a scheduled refresh that is refused logs out at once', async () => {
    await one.session.login(credentials)
    one.answer(REFRESH, () => ({ status: 401 }))
    await one.pass(9 * MINUTE)
    expect(one.session.state().phase).toBe('signedOut')
    expect(one.count(REFRESH)).toBe(1)
  })

  test('many who ask for a refresh at once share one call', async () => {
    await one.session.login(credentials)
    const outcomes = await Promise.all([one.session.refresh(), one.session.refresh(), one.session.refresh()])
    expect(outcomes).toEqual([true, true, true])
    expect(one.count(REFRESH)).toBe(1)
  })

  test('logging out forgets tokens and account at once, keeps the device, and says so to the server', async () => {
    await one.session.login(credentials)
    const held = one.session.token()
    one.session.logout()
    expect(one.session.state().phase).toBe('signedOut')
    expect([...one.store.map.keys()].sort()).toEqual(['uuid', 'version'])
    await settle()
    expect(one.asked.at(-1)).toMatchObject({
      path: '/api/Authentication/Logout',
      body: null,
      authorization: `Bearer ${held}`,
    })
    await one.pass(60 * MINUTE)
    expect(one.count(REFRESH)).toBe(0)
  })

  test('a 401 of logout is ignored', async () => {
    await one.session.login(credentials)
    one.answer('/api/Authentication/Logout', () => ({ status: 401 }))
    one.session.logout()
    await settle()
    expect(one.count(REFRESH)).toBe(0)
    expect(one.session.state().phase).toBe('signedOut')
  })

  test('tokens that arrive after a logout are not kept', async () => {
    await one.session.login(credentials)
    let release: (reply: Reply) => void = () => {}
    one.answer(
      REFRESH,
      () =>
        new Promise<Reply>(resolve => {
          release = resolve
        }),
    )
    const refreshed = one.session.refresh()
    await settle()
    one.session.logout()
    release({ status: 200, body: { token: token(99, 1_000_000), refreshToken: 'r99' } })
    expect(await refreshed).toBe(false)
    expect(one.store.map.has(STORAGE_KEYS.token)).toBe(false)
    expect(one.session.state().phase).toBe('signedOut')
  })

  test('the guard logs out when the stored token is missing', async () => {
    await one.session.login(credentials)
    one.store.map.delete(STORAGE_KEYS.token)
    expect(one.session.check()).toBe(false)
    expect(one.session.state().phase).toBe('signedOut')
  })

  test('the guard logs out when the stored token is over', async () => {
    await one.session.login(credentials)
    one.setNow(1_000_000 + 10 * MINUTE)
    expect(one.session.check()).toBe(false)
    expect(one.session.state().phase).toBe('signedOut')
  })

  test('a clock that is an hour ahead of the server does not end the session', async () => {
    one.answer('/api/Authentication/Login', () => ({
      status: 200,
      body: { token: token(1, 1_000_000 - 60 * MINUTE), refreshToken: 'r1' },
    }))
    await one.session.login(credentials)
    expect(one.session.check()).toBe(true)
    expect(one.nextTimer()).toBe(9 * MINUTE)
  })

  test('an account that cannot be loaded is ignored silently, the cached one stays', async () => {
    await one.session.login(credentials)
    const next = tab(one.store)
    next.answer('/api/Account/Get', () => ({ status: 500 }))
    await next.session.start()
    expect(next.session.state()).toEqual({ phase: 'signedIn', user })
  })
})

describe('two tabs', () => {
  test('the token that another tab has fetched is taken without a call of its own', async () => {
    const first = tab()
    await first.session.login(credentials)
    const second = tab(first.store)
    await second.session.start()
    const calls = first.asked.length
    expect(await first.session.refresh()).toBe(true)
    expect(first.asked.length).toBe(calls)
    expect(first.session.token()).toBe(second.session.token())
  })

  test('a refresh refused because the other tab was faster takes the other’s token', async () => {
    const first = tab()
    await first.session.login(credentials)
    first.answer(REFRESH, () => {
      first.store.map.set(STORAGE_KEYS.token, token(50, 1_000_000))
      return { status: 401 }
    })
    expect(await first.session.refresh()).toBe(true)
    expect(first.session.state().phase).toBe('signedIn')
  })

  test('a logout elsewhere signs out here, without a call', async () => {
    const first = tab()
    await first.session.login(credentials)
    const second = tab(first.store)
    await second.session.start()
    first.session.logout()
    const calls = second.asked.length
    second.session.storageChanged()
    expect(second.session.state().phase).toBe('signedOut')
    expect(second.asked.length).toBe(calls)
  })

  test('a sign-in elsewhere signs in here', async () => {
    const first = tab()
    const second = tab(first.store)
    await second.session.start()
    await first.session.login(credentials)
    second.session.storageChanged()
    await settle()
    expect(second.session.state()).toEqual({ phase: 'signedIn', user })
  })
})
