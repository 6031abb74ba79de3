import { type FieldValue, fieldDefinitionBody } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import {
  dateText,
  defaultOf,
  defaultTextOf,
  fieldText,
  moved,
  proposeKey,
  sameFieldValue,
  shownText,
  withoutForeignParameters,
} from './custom-field.ts'

const NNBSP = '\u202f'

describe('a key proposed from a label', () => {
  it.each([
    ['Débit contractuel', 'debit_contractuel'],
    ['N° de contrat (opérateur)', 'n_de_contrat_operateur'],
    ['  Œuvre à l’étage ', 'oeuvre_a_l_etage'],
    ['2e opérateur', 'n2e_operateur'],
    ['« »', ''],
  ])('%s → %s', (label, key) => {
    expect(proposeKey(label)).toBe(key)
  })

  it('is one that the contract accepts, however long the label', () => {
    const key = proposeKey('Nombre de prises électriques ondulées disponibles')
    expect(key.length).toBeLessThanOrEqual(40)
    expect(fieldDefinitionBody.shape.key.safeParse(key).success).toBe(true)
  })
})

describe('what a type knows nothing of', () => {
  const input = fieldDefinitionBody.parse({
    key: 'a',
    label: 'A',
    type: 'integer',
    groupId: 1,
    scope: 'host',
    unit: 'ms',
    min: 1,
    choices: ['x'],
    regex: 'x+',
    defaultValue: '2',
  })
  it('is not sent: a number has no choices and no pattern', () => {
    expect(withoutForeignParameters(input)).toMatchObject({
      unit: 'ms',
      min: 1,
      choices: [],
      regex: '',
      defaultValue: '2',
    })
  })
  it('nor has a secret any default or bound', () => {
    expect(withoutForeignParameters({ ...input, type: 'secret' })).toMatchObject({
      unit: '',
      min: null,
      defaultValue: '',
    })
  })
})

describe('a value in French', () => {
  it.each([
    [{ type: 'decimal', unit: 'bits/s' }, 100_000_000, `100${NNBSP}Mbit/s`],
    [{ type: 'decimal', unit: 'kVA' }, 2.5, `2,5${NNBSP}kVA`],
    [{ type: 'integer', unit: '' }, 12_000, `12${NNBSP}000`],
    [{ type: 'boolean', unit: '' }, false, 'Non'],
    [{ type: 'secret', unit: '' }, true, '•••'],
    [{ type: 'date', unit: '' }, '2027-03-01', '01/03/2027'],
    [{ type: 'multiple-choice', unit: '' }, ['a', 'b'], 'a, b'],
    [{ type: 'text', unit: '' }, null, ''],
  ] satisfies [Parameters<typeof fieldText>[0], FieldValue, string][])('%o %s → %s', (shape, value, text) => {
    expect(fieldText(shape, value)).toBe(text)
  })
  it('leaves a date that is none as it is', () => {
    expect(dateText('demain')).toBe('demain')
  })
})

it('a text of the server gets its unit and its spaces back', () => {
  expect(shownText({ type: 'decimal', unit: 'bits/s' }, '100000000')).toBe(`100${NNBSP}Mbit/s`)
  expect(shownText({ type: 'decimal', unit: 'kVA' }, '2,5')).toBe(`2,5${NNBSP}kVA`)
  expect(shownText({ type: 'secret', unit: '' }, 'Défini')).toBe('•••')
  expect(shownText({ type: 'text', unit: '' }, '12')).toBe('12')
})

describe('a default', () => {
  it.each([
    ['decimal', '1.5', 1.5],
    ['boolean', 'false', false],
    ['multiple-choice', 'a, b', ['a', 'b']],
    ['date', '2027-03-01', '2027-03-01'],
    ['text', '', null],
  ] as const)('of type %s is read from its text and written back the same', (type, text, value) => {
    expect(defaultOf(type, text)).toEqual(value)
    expect(defaultTextOf(defaultOf(type, text))).toBe(text)
  })
  it('is read as it was given through the API too', () => {
    expect(defaultOf('boolean', 'Oui')).toBe(true)
    expect(defaultOf('date', '01/03/2027')).toBe('2027-03-01')
    expect(defaultOf('host', '12')).toBe(12)
  })
  it('that is no number of a number’s type is none', () => {
    expect(defaultOf('integer', 'douze')).toBeNull()
  })
})

it('nothing, an empty text and an empty list say the same', () => {
  expect(sameFieldValue('', null)).toBe(true)
  expect(sameFieldValue([], null)).toBe(true)
  expect(sameFieldValue(false, null)).toBe(false)
  expect(sameFieldValue(['a'], ['a'])).toBe(true)
})

it('an item moves to its new place, and nowhere beyond the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
})
