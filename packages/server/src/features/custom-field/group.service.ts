import { type FieldGroup, fold, grants } from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound, stale } from '../../http/refusal.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { fieldsFor } from '../../store/field-access.ts'
import { requireFreeName } from '../../store/names.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { sameSet } from './definition.service.ts'

export interface GroupDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
}

/** Claims whose holders fill in records: their groups write the fields of a new group from the start. */
const WRITERS = ['admin', 'host_write', 'site_write']

export const createGroupService = ({ database, now, changes }: GroupDeps) => {
  const { db } = database
  const get = async (id: number, within: Db = db): Promise<FieldGroup> => {
    const [group] = await readGroups(within, id)
    if (group === undefined) throw notFound("Ce groupe de champs n'existe pas.")
    return group
  }
  const recorded = (trx: Db, viewer: Viewer, before: FieldGroup | null, after: FieldGroup | null) => {
    const one = after ?? before
    return auditChange(
      trx,
      {
        action: before === null ? 'field-group-create' : after === null ? 'field-group-delete' : 'field-group-update',
        actor: viewer.login,
        object: `field-group ${one?.id ?? 0}`,
        name: one?.name ?? '',
        before: before === null ? null : { name: before.name },
        after: after === null ? null : { name: after.name },
      },
      now(),
    )
  }
  const told = (id: number, action: 'created' | 'updated' | 'deleted') =>
    changes.emit({ entity: 'custom-field', ids: [id], action })

  return {
    /** Groups with a field that the viewer may read; all of them for who defines fields. */
    async list(viewer: Viewer): Promise<FieldGroup[]> {
      const groups = await readGroups(db)
      return grants(viewer.claims, 'custom_field_write')
        ? groups
        : readableGroups(
            groups,
            (await fieldsFor(database, viewer)).map(one => one.definition),
          )
    },
    async create(viewer: Viewer, { name }: { name: string }): Promise<FieldGroup> {
      const made = await transaction(db, async trx => {
        await checkFree(trx, name, 0)
        const last = await trx
          .selectFrom('field_group')
          .select(eb => eb.fn.max('position').as('position'))
          .executeTakeFirst()
        const row = await trx
          .insertInto('field_group')
          .values({
            name,
            name_folded: fold(name),
            position: Number(last?.position ?? -1) + 1,
            created_at: now(),
            updated_at: now(),
            updated_by: viewer.login,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await fillCells(trx, row.id)
        const after = await get(row.id, trx)
        await recorded(trx, viewer, null, after)
        return after
      })
      told(made.id, 'created')
      return made
    },
    async update(viewer: Viewer, id: number, { name, updatedAt }: { name: string; updatedAt: string }) {
      const after = await transaction(db, async trx => {
        const before = await get(id, trx)
        if (fromIso(before.updatedAt) !== fromIso(updatedAt)) throw stale(before, before.updatedBy)
        await checkFree(trx, name, id)
        await trx
          .updateTable('field_group')
          .set({
            name,
            name_folded: fold(name),
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .execute()
        const renamed = await get(id, trx)
        await recorded(trx, viewer, before, renamed)
        return renamed
      })
      told(id, 'updated')
      return after
    },
    async order(viewer: Viewer, ids: readonly number[]): Promise<FieldGroup[]> {
      await transaction(db, async trx => {
        const held = await readGroups(trx)
        sameSet(
          held.map(one => one.id),
          ids,
        )
        for (const [position, id] of ids.entries())
          await trx.updateTable('field_group').set({ position }).where('id', '=', id).execute()
        await auditChange(
          trx,
          {
            action: 'field-group-update',
            actor: viewer.login,
            object: 'field-group',
            name: '',
            before: { order: held.map(one => one.name) },
            after: { order: ids.map(id => held.find(one => one.id === id)?.name) },
          },
          now(),
        )
      })
      changes.emit({ entity: 'custom-field', ids, action: 'updated' })
      return readGroups(db)
    },
    async delete(viewer: Viewer, id: number) {
      await transaction(db, async trx => {
        const before = await get(id, trx)
        if (before.definitions > 0)
          throw conflict(
            `Ce groupe a encore ${before.definitions} champ${before.definitions > 1 ? 's' : ''} : déplacez-les ou supprimez-les d'abord.`,
          )
        await trx.deleteFrom('field_group').where('id', '=', id).execute()
        await recorded(trx, viewer, before, null)
      })
      told(id, 'deleted')
      return { deleted: true }
    },
  }
}
export type GroupService = ReturnType<typeof createGroupService>

interface GroupRow {
  id: number
  name: string
  position: number
  created_at: number
  updated_at: number
  updated_by: string | null
  definitions: number
}

/** Groups of fields in their order: all, or the one of an id. */
export const readGroups = async (db: Db, id?: number): Promise<FieldGroup[]> => {
  const where = id === undefined ? sql<boolean>`1 = 1` : sql<boolean>`g.id = ${id}`
  const answer = await sql<GroupRow>`select g.id, g.name, g.position, g.created_at, g.updated_at, g.updated_by,
    (select count(*) from field_definition d where d.group_id = g.id) as definitions
    from field_group g where ${where} order by g.position, g.id`.execute(db)
  return answer.rows.map(row => ({
    id: row.id,
    name: row.name,
    position: row.position,
    definitions: Number(row.definitions),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }))
}

/** Groups that have one of these fields, counting only these: what one can't read is not told by a number either. */
export const readableGroups = (
  groups: readonly FieldGroup[],
  fields: readonly { readonly groupId: number }[],
): FieldGroup[] =>
  groups.flatMap(group => {
    const definitions = fields.filter(one => one.groupId === group.id).length
    return definitions === 0 ? [] : [{ ...group, definitions }]
  })

const checkFree = (trx: Db, name: string, except: number): Promise<void> =>
  requireFreeName(trx, 'field_group', name, except, () => `Le groupe « ${name} » existe déjà.`)

/** Every user group of now reads the fields of a new group, and those who fill in records write them; later ones start at none. */
const fillCells = async (trx: Db, groupId: number): Promise<void> => {
  const groups = await trx.selectFrom('user_group').select('id').execute()
  const writers = await trx.selectFrom('user_group_claim').select('group_id').where('claim', 'in', WRITERS).execute()
  const write = new Set(writers.map(row => row.group_id))
  if (groups.length === 0) return
  await trx
    .insertInto('field_privilege')
    .values(
      groups.map(({ id }) => ({
        user_group_id: id,
        field_group_id: groupId,
        level: write.has(id) ? 'write' : 'read',
      })),
    )
    .execute()
}
