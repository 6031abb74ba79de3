import { DISPLAY_TOKEN_PREFIX, type Settings } from '@narval/contracts'
import { warnAccount } from './account-notice.ts'
import type { Changes } from './changes.ts'
import { createAccessTokens } from './features/account/access-token.ts'
import { createAccountService } from './features/account/account.service.ts'
import { createApiTokenService } from './features/account/api-token.service.ts'
import { createLoginChallenges } from './features/account/login-challenge.ts'
import { createLoginThrottle } from './features/account/login-throttle.ts'
import { createPasswordService, passwordRules } from './features/account/password.service.ts'
import type { verifyPassword } from './features/account/password-hash.ts'
import type { SafetyNotice } from './features/account/safety-notice.ts'
import { createSecondFactorService } from './features/account/second-factor.service.ts'
import { createSessionService } from './features/account/session.service.ts'
import { createSignIn } from './features/account/sign-in.ts'
import { createDisplayService } from './features/display/display.service.ts'
import { displaySession, liveSessions } from './features/display/display-session.ts'
import type { Authenticate } from './hub/admission.ts'
import type { Hubs } from './hub/hubs.ts'
import type { SecretBox } from './secret-box.ts'
import type { Database } from './store/database.ts'

export interface IdentityDeps {
  readonly database: Database
  /** 32 secret bytes for one use. */
  readonly key: (use: string) => Uint8Array
  readonly secrets: SecretBox
  readonly settings: () => Settings
  readonly changes: Changes
  /** Made after this, by which they know who calls. */
  readonly hubs: () => Hubs
  /** False: signing in is not slowed after failures. */
  readonly loginRate: boolean
  readonly verify: typeof verifyPassword
  readonly now: () => number
}

/** Who calls, and how one shows it: sessions, API tokens, screens, passwords, second factors; and the accounts themselves. */
export const createIdentity = (deps: IdentityDeps) => {
  const { database, key, secrets, settings, changes, now } = deps
  const throttle = createLoginThrottle(database.db, now, deps.loginRate)
  const warn = (accountId: number, notice: SafetyNotice) =>
    warnAccount({ database, hubs: deps.hubs(), now }, accountId, notice)
  const apiTokens = createApiTokenService(database, now)
  const sessions = createSessionService({
    ...{ database, now, apiTokens, warn },
    tokens: createAccessTokens(key('access-token'), now),
    refreshKey: key('refresh-token'),
    signIn: createSignIn({
      ...{ database, now, throttle, verify: deps.verify },
      challenges: createLoginChallenges({ database, now, secrets, throttle, warn }),
    }),
    limits: () => ({
      idleMs: settings().sessionIdleHours * 3_600_000,
      maxMs: settings().sessionMaxDays * 86_400_000,
    }),
    onEnd: ids => {
      for (const id of ids) deps.hubs().endSession(id)
    },
  })
  const displays = createDisplayService({
    ...{ database, now },
    onEnd: id => void deps.hubs().endSession(displaySession(id)),
  })
  const passwords = createPasswordService({
    ...{ database, now, sessions, changes },
    rules: () => passwordRules(settings()),
  })
  const secondFactors = createSecondFactorService({
    ...{ database, now, secrets, throttle, sessions, changes, warn },
    productName: () => settings().productName,
  })
  const accounts = createAccountService({ database, now, sessions, changes, passwords })
  const authenticate: Authenticate = async token => {
    if (token.startsWith(DISPLAY_TOKEN_PREFIX)) return displays.hubIdentity(token)
    const found = await sessions.identify(token)
    if (found === null || found.viewer.firstConnection) return null
    return { userId: found.viewer.userId, sessionId: found.claims.sessionId, expiresMs: found.claims.expiresMs }
  }
  return {
    ...{ apiTokens, sessions, displays, passwords, secondFactors, accounts },
    /** How hubs know a token, and which of these sessions still are. */
    authenticate,
    liveSessions: (ids: readonly number[]) => liveSessions(ids, sessions, displays),
  }
}
