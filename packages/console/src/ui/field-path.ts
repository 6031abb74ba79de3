import type { FieldArray, FieldArrayPath, FieldPath, FieldValues } from 'react-hook-form'

/**
 * The path of a field under another: `fieldAt('scanners.2', 'name')`. The one cast: such a path is built from the
 * schema's own names, which the library's type can't follow through a text.
 */
export const fieldAt = <V extends FieldValues>(...parts: readonly string[]): FieldPath<V> =>
  parts.filter(part => part !== '').join('.') as FieldPath<V>

/** The same path, of a field known to hold a list: the caller's schema says so where the library's type can't see it. */
export const arrayAt = <V extends FieldValues>(path: FieldPath<V>): FieldArrayPath<V> =>
  path as string as FieldArrayPath<V>

/** A new row of such a list: of the shape that the kind's schema gives to its rows. */
export const newRow = <V extends FieldValues>(
  empty: Readonly<Record<string, unknown>>,
): FieldArray<V, FieldArrayPath<V>> => ({ ...empty }) as FieldArray<V, FieldArrayPath<V>>
