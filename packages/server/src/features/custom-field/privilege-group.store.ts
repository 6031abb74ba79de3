import type { PrivilegeGroup } from '@narval/contracts'
import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'

interface GroupRow {
  id: number
  name: string
  description: string
  admin: number
  members: number
  created_at: number
  updated_at: number
  updated_by: string | null
}

/** User groups by name: all, or the one of an id. */
export const readPrivilegeGroups = async (db: Db, id?: number): Promise<PrivilegeGroup[]> => {
  const where = id === undefined ? sql<boolean>`1 = 1` : sql<boolean>`g.id = ${id}`
  const answer = await sql<GroupRow>`select g.id, g.name, g.description, g.created_at, g.updated_at, g.updated_by,
    (select count(*) from user_group_claim c where c.group_id = g.id and c.claim = 'admin') as admin,
    (select count(*) from user_group_member m where m.group_id = g.id) as members
    from user_group g where ${where} order by g.name_folded, g.id`.execute(db)
  return answer.rows.map(row => ({
    id: row.id,
    name: row.name,
    description: row.description,
    admin: Number(row.admin) > 0,
    members: Number(row.members),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }))
}

export const claimsOfGroup = async (db: Db, id: number): Promise<string[]> =>
  (await db.selectFrom('user_group_claim').select('claim').where('group_id', '=', id).execute()).map(row => row.claim)

export interface Member {
  readonly idUser: number
  readonly login: string
  readonly name: string
}
export const membersOf = async (db: Db, id: number): Promise<Member[]> => {
  const rows = await db
    .selectFrom('user_group_member as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['a.id', 'a.login', 'a.first_name', 'a.last_name'])
    .where('m.group_id', '=', id)
    .orderBy('a.login_folded')
    .execute()
  return rows.map(row => ({ idUser: row.id, login: row.login, name: `${row.first_name} ${row.last_name}`.trim() }))
}

/** Whether some enabled account still holds `admin`, by itself or by a group. */
export const hasAdministrator = async (db: Db): Promise<boolean> => {
  const answer = await sql<{ n: number }>`select count(*) as n from account a where a.enabled = 1 and (
    a.id in (select account_id from account_claim where claim = 'admin') or a.id in (select m.account_id
      from user_group_member m join user_group_claim c on c.group_id = m.group_id where c.claim = 'admin'))`.execute(db)
  return Number(answer.rows[0]?.n ?? 0) > 0
}
