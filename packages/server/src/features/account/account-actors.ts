import { type Claim, fold } from '@narval/contracts'
import type { Actor, Actors } from '../../actors.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { scopeOf } from './account-scope.ts'
import { groupsOfAccounts } from './memberships.ts'

interface Row {
  readonly id: number
  readonly login: string
  readonly login_folded: string
  readonly first_name: string
  readonly last_name: string
  readonly enabled: number
  readonly first_connection: number
}

/** Accounts with where they hold a claim: four questions, whatever their number. */
export const createActors = ({ db }: Database, claim: Claim): Actors => ({
  async among(logins) {
    const found = new Map<string, Actor>()
    for (const some of batches([...new Set(logins.map(fold))])) {
      const rows = await accounts(db).where('login_folded', 'in', some).execute()
      for (const [folded, actor] of await actorsOf(db, rows, claim)) found.set(folded, actor)
    }
    return found
  },
  async able() {
    const rows = await accounts(db).where('enabled', '=', 1).where('first_connection', '=', 0).execute()
    const found: Actor[] = []
    for (const some of batches(rows)) for (const actor of (await actorsOf(db, some, claim)).values()) found.push(actor)
    return found.filter(({ acts }) => acts === 'all' || (acts !== 'none' && acts.sites.size + acts.tags.size > 0))
  },
})

const accounts = (db: Db) =>
  db
    .selectFrom('account')
    .select(['id', 'login', 'login_folded', 'first_name', 'last_name', 'enabled', 'first_connection'])
    .orderBy('name_folded')
    .orderBy('login_folded')

const actorsOf = async (db: Db, rows: readonly Row[], claim: Claim): Promise<Map<string, Actor>> => {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const own = await db.selectFrom('account_claim').selectAll().where('account_id', 'in', ids).execute()
  const groupsOf = await groupsOfAccounts(db, ids)
  const ownOf = Map.groupBy(own, one => one.account_id)
  return new Map(
    rows.map(row => {
      const ownClaims = (ownOf.get(row.id) ?? []).map(one => one.claim)
      const groups = groupsOf(row.id)
      const given = new Set([...ownClaims, ...groups.flatMap(group => group.claims)])
      const { claims, place, limits } = scopeOf(given, ownClaims, groups)
      const holds = claims.has(claim) || claims.has('admin')
      const actor: Actor = {
        login: row.login,
        name: `${row.first_name} ${row.last_name}`.trim() || row.login,
        enabled: row.enabled === 1,
        firstConnection: row.first_connection === 1,
        acts: holds ? (limits.get(claim) ?? place ?? 'all') : 'none',
      }
      return [row.login_folded, actor]
    }),
  )
}
