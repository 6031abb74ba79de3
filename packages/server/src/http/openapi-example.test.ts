import { describe, expect, it } from 'vitest'
import { exampleOf } from './openapi-example.ts'
import type { JsonSchema } from './openapi-schema.ts'

const example = (schema: JsonSchema, components: Record<string, JsonSchema> = {}) =>
  exampleOf(schema, new Map(Object.entries(components)))

describe('an example made from a schema', () => {
  it('prefers what the schema gives: its example, even null, its only value, its first value, its default', () => {
    expect(example({ type: 'string', examples: ['PAR'], default: 'x' })).toBe('PAR')
    expect(example({ type: ['string', 'null'], examples: [null] })).toBeNull()
    expect(example({ const: 'recheck' })).toBe('recheck')
    expect(example({ enum: ['ping', 'tcp'], default: 'tcp' })).toBe('ping')
    expect(example({ type: 'integer', default: 25 })).toBe(25)
  })

  it('holds the required fields of an object; when none is, those that have an example', () => {
    const name: JsonSchema = { type: 'string', examples: ['Paris'] }
    const note: JsonSchema = { type: 'string' }
    expect(example({ type: 'object', properties: { name, note }, required: ['note'] })).toEqual({ note: 'texte' })
    expect(example({ type: 'object', properties: { name, note } })).toEqual({ name: 'Paris' })
  })

  it('goes through arrays, alternatives and references, and ends where these turn round', () => {
    expect(example({ type: 'array', items: { type: 'boolean' } })).toEqual([true])
    expect(example({ anyOf: [{ type: 'null' }, { type: 'integer', minimum: 5 }] })).toBe(5)
    const site: JsonSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
    expect(example({ $ref: '#/components/schemas/Site' }, { Site: site })).toEqual({ id: 1 })
    const loop: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/Loop' } }
    expect(JSON.stringify(example(loop, { Loop: loop }))).toContain('null')
  })

  it('dates are in UTC, a free record is empty', () => {
    expect(example({ type: 'string', format: 'date-time' })).toMatch(/Z$/)
    expect(example({ type: 'object', additionalProperties: { type: 'number' } })).toEqual({})
  })
})
