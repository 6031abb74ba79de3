import type { FieldPath, FieldValues } from 'react-hook-form'

/**
 * The path of a field under another: `fieldAt('scanners.2', 'name')`. The one cast: such a path is built from the
 * schema's own names, which the library's type can't follow through a text.
 */
export const fieldAt = <V extends FieldValues>(...parts: readonly string[]): FieldPath<V> =>
  parts.filter(part => part !== '').join('.') as FieldPath<V>
