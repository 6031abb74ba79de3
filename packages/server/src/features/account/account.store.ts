import { type Account, type Claim, fold, type OwnAccount, THEMES, type UserGroup } from '@narval/contracts'
import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { type Scope, scopeOf } from './account-scope.ts'
import { ownLimits } from './group-places.ts'
import { type GroupOf, groupsOfAccounts } from './memberships.ts'

/** An account with its claims: own, by its groups, and both together. */
export interface AccountRecord extends Scope {
  readonly id: number
  readonly login: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string
  readonly avatar: string
  readonly passwordHash: string
  readonly passwordExpiresAt: number | null
  readonly firstConnection: boolean
  readonly enabled: boolean
  readonly theme: string
  readonly density: string
  readonly homePage: string
  readonly lastLoginAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly updatedBy: string | null
  readonly ownClaims: readonly string[]
  readonly groups: readonly GroupOf[]
  /** All that was given, also what has no effect on an account that is limited. */
  readonly given: ReadonlySet<string>
}

export const findAccount = async (db: Db, where: { id: number } | { login: string }): Promise<AccountRecord | null> => {
  const base = db.selectFrom('account').selectAll()
  const row = await ('id' in where
    ? base.where('id', '=', where.id)
    : base.where('login_folded', '=', fold(where.login))
  ).executeTakeFirst()
  if (row === undefined) return null
  const own = await db
    .selectFrom('account_claim')
    .select('claim')
    .where('account_id', '=', row.id)
    .orderBy('claim')
    .execute()
  const groups = (await groupsOfAccounts(db, [row.id]))(row.id)
  const ownClaims = own.map(one => one.claim)
  const given = new Set([...ownClaims, ...groups.flatMap(group => group.claims)])
  return {
    id: row.id,
    login: row.login,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    avatar: row.avatar,
    passwordHash: row.password_hash,
    passwordExpiresAt: row.password_expires_at,
    firstConnection: row.first_connection === 1,
    enabled: row.enabled === 1,
    theme: row.theme,
    density: row.density,
    homePage: row.home_page,
    lastLoginAt: row.last_login_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
    ownClaims,
    groups,
    given,
    ...scopeOf(given, ownClaims, groups),
  }
}

const themeOf = (text: string): OwnAccount['theme'] => THEMES.find(theme => theme === text) ?? 'auto'
const entries = (claims: Iterable<string>) => [...claims].map(claim => ({ claim }))

/** What a signed-in account is told of itself. */
export const toOwnAccount = async (db: Db, record: AccountRecord): Promise<OwnAccount> => ({
  ...profileOf(record),
  limited: record.place !== null,
  limits: await ownLimits(db, record.limits),
})

const profileOf = (record: AccountRecord) => ({
  idUser: record.id,
  login: record.login,
  firstName: record.firstName,
  lastName: record.lastName,
  email: record.email,
  phone: record.phone,
  avatar: record.avatar,
  firstConnection: record.firstConnection,
  theme: themeOf(record.theme),
  density: record.density === 'compact' ? ('compact' as const) : ('comfortable' as const),
  homePage: record.homePage,
  claims: entries(record.claims),
})

/** What an account's row does not say: its open sessions, until when attempts on it have to wait (epoch ms), where groups reach. */
export interface AccountNow {
  readonly sessions: number
  readonly lockedUntil: number | null
  readonly secondFactor: boolean
  readonly limitsOf: (groupId: number) => Pick<UserGroup, 'sites' | 'tags'>
}

export const toAccount = (
  record: AccountRecord,
  { sessions, lockedUntil, secondFactor, limitsOf }: AccountNow,
): Account => ({
  ...profileOf(record),
  enabled: record.enabled,
  groups: record.groups.map(({ id, name, claims, place }) => ({
    ...{ id, name, claims: entries(claims), limited: place !== null, ...limitsOf(id) },
  })),
  ownClaims: entries(record.ownClaims),
  limited: record.place !== null,
  lockedUntil: toIsoOrNull(lockedUntil),
  passwordExpiresAt: toIsoOrNull(record.passwordExpiresAt),
  sessions,
  secondFactor,
  lastLoginAt: toIsoOrNull(record.lastLoginAt),
  createdAt: toIso(record.createdAt),
  updatedAt: toIso(record.updatedAt),
  updatedBy: record.updatedBy,
})

export interface NewAccount {
  readonly login: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone?: string
  readonly avatar: string
  readonly passwordHash: string
  /** When a generated password ends; null for a chosen one. */
  readonly passwordExpiresAt?: number | null
  readonly firstConnection: boolean
  readonly groups: readonly number[]
  readonly claims: readonly Claim[]
}

export const insertAccount = async (db: Db, account: NewAccount, by: string | null, nowMs: number): Promise<number> => {
  const row = await db
    .insertInto('account')
    .values({
      login: account.login,
      login_folded: fold(account.login),
      first_name: account.firstName,
      last_name: account.lastName,
      name_folded: fold(`${account.firstName} ${account.lastName}`),
      email: account.email,
      phone: account.phone ?? '',
      avatar: account.avatar,
      password_hash: account.passwordHash,
      first_connection: account.firstConnection ? 1 : 0,
      enabled: 1,
      theme: 'auto',
      home_page: '/dashboard/live-view',
      last_login_at: null,
      password_changed_at: null,
      password_expires_at: account.passwordExpiresAt ?? null,
      notifications_through: 0,
      created_at: nowMs,
      updated_at: nowMs,
      updated_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceGroups(db, row.id, account.groups)
  await replaceClaims(db, row.id, account.claims)
  return row.id
}

export const replaceGroups = async (db: Db, accountId: number, groups: readonly number[]): Promise<void> => {
  await db.deleteFrom('user_group_member').where('account_id', '=', accountId).execute()
  const rows = [...new Set(groups)].map(group_id => ({ group_id, account_id: accountId }))
  if (rows.length > 0) await db.insertInto('user_group_member').values(rows).execute()
}

export const replaceClaims = async (db: Db, accountId: number, claims: readonly Claim[]): Promise<void> => {
  await db.deleteFrom('account_claim').where('account_id', '=', accountId).execute()
  const rows = [...new Set(claims)].map(claim => ({ account_id: accountId, claim }))
  if (rows.length > 0) await db.insertInto('account_claim').values(rows).execute()
}

/** Enabled accounts that hold `admin`, by themselves or by a group: at least one must always be left. */
export const countAdministrators = async (db: Db): Promise<number> => {
  const answer = await sql<{ n: number }>`select count(*) as n from account where enabled = 1 and (
      exists (select 1 from account_claim c where c.account_id = account.id and c.claim = 'admin')
      or exists (select 1 from user_group_member m join user_group_claim c on c.group_id = m.group_id
                 where m.account_id = account.id and c.claim = 'admin'))`.execute(db)
  return Number(answer.rows[0]?.n ?? 0)
}

/** Claims of groups, to check that nobody gives by a group what he does not hold; unknown ids are absent. */
export const groupsById = async (db: Db, ids: readonly number[]): Promise<Map<number, string[]>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_group as g')
    .leftJoin('user_group_claim as held', 'held.group_id', 'g.id')
    .select(['g.id', 'held.claim'])
    .where('g.id', 'in', [...ids])
    .execute()
  return new Map(
    [...Map.groupBy(rows, row => row.id)].map(([id, group]) => [id, group.flatMap(row => row.claim ?? [])]),
  )
}

export const countSessions = async (db: Db, accountId: number): Promise<number> => {
  const row = await db
    .selectFrom('session')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(row?.n ?? 0)
}
