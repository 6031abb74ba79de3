import type { FieldValue, ModelDefinition, ThresholdFormulas } from '@narval/contracts'
import { allMasked, restoredFormulas } from '../../monitoring/fleet/formula-names.ts'
import { formulaFaults as sideFaults } from '../../monitoring/fleet/threshold-rules.ts'
import type { Db } from '../../store/database.ts'
import type { FieldAccess } from '../../store/field-access.ts'
import { checkValue } from '../../store/field-check.ts'
import { type FieldDef, isNumeric, isReference } from '../../store/field-definitions.ts'
import { findReference } from '../../store/field-effective.ts'

type Fields = ModelDefinition['fields']
type Faults = (readonly [field: string, message: string])[]

/** The values that a viewer may read; the others do not exist for him. */
export const readableFields = (fields: Fields, access: readonly FieldAccess[]): Fields => {
  const readable = keysOf(access)
  return Object.fromEntries(Object.entries(fields).filter(([key]) => readable.has(key)))
}

const keysOf = (access: readonly FieldAccess[]): ReadonlySet<string> =>
  new Set(access.map(({ definition }) => definition.key))

/** A definition as a viewer may see it: without values of fields that he may not read, nor their names in formulas. */
export const readableDefinition = (definition: ModelDefinition, access: readonly FieldAccess[]): ModelDefinition => ({
  scanners: withFormulas(definition, (_, formulas) => allMasked(formulas, keysOf(access))),
  fields: readableFields(definition.fields, access),
})

/** A definition as it is to be kept, and the formulas that were written anew: those sent as they were shown stay. */
export const restoredDefinition = (
  before: ModelDefinition,
  given: ModelDefinition,
  access: readonly FieldAccess[],
): { readonly definition: ModelDefinition; readonly written: ModelDefinition } => {
  const held = new Map<string, ThresholdFormulas>()
  withFormulas(before, (place, formulas) => {
    held.set(place, formulas)
    return formulas
  })
  const restored = (place: string, formulas: ThresholdFormulas) =>
    restoredFormulas(formulas, [held.get(place) ?? {}], keysOf(access))
  const part = (which: 'formulas' | 'written') => ({
    ...given,
    scanners: withFormulas(given, (place, formulas) => restored(place, formulas)[which]),
  })
  return { definition: part('formulas'), written: part('written') }
}

/** The scanners of a definition with other formulas, by the scanner's item and the metric's key. */
const withFormulas = (
  { scanners }: ModelDefinition,
  change: (place: string, formulas: ThresholdFormulas) => ThresholdFormulas,
): ModelDefinition['scanners'] =>
  scanners.map(scanner => ({
    ...scanner,
    metrics: scanner.metrics.map(metric => ({
      ...metric,
      formulas: change(`${scanner.item} ${metric.key}`, metric.formulas),
    })),
  }))

/** What is saved: the values given, with those that the viewer may not even read as they were. */
export const keptFields = (before: Fields, given: Fields, access: readonly FieldAccess[]): Fields => {
  const readable = readableFields(before, access)
  const hidden = Object.entries(before).filter(([key]) => !Object.hasOwn(readable, key))
  return { ...Object.fromEntries(hidden), ...readableFields(given, access) }
}

/** What is wrong with values that a model is to give: unknown fields, secrets, values of another type, rights. */
export const fieldFaults = async (
  db: Db,
  before: Fields,
  given: Fields,
  access: readonly FieldAccess[],
): Promise<Faults> => {
  const byKey = new Map(access.map(one => [one.definition.key, one]))
  const at = (key: string) => `definition.fields.${key}`
  const faults: Faults = []
  for (const key of new Set([...Object.keys(before), ...Object.keys(given)])) {
    const value = Object.hasOwn(given, key) ? (given[key] ?? null) : null
    const was = Object.hasOwn(before, key) ? (before[key] ?? null) : null
    const field = byKey.get(key)
    if (field === undefined) {
      // What he can't see he can't change either; only what he sends of it is told to be unknown.
      if (Object.hasOwn(given, key)) faults.push([at(key), 'Aucun champ d’équipement n’a cette clé'])
    } else if (JSON.stringify(value) !== JSON.stringify(was)) {
      const fault = field.level === 'write' ? await valueFault(db, field, value) : 'Ce champ n’est pas modifiable'
      if (fault !== null) faults.push([at(key), fault])
    }
  }
  return faults
}

/** Whether going from one to the other changes a field that exists and that the viewer may not write. */
export const changesForeign = (
  before: Fields,
  after: Fields,
  definitions: readonly FieldDef[],
  access: readonly FieldAccess[],
): boolean =>
  definitions.some(
    ({ id, key, scope }) =>
      scope === 'host' &&
      JSON.stringify(before[key]) !== JSON.stringify(after[key]) &&
      access.find(({ definition }) => definition.id === id)?.level !== 'write',
  )

const valueFault = async (db: Db, { definition }: FieldAccess, value: FieldValue): Promise<string | null> => {
  if (definition.type === 'secret') return 'Un secret ne se dit pas dans un modèle'
  const checked = checkValue(definition, value)
  if ('fault' in checked) return checked.fault
  if (checked.stored === null || !isReference(definition.type)) return null
  const found = await findReference(db, definition.type, checked.stored.value)
  return found === null ? 'Rien de tel n’existe' : null
}

/** What is wrong with the formulas that a viewer wrote: they name what he may read. */
export const formulaFaults = ({ scanners }: ModelDefinition, access: readonly FieldAccess[]): Faults => {
  const known = keysOf(access.filter(({ definition }) => isNumeric(definition.type)))
  return scanners.flatMap((scanner, index) =>
    scanner.metrics.flatMap(({ formulas }, place) =>
      sideFaults(formulas, known).map(
        ([side, message]) => [`definition.scanners.${index}.metrics.${place}.formulas.${side}`, message] as const,
      ),
    ),
  )
}
