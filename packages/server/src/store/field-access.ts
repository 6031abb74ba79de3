import { type FieldScope, PRIVILEGE_LEVELS, type PrivilegeLevel } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../http/caller.ts'
import type { Database } from './database.ts'
import { definitionsOf, type FieldDef } from './field-definitions.ts'

/** A field that a viewer may read, and whether he may write it. */
export interface FieldAccess {
  readonly definition: FieldDef
  readonly level: 'read' | 'write'
}

type Levels = ReadonlyMap<number, PrivilegeLevel>
const known = new WeakMap<Database, { readonly at: number; readonly levels: Map<number, Levels> }>()

/**
 * The fields that a viewer may read, in their order: what is not here does not exist for him, wherever he asks. `admin`
 * writes all; any other has the highest level of his user groups, a field's own before its group's. Nothing for `system`,
 * which answers whoever made a change. An API token without `admin` has what its owner's groups have.
 */
export const fieldsFor = async (
  database: Database,
  viewer: Viewer | 'system',
  scope?: FieldScope,
): Promise<FieldAccess[]> => {
  if (viewer === 'system') return []
  const definitions = (await definitionsOf(database)).filter(one => scope === undefined || one.scope === scope)
  if (definitions.length === 0) return []
  if (viewer.claims.has('admin')) return definitions.map(definition => ({ definition, level: 'write' }))
  const levels = await levelsOf(database, viewer.userId)
  return definitions.flatMap(definition => {
    const level = levels.get(definition.id) ?? 'none'
    return level === 'none' ? [] : [{ definition, level }]
  })
}

const levelsOf = async (database: Database, accountId: number): Promise<Levels> => {
  const at = database.writes()
  const held = known.get(database)
  const here = held?.at === at ? held : { at, levels: new Map<number, Levels>() }
  if (here !== held) known.set(database, here)
  const found = here.levels.get(accountId) ?? (await readLevels(database, accountId))
  here.levels.set(accountId, found)
  return found
}

const readLevels = async (database: Database, accountId: number): Promise<Levels> => {
  const answer = await sql<{ id: number; level: string | null }>`select d.id, coalesce(o.level, p.level) as level
    from user_group_member m cross join field_definition d
    left join field_privilege p on p.user_group_id = m.group_id and p.field_group_id = d.group_id
    left join field_privilege_override o on o.user_group_id = m.group_id and o.definition_id = d.id
    where m.account_id = ${accountId}`.execute(database.db)
  const levels = new Map<number, PrivilegeLevel>()
  for (const { id, level } of answer.rows) levels.set(id, highest(levels.get(id) ?? 'none', levelOf(level)))
  return levels
}

export const levelOf = (text: string | null): PrivilegeLevel => PRIVILEGE_LEVELS.find(level => level === text) ?? 'none'
export const highest = (a: PrivilegeLevel, b: PrivilegeLevel): PrivilegeLevel =>
  PRIVILEGE_LEVELS.indexOf(a) >= PRIVILEGE_LEVELS.indexOf(b) ? a : b
