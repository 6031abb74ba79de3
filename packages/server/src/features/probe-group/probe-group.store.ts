import { fold, type ProbeGroupInput } from '@narval/contracts'
import type { Db } from '../../store/database.ts'

export interface GroupRow {
  readonly id: number
  readonly name: string
  readonly memberIds: number[]
  readonly createdMs: number
  readonly updatedMs: number
  readonly updatedBy: string | null
}

/** All groups by name, or the one with this id; members by rank. */
export const readGroups = async (db: Db, id?: number): Promise<GroupRow[]> => {
  const groups = await db
    .selectFrom('probe_group')
    .selectAll()
    .$if(id !== undefined, query => query.where('id', '=', id ?? 0))
    .orderBy('name_folded')
    .execute()
  const members = await db.selectFrom('probe_group_member').selectAll().orderBy('position').execute()
  return groups.map(row => ({
    id: row.id,
    name: row.name,
    memberIds: members.filter(member => member.group_id === row.id).map(member => member.probe_id),
    createdMs: row.created_at,
    updatedMs: row.updated_at,
    updatedBy: row.updated_by,
  }))
}

export const insertGroup = async (trx: Db, { name, memberIds }: ProbeGroupInput, by: string, nowMs: number) => {
  const { id } = await trx
    .insertInto('probe_group')
    .values({ name, name_folded: fold(name), created_at: nowMs, updated_at: nowMs, updated_by: by })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setMembers(trx, id, memberIds)
  return id
}

export const updateGroup = async (
  trx: Db,
  id: number,
  { name, memberIds }: ProbeGroupInput,
  by: string,
  nowMs: number,
) => {
  await trx
    .updateTable('probe_group')
    .set({ name, name_folded: fold(name), updated_at: nowMs, updated_by: by })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('probe_group_member').where('group_id', '=', id).execute()
  await setMembers(trx, id, memberIds)
}

const setMembers = async (trx: Db, id: number, memberIds: readonly number[]): Promise<void> => {
  if (memberIds.length === 0) return
  await trx
    .insertInto('probe_group_member')
    .values(memberIds.map((probe_id, position) => ({ group_id: id, probe_id, position })))
    .execute()
}

/** Of these probes, those that exist, with the other group that each is in. */
export const findProbes = async (trx: Db, ids: readonly number[], exceptGroup: number) =>
  ids.length === 0
    ? []
    : trx
        .selectFrom('probe')
        .leftJoin('probe_group_member as held', join =>
          join.onRef('held.probe_id', '=', 'probe.id').on('held.group_id', '!=', exceptGroup),
        )
        .leftJoin('probe_group as other', 'other.id', 'held.group_id')
        .select(['probe.id', 'probe.name', 'other.name as otherGroup'])
        .where('probe.id', 'in', [...ids])
        .execute()
