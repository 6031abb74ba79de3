import { CLAIM_TEXTS, CLAIMS, type UserGroup, type UserGroupDetail } from '@narval/contracts'
import { sql } from 'kysely'
import type { ExportColumn } from '../../http/exported.ts'
import type { Db } from '../../store/database.ts'
import { flagFilter, idFilter, type ListSpec, wordFilter } from '../../store/datatable.ts'
import { toIso } from '../../store/time.ts'
import { limitsOfGroups } from './group-places.ts'

export interface GroupRow {
  id: number
  name: string
  description: string
  limited: number
  members: number
  created_at: number
  updated_at: number
  updated_by: string | null
}

const MEMBERS = sql`(select count(*) from user_group_member m where m.group_id = g.id)`
const CLAIM_COUNT = sql`(select count(*) from user_group_claim c where c.group_id = g.id)`

export const groupList: ListSpec = {
  select: sql`g.id, g.name, g.description, g.limited, ${MEMBERS} as members, g.created_at, g.updated_at, g.updated_by`,
  from: sql`user_group g`,
  visible: sql<boolean>`1 = 1`,
  columns: {
    id: { sort: sql`g.id` },
    name: { sort: sql`g.name_folded`, search: sql`g.name_folded` },
    description: { sort: sql`lower(g.description)`, search: sql`lower(g.description)` },
    members: { sort: MEMBERS },
    claims: { sort: CLAIM_COUNT },
    limited: { sort: sql`g.limited` },
    createdAt: { sort: sql`g.created_at` },
    updatedAt: { sort: sql`g.updated_at` },
  },
  filters: {
    id: idFilter(sql`g.id`),
    limited: flagFilter(sql`g.limited`),
    claim: value =>
      sql<boolean>`g.id in (select c.group_id from user_group_claim c
        where ${wordFilter(sql`c.claim`, new Map(CLAIMS.map(claim => [claim, claim])))(value)})`,
    memberId: value =>
      sql<boolean>`g.id in (select m.group_id from user_group_member m where ${idFilter(sql`m.account_id`)(value)})`,
  },
  order: sql`g.name_folded`,
  tie: sql`g.id`,
}

/** Rows of the list with their claims, sites and tags. */
export const toGroups = async (db: Db, rows: readonly GroupRow[]): Promise<UserGroup[]> => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const claims = await db.selectFrom('user_group_claim').selectAll().where('group_id', 'in', ids).execute()
  const limits = await limitsOfGroups(db, ids)
  const claimsOf = Map.groupBy(claims, one => one.group_id)
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    description: row.description,
    claims: CLAIMS.filter(claim => claimsOf.get(row.id)?.some(one => one.claim === claim)).map(claim => ({ claim })),
    members: Number(row.members),
    limited: row.limited === 1,
    ...limits(row.id),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }))
}

export const membersOf = async (db: Db, id: number): Promise<UserGroupDetail['memberList']> => {
  const rows = await db
    .selectFrom('user_group_member as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['a.id', 'a.login', 'a.first_name', 'a.last_name', 'a.enabled'])
    .where('m.group_id', '=', id)
    .orderBy('a.login_folded')
    .execute()
  return rows.map(row => ({
    idUser: row.id,
    login: row.login,
    name: `${row.first_name} ${row.last_name}`.trim(),
    enabled: row.enabled === 1,
  }))
}

/** Columns of groups as a file. */
export const GROUP_COLUMNS: readonly ExportColumn<UserGroup>[] = [
  { header: 'Groupe', cell: group => group.name },
  { header: 'Description', cell: group => group.description },
  { header: 'Membres', cell: group => group.members },
  {
    header: 'Droits',
    cell: group =>
      CLAIMS.filter(claim => group.claims.some(one => one.claim === claim))
        .map(claim => CLAIM_TEXTS[claim].label)
        .join(', '),
  },
  { header: 'Limité', cell: group => (group.limited ? 'oui' : 'non') },
  { header: 'Sites', cell: group => group.sites.map(site => site.name).join(', ') },
  { header: 'Étiquettes', cell: group => group.tags.join(', ') },
  { header: 'Modifié le', cell: group => group.updatedAt },
  { header: 'Modifié par', cell: group => group.updatedBy },
]
