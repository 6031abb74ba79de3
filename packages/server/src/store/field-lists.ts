import { FIELD_PREFIX, type FieldScope, fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../http/caller.ts'
import type { Database } from './database.ts'
import { containsFolded, type FilterValue, type ListColumn, type ListSpec } from './datatable.ts'
import { fieldsFor } from './field-access.ts'
import { type StoredValue, valueTextOf } from './field-check.ts'
import { conditionsFor, type ValueColumns, type ValueCondition } from './field-conditions.ts'
import { type FieldDef, isNumeric, isReference, REFERENCE_TABLES } from './field-definitions.ts'
import {
  effectiveValues,
  type FieldOwner,
  type ModelFields,
  modelFieldsOf,
  namesFor,
  storedOf,
} from './field-effective.ts'

/** Secrets are in no list. */
const listed = async (database: Database, viewer: Viewer | 'system', scope: FieldScope): Promise<FieldDef[]> =>
  (await fieldsFor(database, viewer, scope)).map(one => one.definition).filter(one => one.type !== 'secret')

/**
 * A list of hosts or sites with the custom fields that the viewer may read: columns and filters `champ.<key>`, and the
 * search finds their values. Any other field does not exist in it.
 */
export const withFields = async (
  database: Database,
  viewer: Viewer | 'system',
  scope: FieldScope,
  spec: ListSpec,
): Promise<ListSpec> => {
  const definitions = await listed(database, viewer, scope)
  if (definitions.length === 0) return spec
  const fields = definitions.map(await sourcesOf(database, scope))
  const named = <T>(toValue: (field: Source) => T) =>
    Object.fromEntries(fields.map(field => [`${FIELD_PREFIX}${field.definition.key}`, toValue(field)]))
  return {
    ...spec,
    columns: { ...spec.columns, ...named(columnOf) },
    filters: { ...spec.filters, ...named(field => (value: FilterValue) => filterOf(field, value)) },
    alsoFinds: term => foundBy(fields, term),
  }
}

/** Whether a host or a site has a readable value with these words; for the search of everything. */
export const valueSearch = async (
  database: Database,
  viewer: Viewer,
  scope: FieldScope,
): Promise<(term: string) => RawBuilder<boolean>> => {
  const definitions = await listed(database, viewer, scope)
  const fields = definitions.map(await sourcesOf(database, scope))
  return term => foundBy(fields, term)
}

/** Values that a text tells: those in force, or the record's own alone (what a file gives back to an import). */
export type ToldValues = 'in-force' | 'own'

/** The texts of readable fields of records, by key, for those that have a value. */
export const fieldTexts = async (
  database: Database,
  viewer: Viewer | 'system',
  scope: FieldScope,
  owners: readonly FieldOwner[],
  told: ToldValues = 'in-force',
): Promise<(ownerId: number) => Record<string, string>> => {
  const definitions = await listed(database, viewer, scope)
  if (definitions.length === 0 || owners.length === 0) return () => ({})
  const models = scope === 'host' ? await modelFieldsOf(database) : []
  const values = await effectiveValues(database.db, definitions, owners, models)
  const byId = new Map(definitions.map(one => [one.id, one]))
  const held = (ownerId: number): (readonly [FieldDef, StoredValue])[] =>
    [...(values.get(ownerId) ?? [])].flatMap(([id, { stored, origin }]) => {
      if (told === 'own' && origin !== 'own') return []
      const definition = byId.get(id)
      return definition === undefined || stored === null ? [] : [[definition, stored] as const]
    })
  const references = definitions.some(one => isReference(one.type)) ? owners.flatMap(owner => held(owner.id)) : []
  const names = await namesFor(database.db, references)
  return ownerId =>
    Object.fromEntries(
      held(ownerId).map(([{ key, type }, stored]) => [
        key,
        valueTextOf(type, stored, isReference(type) ? names(type, stored.number ?? 0) : null),
      ]),
    )
}

/** Columns of readable fields for a file: header `champ.<key>`. */
export const fieldColumns = async (
  database: Database,
  viewer: Viewer,
  scope: FieldScope,
): Promise<
  { readonly header: string; readonly cell: (row: { readonly customFields: Record<string, string> }) => string }[]
> =>
  (await listed(database, viewer, scope)).map(({ key }) => ({
    header: `${FIELD_PREFIX}${key}`,
    cell: ({ customFields }) => customFields[key] ?? '',
  }))

/** A field with where a row of the list finds its value. */
interface Source {
  readonly definition: FieldDef
  readonly columns: ValueColumns
  /** Name of what it refers to, folded; the folded text of any other. */
  readonly shown: RawBuilder<unknown>
  /** What a row may have without a value of its own: the values of models, and the default. */
  readonly inherited: readonly StoredValue[]
  readonly concerned: RawBuilder<boolean>
}

const sourcesOf = async (database: Database, scope: FieldScope): Promise<(definition: FieldDef) => Source> => {
  const models = scope === 'host' ? await modelFieldsOf(database) : []
  return definition => {
    const given = models.flatMap(model => {
      const stored = Object.hasOwn(model.fields, definition.key)
        ? storedOf(definition, model.fields[definition.key])
        : null
      return stored === null ? [] : [{ model, stored }]
    })
    const fallback = definition.defaultValue === '' ? null : storedOf(definition, definition.defaultValue)
    const column = (name: 'value' | 'folded' | 'number'): RawBuilder<unknown> =>
      concernedOnly(definition, inForce(definition, name, given, fallback))
    const columns = { value: column('value'), folded: column('folded'), number: column('number') }
    const { type } = definition
    return {
      definition,
      columns,
      shown: isReference(type)
        ? sql`(select r.name_folded from ${sql.table(REFERENCE_TABLES[type])} r where r.id = ${columns.number})`
        : columns.folded,
      inherited: [...given.map(one => one.stored), ...(fallback === null ? [] : [fallback])],
      concerned: concernedBy(definition),
    }
  }
}

const concernedBy = ({ scope, types }: FieldDef): RawBuilder<boolean> =>
  types.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(`${scope}.type_id`)} in (${sql.join(types)})`
const concernedOnly = (definition: FieldDef, value: RawBuilder<unknown>): RawBuilder<unknown> =>
  definition.types.length === 0 ? value : sql`case when ${concernedBy(definition)} then ${value} end`

const COLUMNS = { value: 'v.value', folded: 'v.value_folded', number: 'v.value_number' } as const
const bound = (stored: StoredValue, column: keyof typeof COLUMNS): RawBuilder<unknown> =>
  column === 'number' ? sql`cast(${stored.number} as double precision)` : sql`cast(${stored[column]} as text)`

/** A record's own value, else that of its first model that has one, else the default. */
const inForce = (
  { id, scope }: FieldDef,
  column: keyof typeof COLUMNS,
  given: readonly { readonly model: ModelFields; readonly stored: StoredValue }[],
  fallback: StoredValue | null,
): RawBuilder<unknown> => {
  const own = sql`(select ${sql.ref(COLUMNS[column])} from field_value v where v.definition_id = ${id} and v.owner_id = ${sql.ref(`${scope}.id`)})`
  if (given.length === 0 && fallback === null) return own
  const cases = given.map(({ model, stored }) => sql`when ${model.id} then ${bound(stored, column)}`)
  const ids = sql.join(given.map(({ model }) => model.id))
  const ofModel =
    given.length === 0
      ? []
      : [
          sql`(select case m.model_id ${sql.join(cases, sql` `)} end from host_monitoring_model m
            where m.host_id = host.id and m.model_id in (${ids}) order by m.position limit 1)`,
        ]
  return sql`coalesce(${sql.join([own, ...ofModel, ...(fallback === null ? [] : [bound(fallback, column)])])})`
}

const columnOf = ({ definition, columns, shown }: Source): ListColumn => {
  const byNumber = isNumeric(definition.type) || definition.type === 'date' || definition.type === 'boolean'
  return { sort: byNumber ? columns.number : shown, searchAlone: shown }
}

/** Where only the records' own values count, the index of values answers; otherwise each row is looked at. */
const filterOf = (source: Source, filter: FilterValue): RawBuilder<boolean> => {
  const { definition, columns, inherited, concerned } = source
  const parts = conditionsFor(definition, filter).map((condition): RawBuilder<boolean> => {
    if (condition === null) return sql<boolean>`(${concerned} and ${columns.value} is null)`
    return inherited.length > 0
      ? condition(columns)
      : sql<boolean>`(${concerned} and ${ownerIn(definition, condition)})`
  })
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}

const OWN: ValueColumns = { value: sql`v.value`, folded: sql`v.value_folded`, number: sql`v.value_number` }
const ownerIn = ({ id, scope }: FieldDef, condition: NonNullable<ValueCondition>): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${scope}.id`)} in (select v.owner_id from field_value v where v.definition_id = ${id} and ${condition(OWN)})`

/** One pass over the values of the fields that concern every record, one for each other; inherited ones where their text has the words. */
const foundBy = (fields: readonly Source[], term: string): RawBuilder<boolean> => {
  const words = fold(term)
  const found: RawBuilder<boolean>[] = []
  const texts = fields.filter(({ definition }) => !isReference(definition.type))
  const general = texts.filter(({ definition }) => definition.types.length === 0)
  const [first] = general
  if (first !== undefined) {
    const ids = sql.join(general.map(({ definition }) => definition.id))
    found.push(
      sql<boolean>`${sql.ref(`${first.definition.scope}.id`)} in (select v.owner_id from field_value v
        where v.definition_id in (${ids}) and ${containsFolded(OWN.folded, term)})`,
    )
  }
  for (const { definition, concerned } of texts.filter(one => !general.includes(one)))
    found.push(sql<boolean>`(${concerned} and ${ownerIn(definition, ({ folded }) => containsFolded(folded, term))})`)
  for (const { columns, inherited } of texts)
    if (inherited.some(stored => stored.folded.includes(words))) found.push(containsFolded(columns.folded, term))
  for (const { shown } of fields.filter(({ definition }) => isReference(definition.type)))
    found.push(containsFolded(shown, term))
  return found.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(found, sql` or `)})`
}
