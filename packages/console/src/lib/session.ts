import type { OwnAccount, THEMES } from '@narval/contracts'
import { useMemo, useSyncExternalStore } from 'react'
import { browserRandomBytes } from './cipher.ts'
import type { Transport } from './http.ts'
import { createLocalSession, STORAGE_KEYS } from './local-session.ts'
import { forgetReturn } from './return-path.ts'
import { type Rights, rightsOf } from './rights.ts'
import { createSession, LEAVING_MS } from './session-core.ts'

/** The browser's network and cookies. */
export const transport: Transport = { fetch: (...input) => fetch(...input), cookie: () => document.cookie }

/** Locks exist on HTTPS and localhost only; elsewhere the server's grace for a refresh token used twice does. */
const lock = <T>(run: () => Promise<T>): Promise<T> => {
  const locks: LockManager | undefined = navigator.locks
  return locks === undefined ? run() : locks.request('narval-session', run).then(value => value)
}

const local = createLocalSession(localStorage, browserRandomBytes)

/** The theme of the account that was last seen here, so that the first paint already has it. */
export const storedTheme: (typeof THEMES)[number] = local.user()?.theme ?? 'auto'

let leftMs = Number.NEGATIVE_INFINITY
for (const leaving of ['beforeunload', 'pagehide'] as const)
  addEventListener(leaving, () => {
    leftMs = performance.now()
  })

/** The session of this tab. */
export const session = createSession({
  local,
  transport,
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
  lock,
  leaving: () => performance.now() - leftMs < LEAVING_MS,
})

/** Leaves on purpose: who signs in next begins at home. */
export const signOut = (): void => {
  session.logout()
  forgetReturn()
}

addEventListener('storage', event => {
  const key = event.key
  if (key === null || key === STORAGE_KEYS.token) session.storageChanged()
})

export interface SessionView extends Rights {
  readonly phase: 'starting' | 'signedOut' | 'signedIn'
  /** Null until the account is loaded, and when it could not be. */
  readonly user: OwnAccount | null
}

/** The signed-in account and what it may do; renders again when they change. */
export const useSession = (): SessionView => {
  const { phase, user } = useSyncExternalStore(session.subscribe, session.state)
  return useMemo(() => ({ phase, user, ...rightsOf(user) }), [phase, user])
}
