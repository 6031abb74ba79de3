import { type FieldDefinition, fieldDefinition } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { fieldColumn, fieldFilter } from './record-fields-shapes.ts'

const at = '2026-11-20T08:00:00.000Z'
const define = (type: FieldDefinition['type'], more: Partial<FieldDefinition> = {}): FieldDefinition =>
  fieldDefinition.parse({
    id: 1,
    createdAt: at,
    updatedAt: at,
    updatedBy: null,
    key: 'debit',
    label: 'Débit',
    type,
    groupId: 1,
    groupName: 'g',
    scope: 'host',
    position: 0,
    values: 0,
    ...more,
  })

const source = (key: string) => ({
  key,
  search: async () => ({ results: [], pagination: { more: false } }),
  nameOf: async () => '',
})
const SOURCES = { host: source('host'), site: source('site'), user: source('user') }

describe('a field as a column of a list', () => {
  it('is hidden until it is chosen, sorts by its key, and writes a number at the right with its unit', () => {
    const column = fieldColumn(define('decimal', { unit: 'bits/s' }))
    expect(column).toMatchObject({ id: 'champ.debit', header: 'Débit', hidden: true, align: 'right' })
    expect(column.cell({ customFields: { debit: '100000000' } })).toBe('100\u202fMbit/s')
    expect(column.cell({ customFields: {} })).toBe('')
  })
  it('of text stays at the left', () => {
    expect(fieldColumn(define('text')).align).toBeUndefined()
  })
})

describe('a field as a filter of a list', () => {
  it('offers the choices of its definition, yes or no, or the records that it may be', () => {
    expect(fieldFilter(define('choice', { choices: ['Orange', 'SFR'] }), SOURCES)).toMatchObject({
      name: 'champ.debit',
      choices: [{ value: 'Orange' }, { value: 'SFR' }],
    })
    expect(fieldFilter(define('boolean'), SOURCES)).toMatchObject({
      choices: [{ value: 'true' }, { value: 'false' }],
      single: true,
    })
    expect(fieldFilter(define('site'), SOURCES)).toMatchObject({ source: { key: 'site' } })
  })
  it('is written where the type has no set of values; a choice may hold commas', () => {
    expect(fieldFilter(define('decimal'), SOURCES)).toMatchObject({ typed: 'number' })
    expect(fieldFilter(define('date'), SOURCES)).toMatchObject({ typed: 'date' })
    expect(fieldFilter(define('phone'), SOURCES)).toMatchObject({ typed: 'text' })
    expect(fieldFilter(define('choice', { choices: ['Nord, Est'] }), SOURCES)).toMatchObject({
      choices: [{ value: 'Nord, Est', label: 'Nord, Est' }],
    })
  })
})
