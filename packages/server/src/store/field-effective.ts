import type { FieldScope, RecordField } from '@narval/contracts'
import { fold } from '@narval/contracts'
import { sql } from 'kysely'
import type { Database, Db } from './database.ts'
import { checkValue, type StoredValue } from './field-check.ts'
import { concerns, type FieldDef, isReference, REFERENCE_TABLES, type ReferenceType } from './field-definitions.ts'

/** A host or a site with what decides which fields it has. */
export interface FieldOwner {
  readonly id: number
  readonly typeId: number | null
}
export interface EffectiveValue {
  readonly stored: StoredValue | null
  readonly origin: RecordField['origin']
  /** Name of the model that it comes from, '' otherwise. */
  readonly originName: string
}
/** By owner, then by definition; a field that does not concern an owner's type is not there. */
export type EffectiveValues = ReadonlyMap<number, ReadonlyMap<number, EffectiveValue>>
const NONE: EffectiveValue = { stored: null, origin: 'none', originName: '' }

/** What a monitoring model says of custom fields. */
export interface ModelFields {
  readonly id: number
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Ids asked for at once; beyond that the whole table is read. */
const MANY = 5_000

/** Values in force: a record's own, else that of its first monitoring model that has one, else the definition's default. */
export const effectiveValues = async (
  db: Db,
  definitions: readonly FieldDef[],
  owners: readonly FieldOwner[],
  models: readonly ModelFields[],
): Promise<EffectiveValues> => {
  if (definitions.length === 0 || owners.length === 0) return new Map(owners.map(owner => [owner.id, new Map()]))
  const own = await ownValues(db, definitions, owners)
  const inherited = await modelValues(db, definitions, owners, models)
  return new Map(
    owners.map(owner => {
      const values = definitions
        .filter(definition => concerns(definition, owner.typeId))
        .map(definition => {
          const mine = own.get(owner.id)?.get(definition.id)
          const value: EffectiveValue =
            mine === undefined
              ? (inherited(owner.id, definition) ?? defaultValue(definition))
              : { stored: mine, origin: 'own', originName: '' }
          return [definition.id, value] as const
        })
      return [owner.id, new Map(values)]
    }),
  )
}

const defaultValue = (definition: FieldDef): EffectiveValue => {
  const stored = definition.defaultValue === '' ? null : storedOf(definition, definition.defaultValue)
  return stored === null ? NONE : { stored, origin: 'default', originName: '' }
}

/** A value given elsewhere than in a record, null when it is not one that the definition takes now. */
export const storedOf = (definition: FieldDef, given: unknown): StoredValue | null => {
  if (definition.type === 'secret') return null
  const isWire =
    typeof given === 'string' ||
    typeof given === 'number' ||
    typeof given === 'boolean' ||
    (Array.isArray(given) && given.every(one => typeof one === 'string'))
  const checked = isWire ? checkValue(definition, given) : { stored: null }
  return 'fault' in checked ? null : checked.stored
}

const narrowed = (column: string, ids: readonly number[]) =>
  ids.length > MANY ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(column)} in (${sql.join(ids)})`

/** Only the records' own values. */
export const ownValues = async (
  db: Db,
  definitions: readonly FieldDef[],
  owners: readonly FieldOwner[],
): Promise<Map<number, Map<number, StoredValue>>> => {
  interface Row {
    definition_id: number
    owner_id: number
    value: string
    value_folded: string
    value_number: number | null
  }
  const wanted = new Set(owners.map(owner => owner.id))
  const answer = await sql<Row>`select definition_id, owner_id, value, value_folded, value_number from field_value
    where definition_id in (${sql.join(definitions.map(one => one.id))}) and ${narrowed('owner_id', [...wanted])}`.execute(
    db,
  )
  const values = new Map<number, Map<number, StoredValue>>()
  for (const row of answer.rows) {
    if (!wanted.has(row.owner_id)) continue
    const mine = values.get(row.owner_id) ?? new Map<number, StoredValue>()
    mine.set(row.definition_id, { value: row.value, folded: row.value_folded, number: row.value_number })
    values.set(row.owner_id, mine)
  }
  return values
}

const modelValues = async (
  db: Db,
  definitions: readonly FieldDef[],
  owners: readonly FieldOwner[],
  models: readonly ModelFields[],
): Promise<(ownerId: number, definition: FieldDef) => EffectiveValue | null> => {
  const useful = models.filter(model => definitions.some(one => Object.hasOwn(model.fields, one.key)))
  if (useful.length === 0 || definitions.every(one => one.scope !== 'host')) return () => null
  const byId = new Map(useful.map(model => [model.id, model]))
  const answer = await sql<{ host_id: number; model_id: number }>`select host_id, model_id from host_monitoring_model
    where ${narrowed(
      'host_id',
      owners.map(owner => owner.id),
    )} order by host_id, position`.execute(db)
  const ofHost = Map.groupBy(answer.rows, row => row.host_id)
  return (ownerId, definition) => {
    if (definition.scope !== 'host') return null
    for (const { model_id } of ofHost.get(ownerId) ?? []) {
      const model = byId.get(model_id)
      if (model === undefined || !Object.hasOwn(model.fields, definition.key)) continue
      const stored = storedOf(definition, model.fields[definition.key])
      if (stored !== null) return { stored, origin: 'model', originName: model.name }
    }
    return null
  }
}

/** What monitoring models say of custom fields; models that say nothing of them are left out. */
export const readModelFields = async (db: Db): Promise<readonly ModelFields[]> => {
  const rows = await db.selectFrom('monitoring_model').select(['id', 'name', 'definition']).orderBy('id').execute()
  return rows.flatMap(row => {
    const definition: { fields?: Record<string, unknown> } = JSON.parse(row.definition)
    const fields = definition.fields ?? {}
    return Object.keys(fields).length === 0 ? [] : [{ id: row.id, name: row.name, fields }]
  })
}

const known = new WeakMap<Database, { readonly key: string; readonly models: readonly ModelFields[] }>()
/** The same, read again only when a model changed: lists ask at each page. Not for use in a transaction. */
export const modelFieldsOf = async (database: Database): Promise<readonly ModelFields[]> => {
  const newest = await sql<{ n: number; at: number | null; id: number | null }>`select count(*) as n,
    max(updated_at) as at, max(id) as id from monitoring_model`.execute(database.db)
  const key = JSON.stringify(newest.rows[0])
  const held = known.get(database)
  if (held?.key === key) return held.models
  const models = await readModelFields(database.db)
  known.set(database, { key, models })
  return models
}

/** Finds the names of what values refer to, asked all at once: `names(type, id)` is null for what is no more. */
export const referenceNames = async (
  db: Db,
  asked: readonly { readonly type: ReferenceType; readonly id: number }[],
): Promise<(type: ReferenceType, id: number) => string | null> => {
  const names = new Map<string, string>()
  for (const [type, some] of Map.groupBy(asked, one => one.type)) {
    const ids = [...new Set(some.map(one => one.id))]
    const answer = await sql<{ id: number; name: string }>`select id, ${NAME[type]} as name
      from ${sql.table(REFERENCE_TABLES[type])} where ${narrowed('id', ids)}`.execute(db)
    for (const row of answer.rows) names.set(`${type} ${row.id}`, row.name)
  }
  return (type, id) => names.get(`${type} ${id}`) ?? null
}
const FULL_NAME = sql`trim(first_name || ' ' || last_name)`
const NAME = {
  host: sql`name`,
  site: sql`name`,
  user: sql`case when ${FULL_NAME} = '' then login else ${FULL_NAME} end`,
} as const

/** Whether what a value refers to exists. A name in place of an id (imports) gives its id when only one bears it, else null. */
export const findReference = async (db: Db, type: ReferenceType, given: string | number): Promise<number | null> => {
  const table = sql.table(REFERENCE_TABLES[type])
  const folded = fold(String(given))
  if (/\p{Cc}/u.test(String(given))) return null
  const isId = /^[1-9]\d{0,9}$/.test(String(given))
  const where = isId
    ? sql<boolean>`id = ${Number(given)}`
    : type === 'user'
      ? sql<boolean>`login_folded = ${folded} or name_folded = ${folded}`
      : sql<boolean>`name_folded = ${folded}`
  const answer = await sql<{ id: number }>`select id from ${table} where ${where} limit 2`.execute(db)
  return answer.rows.length === 1 ? (answer.rows[0]?.id ?? null) : null
}

/** Asks for the names of all references among these values. */
export const namesFor = (
  db: Db,
  values: Iterable<readonly [FieldDef, StoredValue | null]>,
): ReturnType<typeof referenceNames> =>
  referenceNames(
    db,
    [...values].flatMap(([{ type }, stored]) =>
      isReference(type) && stored?.number != null ? [{ type, id: stored.number }] : [],
    ),
  )

/** The type of a record, by which its fields are known; null when there is no such record. */
export const ownerOf = async (
  db: Db,
  scope: FieldScope,
  id: number,
): Promise<(FieldOwner & { readonly name: string }) | null> => {
  const row = await db.selectFrom(scope).select(['id', 'name', 'type_id']).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : { id: row.id, name: row.name, typeId: row.type_id }
}
