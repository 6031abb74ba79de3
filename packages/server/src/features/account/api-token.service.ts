import { createHash, randomBytes } from 'node:crypto'
import {
  API_TOKEN_PREFIX,
  API_TOKENS_MAX,
  type ApiToken,
  type apiTokenRoutes,
  type BodyOf,
  CLAIMS,
  grants,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound } from '../../http/refusal.ts'
import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { ApiTokenTable } from '../../store/tables/account.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { type AccountRecord, findAccount } from './account.store.ts'
import { mayLend } from './account-rules.ts'

/** Bearer tokens for scripts: named, expiring, with some of their owner's claims, never more than he holds now. */
export interface ApiTokenService {
  list(viewer: Viewer): Promise<ApiToken[]>
  /** The token itself is in this answer alone: the database keeps its hash. */
  create(
    viewer: Viewer,
    body: BodyOf<typeof apiTokenRoutes.create>,
    address: string,
  ): Promise<ApiToken & { token: string }>
  delete(viewer: Viewer, id: number, address: string): Promise<void>
  /** Null when it is unknown, over, or its account disabled. */
  authenticate(token: string): Promise<Viewer | null>
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** The last use is written at most this often. */
const TOUCH_MS = 60_000
const DAY_MS = 86_400_000

const claimsOf = (json: string): string[] => {
  const claims: unknown = JSON.parse(json)
  return Array.isArray(claims) ? claims.map(String) : []
}
/** What of the token's claims its owner still holds. */
const effective = (json: string, owner: ReadonlySet<string>): string[] => {
  const wanted = claimsOf(json)
  return CLAIMS.filter(claim => wanted.includes(claim) && grants(owner, claim))
}

type Row = Pick<ApiTokenTable, 'name' | 'claims' | 'created_at' | 'expires_at' | 'last_used_at'> & { id: number }
const toApiToken = (row: Row, owner: ReadonlySet<string>): ApiToken => ({
  id: row.id,
  name: row.name,
  claims: effective(row.claims, owner).map(claim => ({ claim })),
  createdAt: toIso(row.created_at),
  expiresAt: toIso(row.expires_at),
  lastUsedAt: toIsoOrNull(row.last_used_at),
})

const viewerOf = (row: Row, account: AccountRecord): Viewer => ({
  userId: account.id,
  login: account.login,
  sessionId: null,
  credential: `token ${row.id}`,
  firstConnection: account.firstConnection,
  signedInMs: row.created_at,
  claims: new Set(effective(row.claims, account.claims)),
  place: account.place,
  limits: account.limits,
})

export const createApiTokenService = (database: Database, now: () => number): ApiTokenService => {
  const { db } = database
  return {
    async list(viewer) {
      const owner = await findAccount(db, { id: viewer.userId })
      const rows = await db
        .selectFrom('api_token')
        .selectAll()
        .where('account_id', '=', viewer.userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(row => toApiToken(row, owner?.claims ?? new Set()))
    },
    async create(viewer, body, address) {
      const claims = [...new Set(body.claims.map(({ claim }) => claim))]
      mayLend(viewer, claims)
      const token = `${API_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`
      const row = await transaction(db, async trx => {
        const held = await trx
          .selectFrom('api_token')
          .select(eb => eb.fn.countAll<number>().as('n'))
          .where('account_id', '=', viewer.userId)
          .executeTakeFirstOrThrow()
        if (Number(held.n) >= API_TOKENS_MAX)
          throw conflict(`${API_TOKENS_MAX} jetons au plus par compte : révoquez-en un d’abord.`)
        const made = await trx
          .insertInto('api_token')
          .values({
            account_id: viewer.userId,
            name: body.name,
            hash: sha256(token),
            claims: JSON.stringify(claims),
            created_at: now(),
            expires_at: now() + body.days * DAY_MS,
            last_used_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        const object = `api-token ${made.id}`
        const detail = { name: body.name, claims, days: body.days }
        const entry = {
          action: 'api-token-create',
          outcome: 'success',
          actor: viewer.login,
          address,
          object,
          detail,
        } as const
        await audit(trx, entry, now())
        return made
      })
      return { ...toApiToken(row, viewer.claims), token }
    },
    async delete(viewer, id, address) {
      await transaction(db, async trx => {
        const gone = await trx
          .deleteFrom('api_token')
          .where('id', '=', id)
          .where('account_id', '=', viewer.userId)
          .executeTakeFirst()
        if (Number(gone.numDeletedRows) === 0) throw notFound("Ce jeton n'existe pas.")
        const object = `api-token ${id}`
        await audit(
          trx,
          { action: 'api-token-delete', outcome: 'success', actor: viewer.login, address, object },
          now(),
        )
      })
    },
    async authenticate(token) {
      const row = await db.selectFrom('api_token').selectAll().where('hash', '=', sha256(token)).executeTakeFirst()
      if (row === undefined || row.expires_at <= now()) return null
      const account = await findAccount(db, { id: row.account_id })
      if (account === null || !account.enabled) return null
      if (now() - (row.last_used_at ?? 0) > TOUCH_MS)
        await db.updateTable('api_token').set({ last_used_at: now() }).where('id', '=', row.id).execute()
      return viewerOf(row, account)
    },
  }
}
