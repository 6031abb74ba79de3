import { FIELD_PREFIX, type FieldScope, IMPORT_FIELDS, type ImportEntity, type ImportField } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { type FieldAccess, fieldsFor } from '../../store/field-access.ts'
import { checkValue, type StoredValue, valueTextOf } from '../../store/field-check.ts'
import { concerns, type FieldDef, isReference } from '../../store/field-definitions.ts'
import { findReference, ownValues, referenceNames } from '../../store/field-effective.ts'
import { createTurns } from '../../turns.ts'
import { short } from './import-names.ts'
import {
  type Body,
  type EntityImport,
  type Existing,
  type Fault,
  type Identity,
  isSame,
  type Report,
  type Row,
} from './import-object.ts'

export const scopeOf = (entity: ImportEntity): FieldScope | null => (entity === 'metric' ? null : entity)
const fieldOf = (definition: FieldDef): string => `${FIELD_PREFIX}${definition.key}`

/** Custom fields that a viewer may fill in by a file: those he may write, never secrets. */
export const writableFields = async (
  database: Database,
  viewer: Viewer,
  entity: ImportEntity,
): Promise<FieldAccess[]> => {
  const scope = scopeOf(entity)
  if (scope === null) return []
  const access = await fieldsFor(database, viewer, scope)
  return access.filter(({ definition, level }) => level === 'write' && definition.type !== 'secret')
}

/** All that a file of this viewer may hold: the entity's own fields, then `champ.<key>` with the label of each. */
export const importableFields = async (
  database: Database,
  viewer: Viewer,
  entity: ImportEntity,
): Promise<readonly ImportField[]> => [
  ...IMPORT_FIELDS[entity],
  ...(await writableFields(database, viewer, entity)).map(({ definition }) => ({
    field: fieldOf(definition),
    label: definition.label,
    required: false,
    help: definition.help,
  })),
]

const storedOf = (value: unknown): StoredValue | null =>
  typeof value === 'object' && value !== null && 'value' in value && 'folded' in value && 'number' in value
    ? {
        value: String(value.value),
        folded: String(value.folded),
        number: typeof value.number === 'number' ? value.number : null,
      }
    : null

/** The values of custom fields that a draft writes, by key, as single changes take them; null takes one away. */
export const fieldChanges = (
  body: Body,
  changed: readonly string[],
  access: readonly FieldAccess[],
): Record<string, string | string[] | null> =>
  Object.fromEntries(
    access.flatMap(({ definition }) => {
      const field = fieldOf(definition)
      if (!changed.includes(field)) return []
      const stored = storedOf(body[field])
      return [[definition.key, stored === null ? null : writtenOf(definition, stored)] as const]
    }),
  )
const writtenOf = ({ type }: FieldDef, { value }: StoredValue): string | string[] => {
  if (type !== 'multiple-choice') return value
  const list: unknown = JSON.parse(value)
  return Array.isArray(list) ? list.map(String) : []
}

/** The same import, whose rows also fill in custom fields; without any the import itself. */
export const withCustomFields = async (
  base: EntityImport,
  database: Database,
  viewer: Viewer,
): Promise<EntityImport> => {
  const access = await writableFields(database, viewer, base.entity)
  if (access.length === 0) return base
  const definitions = new Map(access.map(({ definition }) => [fieldOf(definition), definition]))
  const values = createFieldValues(database.db, [...definitions.values()])
  return {
    ...base,
    fields: await importableFields(database, viewer, base.entity),
    async identify(rows: readonly Row[], report: Report) {
      const identities = await base.identify(rows, report)
      const mapped = [...definitions].filter(([field]) => rows[0]?.cell(field) !== undefined)
      await values.resolve(mapped, rows)
      return mapped.length === 0 ? identities : values.known(identities)
    },
    read(field, cell, row, body, existing) {
      const definition = definitions.get(field)
      return definition === undefined ? base.read(field, cell, row, body, existing) : values.read(definition, cell)
    },
    validate(body, existing) {
      const given = new Map(Object.entries(body).filter(([key]) => definitions.has(key)))
      const checked = base.validate(body, existing)
      const faults = [...('faults' in checked ? checked.faults : []), ...values.faults(given, body, existing)]
      return faults.length > 0 || 'faults' in checked
        ? { faults }
        : { body: { ...checked.body, ...Object.fromEntries(given) } }
    },
    show(field, body) {
      const definition = definitions.get(field)
      return definition === undefined ? base.show(field, body) : values.show(definition, storedOf(body[field]))
    },
  }
}

interface FieldFault {
  readonly field: string
  readonly message: string
}
/** Objects whose values are read by one statement. */
const ASKED = 500
const typeOf = (body: Body): number | null => (typeof body.typeId === 'number' ? body.typeId : null)

/** Values of the fields of one file: what cells refer to, and what is there already. */
const createFieldValues = (db: Db, definitions: readonly FieldDef[]) => {
  const references = new Map<string, number | null>()
  const names = new Map<string, string>()
  const place = (definition: FieldDef, cell: string): string => `${definition.type}\n${cell}`

  return {
    /** Finds what the cells of references name; each name once. */
    async resolve(mapped: readonly (readonly [string, FieldDef])[], rows: readonly Row[]): Promise<void> {
      const turn = createTurns()
      for (const [field, definition] of mapped) {
        if (!isReference(definition.type)) continue
        for (const row of rows) {
          const cell = row.cell(field) ?? ''
          const key = place(definition, cell)
          if (cell === '' || references.has(key)) continue
          references.set(key, await findReference(db, definition.type, cell))
          await turn()
        }
      }
      await nameAll(
        [...references].flatMap(([key, id]) => (id === null ? [] : [{ type: key.split('\n')[0] ?? '', id }])),
      )
    },
    /** The objects that are there, with their own values. */
    async known(identities: readonly (Identity | null)[]): Promise<(Identity | null)[]> {
      const existing = identities.flatMap(one => one?.existing ?? [])
      const filled = new Map<number, Existing>()
      const turn = createTurns()
      for (const some of batches(existing, ASKED)) {
        const owners = some.map(({ id, body }) => ({ id, typeId: typeOf(body) }))
        const own = await ownValues(db, definitions, owners)
        const ownOf = (id: number, definition: FieldDef): StoredValue | null => own.get(id)?.get(definition.id) ?? null
        await nameAll(
          some.flatMap(({ id }) => definitions.map(one => ({ type: one.type, id: ownOf(id, one)?.number ?? 0 }))),
        )
        for (const one of some) {
          const mine = definitions.map(definition => [fieldOf(definition), ownOf(one.id, definition)] as const)
          filled.set(one.id, { ...one, body: { ...one.body, ...Object.fromEntries(mine) } })
        }
        await turn()
      }
      return identities.map(one =>
        one?.existing == null ? one : { ...one, existing: filled.get(one.existing.id) ?? one.existing },
      )
    },
    read(definition: FieldDef, cell: string): Body | Fault {
      const given = isReference(definition.type) && cell !== '' ? references.get(place(definition, cell)) : cell
      if (given === null || given === undefined) return { fault: `« ${short(cell)} » n'existe pas, ou plusieurs fois.` }
      const checked = checkValue(definition, given)
      return 'fault' in checked ? { fault: `${checked.fault}.` } : { [fieldOf(definition)]: checked.stored }
    },
    /** Fields that this type of object has not, and, of one whose fields change, required ones that stay empty. */
    faults(given: ReadonlyMap<string, unknown>, body: Body, existing: Existing | null): FieldFault[] {
      const changes = [...given].some(([key, value]) => !isSame(value, existing?.body[key] ?? null))
      // A model may give what is missing: the writing itself looks into that.
      const isAlone = !Array.isArray(body.monitoringModelIds) || body.monitoringModelIds.length === 0
      return definitions.flatMap((definition): FieldFault[] => {
        const field = fieldOf(definition)
        const value = storedOf(given.get(field))
        if (!concerns(definition, typeOf(body)))
          return value === null || isSame(value, existing?.body[field] ?? null)
            ? []
            : [{ field, message: "Ce type d'objet n'a pas ce champ." }]
        const isMissing = definition.required && value === null && definition.defaultValue === ''
        return changes && isAlone && isMissing ? [{ field, message: 'Champ requis.' }] : []
      })
    },
    show: (definition: FieldDef, stored: StoredValue | null): string =>
      stored === null
        ? ''
        : valueTextOf(definition.type, stored, names.get(`${definition.type} ${stored.number ?? 0}`) ?? null),
  }

  async function nameAll(asked: readonly { readonly type: string; readonly id: number }[]): Promise<void> {
    const wanted = asked.flatMap(({ type, id }) => {
      const reference = definitions.find(one => one.type === type)?.type
      return reference !== undefined && isReference(reference) && id > 0 && !names.has(`${type} ${id}`)
        ? [{ type: reference, id }]
        : []
    })
    if (wanted.length === 0) return
    const found = await referenceNames(db, wanted)
    for (const { type, id } of wanted) names.set(`${type} ${id}`, found(type, id) ?? '')
  }
}
