import { createHash, randomBytes } from 'node:crypto'
import {
  type BodyOf,
  DISPLAY_TOKEN_PREFIX,
  DISPLAY_TOKENS_MAX,
  type DisplayToken,
  type displayRoutes,
} from '@narval/contracts'
import type { DisplayCaller, DisplayGuard, Viewer } from '../../http/caller.ts'
import { conflict, invalidField, notFound } from '../../http/refusal.ts'
import type { HubIdentity } from '../../hub/hub-method.ts'
import type { LiveSessions } from '../../hub/session-watch.ts'
import { audit } from '../../store/audit.ts'
import type { Database, Db } from '../../store/database.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { seesSite } from '../../store/visible.ts'
import { displayIdentity } from './display-session.ts'

/** Tokens of unattended screens: they read the wall, and nothing else. */
export interface DisplayService extends DisplayGuard {
  list(viewer: Viewer): Promise<DisplayToken[]>
  /** The token itself is in this answer alone: the database keeps its hash. */
  create(
    viewer: Viewer,
    body: BodyOf<typeof displayRoutes.create>,
    address: string,
  ): Promise<DisplayToken & { token: string }>
  /** Its screens are cut off at once. */
  delete(viewer: Viewer, id: number, address: string): Promise<void>
  /** As whom a screen connects to the hubs. */
  hubIdentity(token: string): Promise<HubIdentity | null>
  /** Those of these displays that are still good, each with its end (epoch ms). */
  readonly liveUntil: LiveSessions
}

export interface DisplayDeps {
  readonly database: Database
  readonly now: () => number
  /** Ends the hub connections of these. */
  readonly onEnd: (displayId: number) => void
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** The last use is written at most this often, unless it comes from elsewhere. */
const TOUCH_MS = 60_000
/** A screen that asked within this is one that shows it now; walls ask every 4 s. */
const SHOWN_MS = 20_000
const DAY_MS = 86_400_000

export const createDisplayService = ({ database, now, onEnd }: DisplayDeps): DisplayService => {
  const { db } = database
  /** When each address last asked, by token: kept in memory, for the list. */
  const asked = new Map<number, Map<string, number>>()
  const screensOf = (id: number): number =>
    [...(asked.get(id)?.values() ?? [])].filter(atMs => now() - atMs < SHOWN_MS).length

  const found = (within: Db) =>
    within
      .selectFrom('display_token')
      .leftJoin('site', 'site.id', 'display_token.site_id')
      .selectAll('display_token')
      .select('site.name as site_name')
  const toToken = (row: Awaited<ReturnType<ReturnType<typeof found>['executeTakeFirstOrThrow']>>): DisplayToken => ({
    id: row.id,
    name: row.name,
    siteId: row.site_id,
    siteName: row.site_name,
    createdAt: toIso(row.created_at),
    createdBy: row.created_by,
    expiresAt: toIso(row.expires_at),
    lastUsedAt: toIsoOrNull(row.last_used_at),
    lastAddress: row.last_address,
    screens: screensOf(row.id),
  })
  const good = async (token: string) => {
    const row = await found(db).where('display_token.hash', '=', sha256(token)).executeTakeFirst()
    return row === undefined || row.expires_at <= now() ? null : row
  }
  /** A use from another address than the last one is audited: a copied address shows. */
  const used = async (row: NonNullable<Awaited<ReturnType<typeof good>>>, address: string): Promise<void> => {
    const own = asked.get(row.id) ?? new Map<string, number>()
    const knownMs = own.get(address)
    for (const [one, atMs] of own) if (now() - atMs >= SHOWN_MS) own.delete(one)
    asked.set(row.id, own.set(address, now()))
    if (now() - (row.last_used_at ?? 0) <= TOUCH_MS && (row.last_address === address || knownMs !== undefined)) return
    await transaction(db, async trx => {
      await trx
        .updateTable('display_token')
        .set({ last_used_at: now(), last_address: address })
        .where('id', '=', row.id)
        .execute()
      if (knownMs !== undefined || row.last_address === address) return
      const object = `display-token ${row.id}`
      const detail = { name: row.name }
      await audit(trx, { action: 'display-token-use', outcome: 'success', actor: null, address, object, detail }, now())
    })
  }

  return {
    async list(viewer) {
      const rows = await found(db).orderBy('display_token.name').orderBy('display_token.id').execute()
      const sees = seesSite(viewer)
      return rows.filter(row => row.site_id === null || sees(row.site_id)).map(toToken)
    },
    async create(viewer, body, address) {
      const token = `${DISPLAY_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`
      const row = await transaction(db, async trx => {
        await checkSite(trx, viewer, body.siteId)
        const held = await trx
          .selectFrom('display_token')
          .select(eb => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
        if (Number(held.n) >= DISPLAY_TOKENS_MAX)
          throw conflict(`${DISPLAY_TOKENS_MAX} jetons d'affichage au plus : révoquez-en un d'abord.`)
        const { id } = await trx
          .insertInto('display_token')
          .values({
            name: body.name,
            hash: sha256(token),
            site_id: body.siteId,
            created_at: now(),
            created_by: viewer.login,
            expires_at: now() + body.days * DAY_MS,
            last_used_at: null,
            last_address: '',
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const detail = { name: body.name, siteId: body.siteId, days: body.days }
        await audit(trx, entryOf('display-token-create', viewer, id, address, detail), now())
        return found(trx).where('display_token.id', '=', id).executeTakeFirstOrThrow()
      })
      return { ...toToken(row), token }
    },
    async delete(viewer, id, address) {
      await transaction(db, async trx => {
        const row = await trx.deleteFrom('display_token').where('id', '=', id).returning('name').executeTakeFirst()
        if (row === undefined) throw notFound("Ce jeton d'affichage n'existe pas.")
        await audit(trx, entryOf('display-token-delete', viewer, id, address, { name: row.name }), now())
      })
      asked.delete(id)
      onEnd(id)
    },
    async authenticate(token, address): Promise<DisplayCaller | null> {
      const row = await good(token)
      if (row === null) return null
      await used(row, address)
      const site = row.site_id === null ? null : { id: row.site_id, name: row.site_name ?? '' }
      return { displayId: row.id, name: row.name, site }
    },
    async hubIdentity(token) {
      const row = await good(token)
      return row === null ? null : displayIdentity(row.id, row.expires_at)
    },
    async liveUntil(displayIds) {
      if (displayIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('display_token')
        .select(['id', 'expires_at'])
        .where('id', 'in', displayIds)
        .execute()
      return new Map(rows.map(row => [row.id, row.expires_at]))
    },
  }
}

const entryOf = (
  action: 'display-token-create' | 'display-token-delete',
  viewer: Viewer,
  id: number,
  address: string,
  detail: Readonly<Record<string, unknown>>,
) => ({ action, outcome: 'success', actor: viewer.login, address, object: `display-token ${id}`, detail }) as const

const checkSite = async (trx: Db, viewer: Viewer, siteId: number | null): Promise<void> => {
  if (siteId === null) return
  const site = await trx.selectFrom('site').select('id').where('id', '=', siteId).executeTakeFirst()
  if (site === undefined || !seesSite(viewer)(siteId)) throw invalidField('siteId', "Ce site n'existe pas.")
}
