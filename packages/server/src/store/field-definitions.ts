import { FIELD_SCOPES, FIELD_TYPES, type FieldDefinition, type FieldScope, type FieldType } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db } from './database.ts'
import { toIso } from './time.ts'

/** A definition as the server works with it: all of the wire's but how many records have a value. */
export type FieldDef = Omit<FieldDefinition, 'values'>

/** Definitions that one platform may have: each is a column of a list and a line of the matrix. */
export const FIELD_MAX = 500

export interface FieldDefinitionRow {
  id: number
  key: string
  label: string
  help: string
  type: string
  unit: string
  default_value: string
  required: number
  regex: string
  min_value: number | null
  max_value: number | null
  choices: string
  group_id: number
  group_name: string
  position: number
  scope: string
  types: string
  created_at: number
  updated_at: number
  updated_by: string | null
}

export const DEFINITION_COLUMNS = sql`d.id, d.key, d.label, d.help, d.type, d.unit, d.default_value, d.required, d.regex, d.min_value, d.max_value,
  d.choices, d.group_id, g.name as group_name, d.position, d.scope, d.types, d.created_at, d.updated_at, d.updated_by`

/** Definitions in the order of their groups, then their own. */
export const readDefinitions = async (
  db: Db,
  where: RawBuilder<boolean> = sql<boolean>`1 = 1`,
): Promise<readonly FieldDef[]> => {
  const answer = await sql<FieldDefinitionRow>`select ${DEFINITION_COLUMNS}
    from field_definition d join field_group g on g.id = d.group_id where ${where}
    order by g.position, g.id, d.position, d.id`.execute(db)
  return answer.rows.map(toFieldDef)
}

export const toFieldDef = (row: FieldDefinitionRow): FieldDef => ({
  id: row.id,
  key: row.key,
  label: row.label,
  help: row.help,
  type: typeOf(row.type),
  unit: row.unit,
  defaultValue: row.default_value,
  required: row.required === 1,
  regex: row.regex,
  min: row.min_value,
  max: row.max_value,
  choices: listOf(row.choices).map(String),
  groupId: row.group_id,
  groupName: row.group_name,
  position: row.position,
  scope: scopeOf(row.scope),
  types: listOf(row.types).map(Number),
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
  updatedBy: row.updated_by,
})

const typeOf = (text: string): FieldType => FIELD_TYPES.find(type => type === text) ?? 'text'
const scopeOf = (text: string): FieldScope => FIELD_SCOPES.find(scope => scope === text) ?? 'host'
const listOf = (text: string): unknown[] => {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list : []
}

const known = new WeakMap<Database, { readonly at: number; readonly definitions: readonly FieldDef[] }>()

/** The same, kept until anything is written: lists ask at each page. Not for use in a transaction. */
export const definitionsOf = async (database: Database): Promise<readonly FieldDef[]> => {
  // Read before asking: what is written meanwhile makes the answer old at once.
  const at = database.writes()
  const held = known.get(database)
  if (held?.at === at) return held.definitions
  const definitions = await readDefinitions(database.db)
  known.set(database, { at, definitions })
  return definitions
}

/** Whether a record of this type has the field. */
export const concerns = (definition: Pick<FieldDef, 'types'>, typeId: number | null): boolean =>
  definition.types.length === 0 || (typeId !== null && definition.types.includes(typeId))

/** Types whose value is a number in formulas. */
export const isNumeric = (type: FieldType): boolean => type === 'integer' || type === 'decimal'
/** Types whose value is the id of something. */
export const REFERENCE_TABLES = { host: 'host', site: 'site', user: 'account' } as const
export type ReferenceType = keyof typeof REFERENCE_TABLES
export const isReference = (type: FieldType): type is ReferenceType => Object.hasOwn(REFERENCE_TABLES, type)
