import {
  accountRoutes,
  authenticationRoutes,
  type LoginBody,
  type OwnAccount,
  REFRESH_BEFORE_EXPIRY_MS,
  type Tokens,
} from '@narval/contracts'
import { callAs } from './call.ts'
import { ApiError, request, type Transport } from './http.ts'
import type { LocalSession } from './local-session.ts'
import { localExpiry, tokenTimes } from './token.ts'

export type SessionState =
  | { readonly phase: 'starting' | 'signedOut'; readonly user: null }
  | { readonly phase: 'signedIn'; readonly user: OwnAccount | null }

export type Credentials = Omit<LoginBody, 'uuid'>

export interface SessionDeps {
  readonly local: LocalSession
  readonly transport: Transport
  readonly now: () => number
  /** Runs once after a delay; the answer cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void
  /** Runs alone among the browser's tabs, where the browser has locks. */
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>
  /** The page is being left: its calls are cut, and that they fail says nothing of the session. */
  readonly leaving: () => boolean
}

/** The session of spec §4. Never trusts what is stored: the server checks every right. */
export interface Session {
  /** Refreshes the stored tokens and loads the account, once; `signedIn` or `signedOut` when it resolves. */
  start(): Promise<void>
  /** Throws `ApiError` when refused; its problem has a `challenge` when a code of the second factor is asked for. */
  login(credentials: Credentials): Promise<OwnAccount | null>
  /** Signs in by the code that a login has asked for. Throws `ApiError` as it does. */
  loginByCode(challenge: string, code: string): Promise<OwnAccount | null>
  /** Ends the session here at once, and on the server whatever it answers. */
  logout(): void
  /** One refresh at a time, shared by all who ask; false when there is no session any more. */
  refresh(): Promise<boolean>
  /** The token, refreshed first when it is over or nearly; null without a session. */
  freshToken(): Promise<string | null>
  token(): string | null
  /** What the main guard asks (spec §6): stored and unexpired, else logged out. */
  check(): boolean
  /**
   * Loads one's own account; a failure is ignored, the cached account stays, and it is asked for again later. The state
   * stays the very same object where nothing of it has changed.
   */
  loadAccount(): Promise<void>
  /** Another tab changed local storage. */
  storageChanged(): void
  state(): SessionState
  subscribe(listener: () => void): () => void
}

const STARTING: SessionState = { phase: 'starting', user: null }
const SIGNED_OUT: SessionState = { phase: 'signedOut', user: null }
/** A refresh without any answer is asked again while the token lasts. */
const RETRY_MS = 5_000
const NEARLY_OVER_MS = 5_000
/** How long a page that is being left may take to be gone. */
export const LEAVING_MS = 3_000
const CUT_MS = 500
/** An account that could not be loaded is asked for again after the first delay, then each time twice as late. */
const ACCOUNT_RETRY_MS = { first: 5_000, longest: 60_000 } as const
/** The longest delay of a browser's timer. */
const MAX_DELAY_MS = 2 ** 31 - 1

const isSame = (a: OwnAccount, b: OwnAccount | null): boolean => JSON.stringify(a) === JSON.stringify(b)

export const createSession = (deps: SessionDeps): Session => {
  const { local, transport } = deps
  const listeners = new Set<() => void>()
  let state: SessionState = STARTING
  let current: { readonly token: string; readonly expiresAtMs: number } | null = null
  let cancelTimer: () => void = () => {}
  let cancelReload: () => void = () => {}
  /** Tells a load of the account that was overtaken by another, or by the end of its session. */
  let loads = 0
  let refreshing: Promise<boolean> | null = null
  let starting: Promise<void> | null = null

  const set = (next: SessionState): void => {
    state = next
    for (const listener of [...listeners]) listener()
  }

  const end = (): void => {
    cancelTimer()
    cancelReload()
    loads += 1
    current = null
    local.clear()
    if (state.phase !== 'signedOut') set(SIGNED_OUT)
  }

  const schedule = (delayMs: number): void => {
    cancelTimer()
    cancelTimer = deps.after(Math.min(Math.max(delayMs, 0), MAX_DELAY_MS), () => void shared('timer'))
  }

  /** Takes a token as the session's; one that cannot be read lasts as long as the server accepts it. */
  const adopt = (token: string, justReceived: boolean): void => {
    const times = tokenTimes(token)
    const now = deps.now()
    const expiresAtMs = times === null ? now : justReceived ? localExpiry(times, now) : times.expiresAtMs
    current = { token, expiresAtMs }
    schedule(expiresAtMs - now - REFRESH_BEFORE_EXPIRY_MS)
  }

  const keep = (tokens: Tokens): void => {
    local.write(tokens)
    adopt(tokens.token, true)
  }

  const attempt = async (why: 'start' | 'timer' | 'call'): Promise<boolean> => {
    const held = current?.token
    const stored = local.read()
    if (stored === null) {
      end()
      return false
    }
    if (held !== undefined && stored.token !== held) {
      adopt(stored.token, true)
      return true
    }
    try {
      const tokens = await request(
        transport,
        authenticationRoutes.refresh,
        { body: { accessToken: stored.token, refreshToken: stored.refreshToken, uuid: stored.uuid } },
        null,
      )
      // Signed out meanwhile: what came is not kept.
      if (local.token() === null) return false
      if (overtaken(stored.token)) return true
      keep(tokens)
      return true
    } catch (error) {
      if (overtaken(stored.token)) return true
      // A page that is left has its calls cut before it is told so: a moment later it is gone, or it is another failure.
      if (why === 'start' && error instanceof ApiError && error.status === 0)
        await new Promise<void>(resolve => deps.after(CUT_MS, resolve))
      return overtaken(stored.token) || afterFailure(error, why)
    }
  }

  /** Another tab has refreshed, or somebody else has signed in, while a refresh was asked: what is stored holds. */
  const overtaken = (asked: string): boolean => {
    const stored = local.read()
    if (stored === null || stored.token === asked) return false
    adopt(stored.token, true)
    return true
  }

  const afterFailure = (error: unknown, why: 'start' | 'timer' | 'call'): boolean => {
    // The tokens stay for the page that comes next; the server's grace takes the refresh token that was cut off.
    if (error instanceof ApiError && error.status === 0 && deps.leaving()) return false
    const noAnswer = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status === 503)
    if (why === 'timer' && noAnswer && current !== null && deps.now() < current.expiresAtMs) {
      schedule(RETRY_MS)
      return false
    }
    end()
    return false
  }

  const shared = (why: 'start' | 'timer' | 'call'): Promise<boolean> => {
    refreshing ??= deps
      .lock(() => attempt(why))
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  const loadAccount = async (delayMs: number = ACCOUNT_RETRY_MS.first): Promise<void> => {
    if (current === null) return
    cancelReload()
    loads += 1
    const mine = loads
    const renewal = { token: () => current?.token ?? null, refresh: () => shared('call') }
    try {
      const user = await callAs(renewal, transport, accountRoutes.own, {})
      if (mine !== loads) return
      local.writeUser(user)
      // The same again changes nothing for those who look at it.
      if (state.phase !== 'signedIn' || !isSame(user, state.user)) set({ phase: 'signedIn', user })
    } catch {
      if (mine !== loads) return
      set({ phase: 'signedIn', user: state.user ?? local.user() })
      const nextMs = Math.min(delayMs * 2, ACCOUNT_RETRY_MS.longest)
      cancelReload = deps.after(delayMs, () => void loadAccount(nextMs))
    }
  }

  const signedIn = async (tokens: Tokens): Promise<OwnAccount | null> => {
    keep(tokens)
    await loadAccount()
    return state.user
  }

  const boot = async (): Promise<void> => {
    if (local.empty()) {
      end()
      return
    }
    if (await shared('start')) await loadAccount()
    if (state.phase !== 'starting') return
    if (!deps.leaving()) {
      end()
      return
    }
    // Not left in the end (a download, a « stay here »): then it starts after all.
    await new Promise<void>(resolve => deps.after(LEAVING_MS, resolve))
    await boot()
  }

  return {
    start: () => {
      starting ??= boot()
      return starting
    },
    async login(credentials) {
      const body = { ...credentials, uuid: local.uuid() }
      return signedIn(await request(transport, authenticationRoutes.login, { body }, null))
    },
    async loginByCode(challenge, code) {
      const body = { challenge, code, uuid: local.uuid() }
      return signedIn(await request(transport, authenticationRoutes.secondFactor, { body }, null))
    },
    logout() {
      const token = current?.token ?? local.token()
      // A 401 of logout is ignored, and so is every other failure (spec §4, §7).
      if (token !== null) request(transport, authenticationRoutes.logout, {}, token).catch(() => {})
      end()
    },
    refresh: () => shared('call'),
    async freshToken() {
      if (current === null) return null
      if (deps.now() > current.expiresAtMs - NEARLY_OVER_MS) await shared('call')
      return current?.token ?? null
    },
    token: () => current?.token ?? null,
    check() {
      const stored = local.token()
      if (stored !== null && current !== null && stored !== current.token) adopt(stored, false)
      if (stored !== null && current !== null && deps.now() < current.expiresAtMs) return true
      end()
      return false
    },
    loadAccount: () => loadAccount(),
    storageChanged() {
      const stored = local.read()
      if (stored === null) {
        if (state.phase === 'signedIn') end()
        return
      }
      if (stored.token === current?.token || state.phase === 'starting') return
      adopt(stored.token, true)
      void loadAccount()
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
