import { type AccountRow, CLAIMS, fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { ExportColumn } from '../../http/exported.ts'
import type { Db } from '../../store/database.ts'
import { flagFilter, flagOf, idFilter, type ListSpec, wordFilter } from '../../store/datatable.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { scopeOf } from './account-scope.ts'
import { type GroupOf, groupsOfAccounts } from './memberships.ts'

export interface AccountListRow {
  id: number
  login: string
  first_name: string
  last_name: string
  email: string
  avatar: string
  enabled: number
  first_connection: number
  sessions: number
  last_login_at: number | null
  created_at: number
  updated_at: number
}

const SESSIONS = sql`(select count(*) from session s where s.account_id = account.id and s.ended_at is null)`
const GROUPS = sql`(select count(*) from user_group_member m where m.account_id = account.id)`
const CLAIM_COUNT = sql`(select count(distinct held.claim) from (select account_id, claim from account_claim
  union select m.account_id, c.claim from user_group_member m join user_group_claim c on c.group_id = m.group_id) held
  where held.account_id = account.id)`
/** Accounts that hold a claim, by themselves or by a group. */
const holds = (claim: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`(exists (select 1 from account_claim held where held.account_id = account.id and ${claim})
    or exists (select 1 from user_group_member m join user_group_claim held on held.group_id = m.group_id
      where m.account_id = account.id and ${claim}))`
const CLAIM_WORDS = new Map(CLAIMS.map(claim => [claim, claim]))

/** `locked`: folded logins of which attempts have to wait now. */
export const accountList = (locked: readonly string[]): ListSpec => {
  const isLocked =
    locked.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`account.login_folded in (${sql.join(locked)})`
  return {
    select: sql`account.id, account.login, account.first_name, account.last_name, account.email, account.avatar, account.enabled,
      account.first_connection, ${SESSIONS} as sessions, account.last_login_at, account.created_at, account.updated_at`,
    from: sql`account`,
    visible: sql<boolean>`1 = 1`,
    columns: {
      idUser: { sort: sql`account.id` },
      login: { sort: sql`account.login_folded`, search: sql`account.login_folded` },
      firstName: { sort: sql`account.name_folded`, search: sql`account.name_folded` },
      lastName: { sort: sql`account.name_folded`, search: sql`account.name_folded` },
      email: { sort: sql`account.email`, search: sql`account.email` },
      enabled: { sort: sql`account.enabled` },
      firstConnection: { sort: sql`account.first_connection` },
      groups: { sort: GROUPS },
      claims: { sort: CLAIM_COUNT },
      sessions: { sort: SESSIONS },
      lastLoginAt: { sort: sql`account.last_login_at` },
      createdAt: { sort: sql`account.created_at` },
      updatedAt: { sort: sql`account.updated_at` },
    },
    filters: {
      id: idFilter(sql`account.id`),
      enabled: flagFilter(sql`account.enabled`),
      firstConnection: flagFilter(sql`account.first_connection`),
      locked: value => (flagOf(value) ? isLocked : sql<boolean>`not ${isLocked}`),
      groupId: value =>
        sql<boolean>`account.id in (select m.account_id from user_group_member m where ${idFilter(sql`m.group_id`)(value)})`,
      claim: value => holds(wordFilter(sql`held.claim`, CLAIM_WORDS)(value)),
    },
    order: sql`account.login_folded`,
    tie: sql`account.id`,
  }
}

/** Rows of the list with what their groups and claims are: two questions for a page, whatever its length. */
export const toAccountRows = async (
  db: Db,
  rows: readonly AccountListRow[],
  locked: ReadonlyMap<string, number>,
): Promise<AccountRow[]> => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const own = await db.selectFrom('account_claim').selectAll().where('account_id', 'in', ids).execute()
  const groupsOf = await groupsOfAccounts(db, ids)
  const ownOf = Map.groupBy(own, one => one.account_id)
  return rows.map(row =>
    toAccountRow(
      row,
      (ownOf.get(row.id) ?? []).map(one => one.claim),
      groupsOf(row.id),
      locked,
    ),
  )
}

const toAccountRow = (
  row: AccountListRow,
  own: readonly string[],
  groups: readonly GroupOf[],
  locked: ReadonlyMap<string, number>,
): AccountRow => {
  const given = new Set([...own, ...groups.flatMap(group => group.claims)])
  const { claims, place } = scopeOf(given, own, groups)
  return {
    idUser: row.id,
    login: row.login,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    avatar: row.avatar,
    enabled: row.enabled === 1,
    firstConnection: row.first_connection === 1,
    admin: given.has('admin'),
    limited: place !== null,
    lockedUntil: toIsoOrNull(locked.get(fold(row.login)) ?? null),
    groups: groups.map(group => group.name).join(', '),
    claims: given.has('admin') ? CLAIMS.length : claims.size,
    sessions: Number(row.sessions),
    lastLoginAt: toIsoOrNull(row.last_login_at),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}

const yes = (value: boolean): string => (value ? 'oui' : 'non')
/** Columns of accounts as a file. */
export const ACCOUNT_COLUMNS: readonly ExportColumn<AccountRow>[] = [
  { header: 'Compte', cell: row => row.login },
  { header: 'Prénom', cell: row => row.firstName },
  { header: 'Nom', cell: row => row.lastName },
  { header: 'E-mail', cell: row => row.email },
  { header: 'Actif', cell: row => yes(row.enabled) },
  { header: 'Première connexion à faire', cell: row => yes(row.firstConnection) },
  { header: 'Verrouillé jusqu’au', cell: row => row.lockedUntil },
  { header: 'Groupes', cell: row => row.groups },
  { header: 'Administrateur', cell: row => yes(row.admin) },
  { header: 'Nombre de droits', cell: row => row.claims },
  { header: 'Limité', cell: row => yes(row.limited) },
  { header: 'Sessions ouvertes', cell: row => row.sessions },
  { header: 'Dernière connexion', cell: row => row.lastLoginAt },
  { header: 'Créé le', cell: row => row.createdAt },
  { header: 'Modifié le', cell: row => row.updatedAt },
]
