import { FIELD_PREFIX } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { masked } from '../../monitoring/fleet/formula-names.ts'
import type { Database } from '../../store/database.ts'
import { fieldsFor } from '../../store/field-access.ts'

/** One field as it was and as it is. */
export type Change = { readonly field: string; readonly before: unknown; readonly after: unknown }
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values that a model gives, by key: the one change that is a record of custom fields. */
const MODEL_FIELDS = 'definition.fields'

/**
 * The changes that a viewer may read: custom fields that he may not read are left out, with their names in formulas. An
 * administrator reads those of deleted fields too.
 */
export const readableChanges = async (database: Database, viewer: Viewer, scope: 'site' | 'host') => {
  const labels = new Map(
    (await fieldsFor(database, viewer, scope)).map(({ definition }) => [definition.key, definition.label]),
  )
  const keys = new Set(labels.keys())
  const readAll = viewer.claims.has('admin')
  const isReadable = (key: string) => readAll || keys.has(key)
  const inText = (value: unknown): unknown => {
    if (typeof value === 'string') return readAll ? value : masked(value, keys)
    if (Array.isArray(value)) return value.map(inText)
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inText(inner)]))
      : value
  }
  const ofFields = (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => isReadable(key))) : value

  return {
    shown<T extends Change>(change: T): T[] {
      const { field, before, after } = change
      if (field.startsWith(FIELD_PREFIX) && !isReadable(field.slice(FIELD_PREFIX.length))) return []
      const part = field === MODEL_FIELDS ? ofFields : inText
      return [{ ...change, before: part(before), after: part(after) }]
    },
    /** As people know a custom field; the name of any other field. */
    labelOf: (field: string): string =>
      field.startsWith(FIELD_PREFIX) ? (labels.get(field.slice(FIELD_PREFIX.length)) ?? field) : field,
  }
}
export type ReadableChanges = Awaited<ReturnType<typeof readableChanges>>
