import { type NotificationRuleInput, notificationRuleBody } from '@narval/contracts'
import type { Db } from './database.ts'

/** A rule as it is kept. */
export interface StoredRule extends NotificationRuleInput {
  readonly id: number
  readonly position: number
  readonly createdMs: number
  readonly updatedMs: number
  readonly updatedBy: string | null
}

/** All rules in their order, or the one with this id. */
export const readRules = async (db: Db, id?: number): Promise<StoredRule[]> => {
  const rows = await db
    .selectFrom('notification_rule')
    .selectAll()
    .$if(id !== undefined, query => query.where('id', '=', id ?? 0))
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    ...notificationRuleBody.parse({ ...JSON.parse(row.settings), name: row.name, enabled: row.enabled === 1 }),
    ...{ id: row.id, position: row.position, createdMs: row.created_at, updatedMs: row.updated_at },
    updatedBy: row.updated_by,
  }))
}

/** Whom and by what a rule may reach. */
export interface People {
  readonly accounts: ReadonlyMap<number, Person>
  readonly groups: ReadonlyMap<number, { readonly id: number; readonly name: string; readonly memberIds: number[] }>
  readonly channels: ReadonlyMap<
    number,
    { readonly id: number; readonly name: string; readonly kind: string; readonly enabled: boolean }
  >
}
export interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly enabled: boolean
}

export const readPeople = async (db: Db): Promise<People> => {
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'login', 'first_name', 'last_name', 'email', 'phone', 'enabled'])
    .orderBy('name_folded')
    .execute()
  const groups = await db.selectFrom('user_group').select(['id', 'name']).orderBy('name_folded').execute()
  const members = await db.selectFrom('user_group_member').selectAll().execute()
  const channels = await db
    .selectFrom('notification_channel')
    .select(['id', 'name', 'kind', 'enabled'])
    .orderBy('name_folded')
    .execute()
  const byGroup = Map.groupBy(members, ({ group_id }) => group_id)
  return {
    accounts: new Map(
      accounts.map(row => {
        const name = `${row.first_name} ${row.last_name}`.trim() || row.login
        return [row.id, { id: row.id, name, email: row.email, phone: row.phone, enabled: row.enabled === 1 }]
      }),
    ),
    groups: new Map(
      groups.map(row => [row.id, { ...row, memberIds: (byGroup.get(row.id) ?? []).map(one => one.account_id) }]),
    ),
    channels: new Map(channels.map(row => [row.id, { ...row, enabled: row.enabled === 1 }])),
  }
}

/** The site above each site; null: none. */
export const readSiteParents = async (db: Db): Promise<Map<number, number | null>> =>
  new Map((await db.selectFrom('site').select(['id', 'parent_id']).execute()).map(row => [row.id, row.parent_id]))
