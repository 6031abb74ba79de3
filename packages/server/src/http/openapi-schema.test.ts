import { datatableReply, host, idParams, severityCounts, siteBody } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { asParameter, createSchemaCollector } from './openapi-schema.ts'

describe('the schemas of the OpenAPI document', () => {
  it('a named schema is said once and referred to wherever it is, with those that it holds', () => {
    const schemas = createSchemaCollector()
    const page = schemas.of(datatableReply(host), 'output', 'HostDatatable')
    expect(page.properties?.data).toMatchObject({ items: { $ref: '#/components/schemas/Host' } })
    expect([...schemas.components.keys()].toSorted()).toEqual(['Host', 'SeverityCounts'])
    const one = schemas.of(severityCounts, 'output', 'x')
    expect(one).toEqual({ $ref: '#/components/schemas/SeverityCounts' })
  })

  it('a reply may gain fields; a date is UTC; bounds that are only safe integers are left out', () => {
    const made = createSchemaCollector().of(z.object({ at: z.iso.datetime(), n: z.int() }), 'output', 'x')
    expect(made.additionalProperties).toBeUndefined()
    expect(made.properties).toMatchObject({ at: { type: 'string', format: 'date-time', pattern: 'Z$' } })
    expect(made.properties?.n).toEqual({ type: 'integer' })
  })

  it('a strict body stays strict, and only what is sent has examples', () => {
    const schemas = createSchemaCollector()
    expect(schemas.of(z.strictObject({ port: z.int() }), 'input', 'x')).toMatchObject({ additionalProperties: false })
    expect(schemas.of(siteBody, 'input', 'Site/Create').properties?.code).toMatchObject({ examples: ['PAR'] })
    expect(schemas.of(siteBody, 'output', 'Site/Create').properties?.code).not.toHaveProperty('examples')
  })

  it('a parameter made of digits is an integer with the same bounds', () => {
    const id = createSchemaCollector().of(idParams, 'input', 'path').properties?.id
    expect(asParameter(typeof id === 'object' ? id : {})).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 9_999_999_999,
    })
    expect(asParameter({ type: 'string', pattern: '^\\d{1,5}$' })).toEqual({
      type: 'integer',
      minimum: 0,
      maximum: 99_999,
    })
    expect(asParameter({ type: 'string', pattern: '^[a-z]+$' })).toEqual({ type: 'string', pattern: '^[a-z]+$' })
  })
})
