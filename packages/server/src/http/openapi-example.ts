import type { JsonSchema } from './openapi-schema.ts'

const INSTANT = '2026-01-15T08:30:00.000Z'
const REFERENCE = '#/components/schemas/'
const DEPTH_MAX = 12

/**
 * A value that the schema accepts: its own example, else its default or first allowed value. Of an object the required
 * fields; when none is required, those that have an example.
 */
export const exampleOf = (schema: JsonSchema, components: ReadonlyMap<string, JsonSchema>, depth = 0): unknown => {
  if (depth > DEPTH_MAX) return null
  const next = (one: unknown) => (isSchema(one) ? exampleOf(one, components, depth + 1) : null)
  if (schema.examples !== undefined) return schema.examples[0]
  const given = schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  if (schema.$ref !== undefined) return next(components.get(schema.$ref.slice(REFERENCE.length)))
  if (schema.default !== undefined) return schema.default
  if (schema.anyOf !== undefined) return next(schema.anyOf.find(one => isSchema(one) && one.type !== 'null'))
  if (schema.properties !== undefined) return objectOf(schema, schema.properties, next)
  return scalarOf(schema, next)
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectOf = (
  schema: JsonSchema,
  properties: NonNullable<JsonSchema['properties']>,
  next: (one: unknown) => unknown,
): unknown => {
  const required = schema.required ?? []
  const shown = Object.entries(properties).filter(([name, field]) =>
    required.length > 0 ? required.includes(name) : isSchema(field) && field.examples !== undefined,
  )
  return Object.fromEntries(shown.map(([name, field]) => [name, next(field)]))
}

const scalarOf = (schema: JsonSchema, next: (one: unknown) => unknown): unknown => {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return {}
  if (type === 'array') return schema.items === undefined ? [] : [next(schema.items)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'string') return schema.format === 'date-time' ? INSTANT : 'texte'
  return null
}
