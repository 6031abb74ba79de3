import { fieldErrors, type Schema } from '@narval/contracts'
import type { Body } from './import-object.ts'

/** A new object's id, which is below 0, as one that schemas accept. */
const STAND_IN = 1_000_000_000
const shown = (value: unknown): unknown =>
  typeof value === 'number' && value < 0 ? STAND_IN - value : Array.isArray(value) ? value.map(shown) : value

/**
 * Parses a body by the schema of single creation; `references` are its fields that hold ids, of new objects too.
 * `fieldOf` says which field of the file a path of the schema is.
 */
export const checkBody = (
  schema: Schema,
  body: Body,
  references: readonly string[],
  fieldOf: (path: string) => string,
): { body: Body } | { faults: { field: string; message: string }[] } => {
  const stood = Object.fromEntries(references.map(key => [key, shown(body[key])]))
  const parsed = schema.safeParse({ ...body, ...stood })
  if (!parsed.success)
    return {
      faults: fieldErrors(parsed.error).map(({ field, message }) => ({
        field: fieldOf(field),
        message: `${message}.`,
      })),
    }
  const own = Object.fromEntries(references.filter(key => body[key] !== undefined).map(key => [key, body[key]]))
  return { body: { ...bodyOf(parsed.data), ...own } }
}

/** What an object schema gives is a record of its fields. */
const bodyOf = (value: unknown): Body =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
