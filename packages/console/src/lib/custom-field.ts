import {
  FIELD_CHOICE_SEPARATOR,
  type FieldDefinition,
  type FieldDefinitionInput,
  type FieldType,
  type FieldValue,
  fold,
  UNITS,
  type Unit,
} from '@narval/contracts'
import { formatNumber, formatValue, NNBSP, UNIT_LABELS } from './format.ts'

/** What a definition may say beside what every field has. */
export type FieldParameter = 'unit' | 'bounds' | 'choices' | 'regex' | 'default'

const WORDS: readonly FieldParameter[] = ['regex', 'default']
const NUMBERS: readonly FieldParameter[] = ['unit', 'bounds', 'default']
const CHOICES: readonly FieldParameter[] = ['choices', 'default']
/** The parameters that mean something for each type; the form shows no other. */
export const FIELD_PARAMETERS: Readonly<Record<FieldType, readonly FieldParameter[]>> = {
  text: WORDS,
  'long-text': WORDS,
  integer: NUMBERS,
  decimal: NUMBERS,
  boolean: ['default'],
  date: ['default'],
  choice: CHOICES,
  'multiple-choice': CHOICES,
  url: WORDS,
  email: WORDS,
  phone: WORDS,
  ip: ['default'],
  mac: ['default'],
  host: ['default'],
  site: ['default'],
  user: ['default'],
  secret: ['regex'],
}

export const isReference = (type: FieldType): boolean => type === 'host' || type === 'site' || type === 'user'
export const isNumeric = (type: FieldType): boolean => type === 'integer' || type === 'decimal'

const KEY_MAX = 40
/** A key out of a label: folded, snake case, beginning with a letter: « Débit (Mbit/s) » → `debit_mbit_s`. */
export const proposeKey = (label: string): string => {
  const words = fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
  const key = /^\d/.test(words) ? `n${words}` : words
  return key.slice(0, KEY_MAX).replace(/_+$/, '')
}

/** The definition without what its type knows nothing of, left from another type tried before. */
export const withoutForeignParameters = (input: FieldDefinitionInput): FieldDefinitionInput => {
  const parameters = FIELD_PARAMETERS[input.type]
  return {
    ...input,
    unit: parameters.includes('unit') ? input.unit : '',
    min: parameters.includes('bounds') ? input.min : null,
    max: parameters.includes('bounds') ? input.max : null,
    choices: parameters.includes('choices') ? input.choices : [],
    regex: parameters.includes('regex') ? input.regex : '',
    defaultValue: parameters.includes('default') ? input.defaultValue : '',
  }
}

/** A field's unit when it is one of the metrics', which are written with their multiples; null for a unit of its own. */
export const measuredUnit = (unit: string): Exclude<Unit, '' | 'count' | 'code'> | null => {
  const known = UNITS.find(one => one === unit)
  return known === undefined || known === '' || known === 'count' || known === 'code' ? null : known
}
/** What stands after a number. */
export const unitLabel = (unit: string): string => {
  const known = measuredUnit(unit)
  return known === null ? unit : UNIT_LABELS[known]
}

const numberText = (value: number, unit: string): string => {
  const known = measuredUnit(unit)
  if (known !== null) return formatValue(value, known)
  const text = formatNumber(value, 6)
  return unit === '' || unit === 'count' || unit === 'code' ? text : `${text}${NNBSP}${unit}`
}

const FRENCH_DATE = /^(\d{2})\/(\d{2})\/(\d{4})$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
/** A date of the wire as one reads it: `2027-03-01` → « 01/03/2027 ». */
export const dateText = (value: string): string => value.replace(DATE, '$3/$2/$1')

/** The text that the server gives a number, with a comma and no unit; null when it is none. */
export const numberOf = (text: string): number | null => {
  const number = Number(text.replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(number) ? null : number
}
/** A value's text as the server writes it, with what a reader needs beside it: a number's unit and its spaces. */
export const shownText = (shape: Shape, text: string): string => {
  if (shape.type === 'secret') return text === '' ? '' : '•••'
  const number = isNumeric(shape.type) ? numberOf(text) : null
  return number === null ? text : fieldText(shape, number)
}

type Shape = Pick<FieldDefinition, 'type' | 'unit'>
/** A value in French; '' for none. Ids are left to the server, which knows their names. */
export const fieldText = ({ type, unit }: Shape, value: FieldValue): string => {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join(FIELD_CHOICE_SEPARATOR)
  if (typeof value === 'boolean') return type === 'secret' ? '•••' : value ? 'Oui' : 'Non'
  if (typeof value === 'number') return isNumeric(type) ? numberText(value, unit) : `n°${NNBSP}${value}`
  return type === 'date' ? dateText(value) : value
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['oui', true],
  ['false', false],
  ['non', false],
])
/** A definition's default, a text on the wire, as a value of its type; null for none or an unreadable one. */
export const defaultOf = (type: FieldType, text: string): FieldValue => {
  if (text === '') return null
  if (isNumeric(type) || isReference(type)) return numberOf(text)
  if (type === 'boolean') return BOOLEANS.get(fold(text)) ?? null
  if (type === 'multiple-choice') return text.split(FIELD_CHOICE_SEPARATOR).filter(choice => choice !== '')
  return type === 'date' ? text.replace(FRENCH_DATE, '$3-$2-$1') : text
}
/** The inverse: what the definition carries. */
export const defaultTextOf = (value: FieldValue): string =>
  value === null ? '' : Array.isArray(value) ? value.join(FIELD_CHOICE_SEPARATOR) : String(value)

/** True when two values say the same; nothing, an empty text and an empty list are all nothing. */
export const sameFieldValue = (a: FieldValue, b: FieldValue): boolean =>
  JSON.stringify(orNothing(a)) === JSON.stringify(orNothing(b))
/** What a person left empty is no value. */
export const orNothing = (value: FieldValue): FieldValue =>
  value === '' || (Array.isArray(value) && value.length === 0) ? null : value

/** Moves the item at `from` to stand at `to`; the list itself when that is nowhere. */
export const moved = <T>(items: readonly T[], from: number, to: number): readonly T[] => {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length || from === to) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}
