import type { PrivilegeCell, PrivilegeGroup, PrivilegeLevel, PrivilegeMatrix } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { levelOf } from '../../store/field-access.ts'
import { transaction } from '../../store/transaction.ts'
import { readPrivilegeGroups } from './privilege-group.store.ts'

export interface PrivilegeDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
}

export const createPrivilegeService = ({ database, now, changes }: PrivilegeDeps) => {
  const { db } = database
  return {
    matrix: () => readMatrix(db),
    /** Writes the cells given, all or none; a cell of a field with `level` null follows its group again. */
    async set(viewer: Viewer, cells: readonly PrivilegeCell[]): Promise<PrivilegeMatrix> {
      await transaction(db, async trx => {
        const names = await namesOf(trx)
        const before = await readCells(trx)
        cells.forEach(cell => {
          checkCell(cell, names)
        })
        for (const cell of cells) await writeCell(trx, cell)
        const after = await readCells(trx)
        const said = (held: ReadonlyMap<string, PrivilegeLevel>) =>
          Object.fromEntries(cells.map(cell => [nameOf(cell, names), held.get(keyOf(cell)) ?? null]))
        await auditChange(
          trx,
          {
            action: 'field-privilege-update',
            actor: viewer.login,
            object: 'field-privilege',
            name: '',
            before: said(before),
            after: said(after),
          },
          now(),
        )
      })
      changes.emit({ entity: 'custom-field', ids: [], action: 'updated' })
      return readMatrix(db)
    },
  }
}
export type PrivilegeService = ReturnType<typeof createPrivilegeService>

/** Every user group with each group of fields, and the fields that have a cell of their own. */
const readMatrix = async (db: Db): Promise<PrivilegeMatrix> => {
  const userGroups: PrivilegeGroup[] = await readPrivilegeGroups(db)
  const groups = await db.selectFrom('field_group').select('id').orderBy('position').orderBy('id').execute()
  const cells = await db.selectFrom('field_privilege').selectAll().execute()
  const held = new Map(cells.map(cell => [`${cell.user_group_id} ${cell.field_group_id}`, cell.level]))
  const overrides = await db
    .selectFrom('field_privilege_override')
    .selectAll()
    .orderBy('user_group_id')
    .orderBy('definition_id')
    .execute()
  return {
    userGroups,
    cells: [
      ...userGroups.flatMap(userGroup =>
        groups.map(({ id }) => ({
          userGroupId: userGroup.id,
          groupId: id,
          definitionId: null,
          level: levelOf(held.get(`${userGroup.id} ${id}`) ?? null),
        })),
      ),
      ...overrides.map(cell => ({
        userGroupId: cell.user_group_id,
        groupId: null,
        definitionId: cell.definition_id,
        level: levelOf(cell.level),
      })),
    ],
  }
}

interface Names {
  readonly userGroups: ReadonlyMap<number, string>
  readonly groups: ReadonlyMap<number, string>
  readonly definitions: ReadonlyMap<number, string>
}
const namesOf = async (db: Db): Promise<Names> => {
  const byId = (rows: readonly { id: number; name: string }[]) => new Map(rows.map(row => [row.id, row.name]))
  return {
    userGroups: byId(await db.selectFrom('user_group').select(['id', 'name']).execute()),
    groups: byId(await db.selectFrom('field_group').select(['id', 'name']).execute()),
    definitions: byId(await db.selectFrom('field_definition').select(['id', 'label as name']).execute()),
  }
}

const keyOf = ({ userGroupId, groupId, definitionId }: PrivilegeCell): string =>
  `${userGroupId} ${groupId === null ? `field ${definitionId}` : `group ${groupId}`}`
const nameOf = ({ userGroupId, groupId, definitionId }: PrivilegeCell, names: Names): string => {
  const column = groupId === null ? names.definitions.get(definitionId ?? 0) : names.groups.get(groupId)
  return `${names.userGroups.get(userGroupId) ?? ''} / ${column ?? ''}`
}

const checkCell = (cell: PrivilegeCell, names: Names): void => {
  if ((cell.groupId === null) === (cell.definitionId === null))
    throw invalid(['Une case est celle d’un groupe de champs, ou celle d’un champ.'])
  if (cell.groupId !== null && cell.level === null)
    throw invalid(['La case d’un groupe de champs a toujours un niveau.'])
  const exists =
    names.userGroups.has(cell.userGroupId) &&
    (cell.groupId === null ? names.definitions.has(cell.definitionId ?? 0) : names.groups.has(cell.groupId))
  if (!exists) throw invalid(['Une de ces cases n’existe pas.'])
}

const readCells = async (db: Db): Promise<ReadonlyMap<string, PrivilegeLevel>> => {
  const groups = await db.selectFrom('field_privilege').selectAll().execute()
  const fields = await db.selectFrom('field_privilege_override').selectAll().execute()
  return new Map([
    ...groups.map(row => [`${row.user_group_id} group ${row.field_group_id}`, levelOf(row.level)] as const),
    ...fields.map(row => [`${row.user_group_id} field ${row.definition_id}`, levelOf(row.level)] as const),
  ])
}

const writeCell = async (trx: Db, { userGroupId, groupId, definitionId, level }: PrivilegeCell): Promise<void> => {
  if (groupId !== null && level !== null) {
    await trx
      .insertInto('field_privilege')
      .values({ user_group_id: userGroupId, field_group_id: groupId, level })
      .onConflict(conflict => conflict.columns(['user_group_id', 'field_group_id']).doUpdateSet({ level }))
      .execute()
    return
  }
  if (definitionId === null) return
  if (level === null) {
    await trx
      .deleteFrom('field_privilege_override')
      .where('user_group_id', '=', userGroupId)
      .where('definition_id', '=', definitionId)
      .execute()
    return
  }
  await trx
    .insertInto('field_privilege_override')
    .values({ user_group_id: userGroupId, definition_id: definitionId, level })
    .onConflict(conflict => conflict.columns(['user_group_id', 'definition_id']).doUpdateSet({ level }))
    .execute()
}
