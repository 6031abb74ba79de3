import type { Db } from './database.ts'

/** Where somebody can be reached. */
export interface Person {
  readonly id: number
  readonly login: string
  /** The login where no name was given. */
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly enabled: boolean
}

/** Null when the account is gone. */
export const personOf = async (db: Db, id: number): Promise<Person | null> => {
  const row = await db
    .selectFrom('account')
    .select(['id', 'login', 'first_name', 'last_name', 'email', 'phone', 'enabled'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const name = `${row.first_name} ${row.last_name}`.trim()
  const { login, email, phone } = row
  return { id: row.id, login, name: name || login, email, phone, enabled: row.enabled === 1 }
}

/** Accounts that are told of what no rule covers: those that manage notifications. */
export const notificationManagers = async (db: Db): Promise<number[]> => {
  const claims = ['admin', 'notification_write']
  const own = await db.selectFrom('account_claim').select('account_id as id').where('claim', 'in', claims).execute()
  const byGroup = await db
    .selectFrom('user_group_member as member')
    .innerJoin('user_group_claim as held', 'held.group_id', 'member.group_id')
    .select('member.account_id as id')
    .where('held.claim', 'in', claims)
    .execute()
  const ids = [...new Set([...own, ...byGroup].map(row => row.id))]
  if (ids.length === 0) return []
  const rows = await db.selectFrom('account').select('id').where('id', 'in', ids).where('enabled', '=', 1).execute()
  return rows.map(row => row.id)
}
