import { createHash, createHmac, randomBytes } from 'node:crypto'
import { ACCESS_TOKEN_MS, type LoginBody, REFRESH_GRACE_MS, type Tokens } from '@narval/contracts'
import type { SessionGuard, Viewer } from '../../http/caller.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Database } from '../../store/database.ts'
import type { AccessClaims, AccessTokens } from './access-token.ts'
import { type AccountRecord, findAccount } from './account.store.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import {
  endSessions,
  findRefreshToken,
  findSession,
  insertRefreshToken,
  insertSession,
  markRefreshTokenUsed,
  type SessionRecord,
  touchSession,
} from './session.store.ts'

export interface SessionService extends SessionGuard {
  login(body: LoginBody, address: string): Promise<Tokens>
  refresh(body: { accessToken: string; refreshToken: string; uuid: string }): Promise<Tokens>
  logout(viewer: Viewer): Promise<void>
  /** Ends the sessions of an account, their tokens and hub connections, at once. */
  endAll(accountId: number, reason: string, except?: number): Promise<void>
  /** Whose session a valid token is, for the hubs. */
  identify(token: string): Promise<{ viewer: Viewer; claims: AccessClaims } | null>
  /** Sessions that live among these, each with the end of its last valid access token (epoch ms). */
  liveUntil(sessionIds: readonly number[]): Promise<Map<number, number>>
}

export interface SessionDeps {
  readonly database: Database
  readonly now: () => number
  readonly tokens: AccessTokens
  /** Derives a refresh token's successor, so that the same one is found again within the grace without being kept in clear. */
  readonly refreshKey: Uint8Array
  readonly throttle: LoginThrottle
  readonly limits: () => { idleMs: number; maxMs: number }
  readonly onEnd: (sessionIds: readonly number[]) => void
}

/** The same answer for an unknown login, a wrong password and a disabled account (S04). */
const refused = () => new Refusal('unauthenticated', ['Nom de compte ou mot de passe incorrect.'])
const expired = () => new Refusal('unauthenticated', ['La session est terminée.'])
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** A session that an unexpired token shows is marked used at most this often. */
const TOUCH_MS = 60_000

export const createSessionService = (deps: SessionDeps): SessionService => {
  const { now, tokens } = deps
  const { db } = deps.database
  const issuedMs = new Map<number, number>()
  const issue = (accountId: number, sessionId: number): Promise<string> => {
    issuedMs.set(sessionId, now())
    return tokens.issue(accountId, sessionId)
  }
  /** What an unknown login is checked against: the same work as a real one. */
  let decoy: Promise<string> | null = null

  const alive = (session: SessionRecord): boolean => {
    const { idleMs, maxMs } = deps.limits()
    return session.endedAt === null && now() - session.lastUsedAt < idleMs && now() - session.createdAt < maxMs
  }

  const end = async (which: Parameters<typeof endSessions>[1], reason: string): Promise<void> => {
    const ended = await endSessions(db, which, reason, now())
    for (const id of ended) issuedMs.delete(id)
    deps.onEnd(ended)
  }

  const viewerOf = (account: AccountRecord, session: SessionRecord): Viewer => ({
    userId: account.id,
    login: account.login,
    sessionId: session.id,
    firstConnection: account.firstConnection,
    signedInMs: session.createdAt,
    claims: account.claims,
  })

  const identify = async (token: string) => {
    const claims = await tokens.verify(token)
    if (claims === null) return null
    const session = await findSession(db, claims.sessionId)
    if (session === null || session.accountId !== claims.userId || !alive(session)) return null
    const account = await findAccount(db, { id: claims.userId })
    if (account === null || !account.enabled) return null
    if (now() - session.lastUsedAt > TOUCH_MS) await touchSession(db, session.id, now())
    return { viewer: viewerOf(account, session), claims }
  }

  const successorOf = (refreshToken: string): string =>
    createHmac('sha256', deps.refreshKey).update(refreshToken).digest('base64url')

  return {
    identify,
    authenticate: async token => (await identify(token))?.viewer ?? null,
    liveUntil: async sessionIds => {
      const found = await Promise.all(sessionIds.map(id => findSession(db, id)))
      return new Map(
        found.flatMap(session =>
          session !== null && alive(session)
            ? [[session.id, (issuedMs.get(session.id) ?? session.lastUsedAt) + ACCESS_TOKEN_MS]]
            : [],
        ),
      )
    },
    async login(body, address) {
      await deps.throttle.admit(body.login, address)
      const account = await findAccount(db, { login: body.login })
      decoy ??= hashPassword(randomBytes(16).toString('hex'))
      const { ok, outdated } = await verifyPassword(body.password, account?.passwordHash ?? (await decoy))
      if (!ok || account === null || !account.enabled) {
        await deps.throttle.failed(body.login, address)
        throw refused()
      }
      await deps.throttle.succeeded(body.login, address)
      const { login: _login, password: _password, uuid, ...device } = body
      const renewed = outdated ? await hashPassword(body.password) : null
      const refreshToken = randomBytes(32).toString('base64url')
      const sessionId = await db.transaction().execute(async trx => {
        const id = await insertSession(
          trx,
          { accountId: account.id, uuid, device: JSON.stringify(device), address },
          now(),
        )
        await insertRefreshToken(trx, sha256(refreshToken), id, now())
        await trx
          .updateTable('account')
          .set({ last_login_at: now(), ...(renewed === null ? {} : { password_hash: renewed }) })
          .where('id', '=', account.id)
          .execute()
        return id
      })
      return { token: await issue(account.id, sessionId), refreshToken }
    },
    async refresh({ accessToken, refreshToken, uuid }) {
      const row = await findRefreshToken(db, sha256(refreshToken))
      if (row === undefined) throw expired()
      const session = await findSession(db, row.session_id)
      const claims = await tokens.verify(accessToken, { ignoreExpiry: true })
      if (session === null || !alive(session)) throw expired()
      if (claims?.sessionId !== session.id || uuid.toLowerCase() !== session.uuid.toLowerCase()) {
        await end({ sessionId: session.id }, 'refresh-mismatch')
        throw expired()
      }
      if (row.used_at !== null && now() - row.used_at > REFRESH_GRACE_MS) {
        await end({ sessionId: session.id }, 'refresh-reuse')
        throw expired()
      }
      const account = await findAccount(db, { id: session.accountId })
      if (account === null || !account.enabled) throw expired()
      const successor = successorOf(refreshToken)
      await db.transaction().execute(async trx => {
        await markRefreshTokenUsed(trx, row.hash, now())
        await insertRefreshToken(trx, sha256(successor), session.id, now())
        await touchSession(trx, session.id, now())
      })
      return { token: await issue(account.id, session.id), refreshToken: successor }
    },
    logout: viewer => end({ sessionId: viewer.sessionId }, 'logout'),
    endAll: (accountId, reason, except) => end({ accountId, ...(except === undefined ? {} : { except }) }, reason),
  }
}
