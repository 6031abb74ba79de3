import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  ACCESS_TOKEN_MS,
  type AccountSession,
  API_TOKEN_PREFIX,
  type LoginBody,
  REFRESH_GRACE_MS,
  type SecondFactorAnswer,
  type Tokens,
} from '@narval/contracts'
import { type SessionGuard, sessionOf, type Viewer } from '../../http/caller.ts'
import { notFound, Refusal } from '../../http/refusal.ts'
import { type AuditEntry, audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import type { AccessClaims, AccessTokens } from './access-token.ts'
import { type AccountRecord, findAccount } from './account.store.ts'
import { mayEdit, needAccount } from './account-rules.ts'
import { toAccountSession } from './account-session.ts'
import type { ApiTokenService } from './api-token.service.ts'
import type { Admitted } from './login-challenge.ts'
import type { SafetyNotice } from './safety-notice.ts'
import {
  deleteOldSessions,
  endSessions,
  findOpenSessions,
  findRefreshToken,
  findSession,
  insertRefreshToken,
  insertSession,
  markRefreshTokenUsed,
  type SessionRecord,
  touchSession,
} from './session.store.ts'
import type { SignIn } from './sign-in.ts'

/** Tokens, and the session that they are of. */
export interface OpenedSession {
  readonly sessionId: number
  readonly tokens: Tokens
}

export interface SessionService extends SessionGuard {
  /** Throws 401 with a challenge when a second factor is asked for. */
  login(body: LoginBody, address: string): Promise<OpenedSession>
  /** Signs in by the code that a login has asked for. */
  loginByCode(body: SecondFactorAnswer, address: string): Promise<OpenedSession>
  refresh(body: { accessToken: string; refreshToken: string; uuid: string }, address: string): Promise<OpenedSession>
  logout(viewer: Viewer, address: string): Promise<void>
  /** One's own open sessions, with what their device said of itself. */
  list(viewer: Viewer): Promise<AccountSession[]>
  /** Ends one of one's own sessions, or all but the present one. */
  end(viewer: Viewer, which: number | 'others', address: string): Promise<void>
  /** The open sessions of another account. */
  ofAccount(viewer: Viewer, accountId: number): Promise<AccountSession[]>
  /** Ends one of the sessions of another account, or all of them; of one's own the present one stays. */
  endOf(viewer: Viewer, accountId: number, which: number | 'all', address: string): Promise<void>
  /** Ids of the open sessions of an account. */
  openOf(accountId: number): Promise<number[]>
  /** Sessions whose rows are gone: their hub connections end. */
  forget(sessionIds: readonly number[]): void
  /** Ends the sessions that are over, which are counted as open until then, and deletes those that ended long ago. */
  purge(): Promise<void>
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
  readonly signIn: SignIn
  readonly limits: () => { idleMs: number; maxMs: number }
  readonly apiTokens: ApiTokenService
  readonly onEnd: (sessionIds: readonly number[]) => void
  /** Tells an account what it should know of its own safety. */
  readonly warn: (accountId: number, notice: SafetyNotice) => Promise<void>
}

const BY_WORDS = { code: 'code de l’application', recovery: 'code de secours' } as const
const expired = () => new Refusal('unauthenticated', ['La session est terminée.'])
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** A session that an unexpired token shows is marked used at most this often. */
const TOUCH_MS = 60_000
/** Ended sessions are kept this long: their devices stay known, and a reused token is still recognised. */
const KEPT_MS = 90 * 86_400_000

/** What a token was found to be; it holds until anything is written (S14). */
interface Known {
  readonly at: number
  readonly claims: AccessClaims
  readonly session: SessionRecord
  readonly account: AccountRecord
}
/** Tokens that are remembered at most. */
const KNOWN = 2_000

export const createSessionService = (deps: SessionDeps): SessionService => {
  const { now, tokens } = deps
  const { db } = deps.database
  const issuedMs = new Map<number, number>()
  const issue = (accountId: number, sessionId: number): Promise<string> => {
    issuedMs.set(sessionId, now())
    return tokens.issue(accountId, sessionId)
  }
  const alive = (session: SessionRecord): boolean => {
    const { idleMs, maxMs } = deps.limits()
    return session.endedAt === null && now() - session.lastUsedAt < idleMs && now() - session.createdAt < maxMs
  }

  /** With its line of the log where one is given: together, or not at all (S60). */
  const end = async (
    which: Parameters<typeof endSessions>[1],
    reason: string,
    entry: AuditEntry | null = null,
  ): Promise<void> => {
    const ended = await transaction(db, async trx => {
      if (entry !== null) await audit(trx, entry, now())
      return endSessions(trx, which, reason, now())
    })
    for (const id of ended) issuedMs.delete(id)
    deps.onEnd(ended)
  }

  const viewerOf = (account: AccountRecord, session: SessionRecord): Viewer => ({
    userId: account.id,
    login: account.login,
    sessionId: session.id,
    credential: `session ${session.id}`,
    firstConnection: account.firstConnection,
    signedInMs: session.createdAt,
    claims: account.claims,
    place: account.place,
    limits: account.limits,
  })

  const known = new Map<string, Known>()
  /** The session and the account of a valid token, as the database has them now. */
  const look = async (token: string): Promise<Known | null> => {
    const at = deps.database.writes()
    const held = known.get(token)
    if (held?.at === at && now() < held.claims.expiresMs) return held
    known.delete(token)
    const claims = await tokens.verify(token)
    if (claims === null) return null
    const session = await findSession(db, claims.sessionId)
    const account = await findAccount(db, { id: claims.userId })
    if (session === null || account === null || session.accountId !== claims.userId) return null
    const found = { at, claims, session, account }
    known.set(token, found)
    if (known.size > KNOWN) known.delete(known.keys().next().value ?? token)
    return found
  }
  const identify = async (token: string) => {
    const found = await look(token)
    if (found === null || !alive(found.session) || !found.account.enabled) return null
    const { claims, session, account } = found
    if (now() - session.lastUsedAt > TOUCH_MS) await touchSession(db, session.id, now())
    return { viewer: viewerOf(account, session), claims }
  }

  const successorOf = (refreshToken: string): string =>
    createHmac('sha256', deps.refreshKey).update(refreshToken).digest('base64url')

  /** A token that was used before, or by another device: the whole session ends, and its owner is told (S16, S19). */
  const endStolen = async (session: SessionRecord, reason: string, address: string): Promise<never> => {
    const account = await findAccount(db, { id: session.accountId })
    const object = `session ${session.id}`
    await end({ sessionId: session.id }, reason, {
      action: 'refresh',
      outcome: 'refused',
      actor: account?.login ?? null,
      address,
      object,
      detail: { reason },
    })
    await deps.warn(session.accountId, {
      key: `${object} ${reason}`,
      title: 'Session fermée par sécurité',
      message:
        'Un jeton de cette session a été présenté une seconde fois, ou par un autre poste. Si ce n’est pas vous, changez votre mot de passe.',
    })
    throw expired()
  }

  /** A session of whoever has shown all that was asked for. */
  const open = async ({ account, uuid, device, by }: Admitted, address: string): Promise<OpenedSession> => {
    const refreshToken = randomBytes(32).toString('base64url')
    const sessionId = await transaction(db, async trx => {
      const id = await insertSession(trx, { accountId: account.id, uuid, device, address }, now())
      await insertRefreshToken(trx, sha256(refreshToken), id, now())
      await trx.updateTable('account').set({ last_login_at: now() }).where('id', '=', account.id).execute()
      const detail = by === null ? {} : { secondFactor: BY_WORDS[by] }
      const entry = { action: 'login', outcome: 'success', actor: account.login, address } as const
      await audit(trx, { ...entry, object: `session ${id}`, detail }, now())
      return id
    })
    return { sessionId, tokens: { token: await issue(account.id, sessionId), refreshToken } }
  }

  const endEach = async (viewer: Viewer, ids: readonly number[], address: string): Promise<void> => {
    for (const id of ids) {
      const object = `session ${id}`
      const entry = { action: 'session-end', outcome: 'success', actor: viewer.login, address, object } as const
      await end({ sessionId: id }, 'revoked', entry)
    }
  }
  const shownOf = async (viewer: Viewer, accountId: number): Promise<AccountSession[]> => {
    const { idleMs, maxMs } = deps.limits()
    const rows = await findOpenSessions(db, accountId)
    return rows.flatMap(row => {
      const expiresMs = Math.min(row.last_used_at + idleMs, row.created_at + maxMs)
      return expiresMs <= now() ? [] : [toAccountSession(row, row.id === viewer.sessionId, expiresMs)]
    })
  }

  return {
    identify,
    authenticate: async token =>
      token.startsWith(API_TOKEN_PREFIX)
        ? deps.apiTokens.authenticate(token)
        : ((await identify(token))?.viewer ?? null),
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
    login: async (body, address) => open(await deps.signIn.admit(body, address), address),
    loginByCode: async (body, address) => open(await deps.signIn.admitByCode(body, address), address),
    async refresh({ accessToken, refreshToken, uuid }, address) {
      const row = await findRefreshToken(db, sha256(refreshToken))
      if (row === undefined) throw expired()
      const session = await findSession(db, row.session_id)
      const claims = await tokens.verify(accessToken, { ignoreExpiry: true })
      if (session === null || !alive(session)) throw expired()
      if (claims?.sessionId !== session.id || uuid.toLowerCase() !== session.uuid)
        return endStolen(session, 'refresh-mismatch', address)
      if (row.used_at !== null && now() - row.used_at > REFRESH_GRACE_MS)
        return endStolen(session, 'refresh-reuse', address)
      const account = await findAccount(db, { id: session.accountId })
      if (account === null || !account.enabled) throw expired()
      const successor = successorOf(refreshToken)
      await transaction(db, async trx => {
        await markRefreshTokenUsed(trx, row.hash, now())
        await insertRefreshToken(trx, sha256(successor), session.id, now())
        await touchSession(trx, session.id, now())
      })
      return {
        sessionId: session.id,
        tokens: { token: await issue(account.id, session.id), refreshToken: successor },
      }
    },
    async logout(viewer, address) {
      const sessionId = sessionOf(viewer)
      await end({ sessionId }, 'logout', {
        action: 'logout',
        outcome: 'success',
        actor: viewer.login,
        address,
        object: `session ${sessionId}`,
      })
    },
    endAll: (accountId, reason, except) => end({ accountId, ...(except === undefined ? {} : { except }) }, reason),
    list: viewer => shownOf(viewer, viewer.userId),
    async ofAccount(viewer, accountId) {
      await needAccount(db, accountId)
      return shownOf(viewer, accountId)
    },
    async endOf(viewer, accountId, which, address) {
      mayEdit(viewer, await needAccount(db, accountId))
      const open = (await findOpenSessions(db, accountId)).map(row => row.id)
      const ids = open.filter(id => (which === 'all' ? id !== viewer.sessionId : id === which))
      if (which !== 'all' && ids.length === 0) throw notFound("Cette session n'existe pas.")
      await endEach(viewer, ids, address)
    },
    async end(viewer, which, address) {
      const present = sessionOf(viewer)
      const own = await findOpenSessions(db, viewer.userId)
      const ids = own.map(row => row.id).filter(id => (which === 'others' ? id !== present : id === which))
      if (which !== 'others' && ids.length === 0) throw notFound("Cette session n'existe pas.")
      await endEach(viewer, ids, address)
    },
    openOf: async accountId => (await findOpenSessions(db, accountId)).map(row => row.id),
    forget(sessionIds) {
      for (const id of sessionIds) issuedMs.delete(id)
      deps.onEnd(sessionIds)
    },
    async purge() {
      const { idleMs, maxMs } = deps.limits()
      await end({ usedUntilMs: now() - idleMs, createdUntilMs: now() - maxMs }, 'expired')
      await deleteOldSessions(db, now() - KEPT_MS)
    },
  }
}
