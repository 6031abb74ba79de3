import { fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../http/refusal.ts'
import { containsFolded, type FilterValue, idsOf } from './datatable.ts'
import { checkValue, dayOf, numberOf } from './field-check.ts'
import { type FieldDef, isNumeric, isReference } from './field-definitions.ts'

/** The columns of a value that conditions are about, as a list finds them for each of its rows. */
export interface ValueColumns {
  readonly value: RawBuilder<unknown>
  readonly folded: RawBuilder<unknown>
  readonly number: RawBuilder<unknown>
}
/** A condition on a value, to be put where the value is; null: that there is none. */
export type ValueCondition = ((columns: ValueColumns) => RawBuilder<boolean>) | null

/**
 * What each part of a filter asks of a field: a text contains it; a number, a date, yes or no and a choice are it; numbers
 * and dates may be a range `10..20`, open at one end; '' stands for no value. Refuses (400) what the type can't be.
 */
export const conditionsFor = (definition: FieldDef, filter: FilterValue): readonly ValueCondition[] => {
  const parts: readonly (string | number | boolean)[] = typeof filter === 'object' ? filter : [filter]
  if (parts.length === 0) throw wrong(definition, 'une valeur')
  return parts.map(part => (String(part).trim() === '' ? null : conditionOf(definition, part)))
}

const wrong = ({ key }: FieldDef, expected: string) => invalid([`Filtre « champ.${key} » : ${expected} est attendu.`])

const conditionOf = (definition: FieldDef, part: string | number | boolean): ValueCondition => {
  const { type } = definition
  const text = String(part).trim()
  // PostgreSQL knows no such character, so that no value has it.
  if (text.includes('\u0000')) return () => sql<boolean>`1 = 0`
  if (isNumeric(type)) return within(rangeOf(text, numberOf) ?? refuse(definition, 'un nombre, ou 10..20,'))
  if (type === 'date') return within(rangeOf(text, dayOf) ?? refuse(definition, 'une date, ou 2026-01-01..2026-12-31,'))
  if (isReference(type)) {
    const [id = 0] = idsOf(part)
    return ({ number }) => sql<boolean>`${number} = ${id}`
  }
  if (type === 'boolean') {
    const checked = checkValue(definition, text)
    const wanted = 'fault' in checked ? refuse(definition, 'oui ou non') : (checked.stored?.number ?? 0)
    return ({ number }) => sql<boolean>`${number} = ${wanted}`
  }
  if (type === 'choice') return ({ value }) => sql<boolean>`${value} = ${text}`
  // Kept as a JSON list: the quoted choice is in it, or replacing it changes nothing.
  if (type === 'multiple-choice')
    return ({ value }) => sql<boolean>`replace(${value}, ${JSON.stringify(text)}, '') <> ${value}`
  if (fold(text) === '') return null
  return ({ folded }) => containsFolded(folded, text)
}

const refuse = (definition: FieldDef, expected: string): never => {
  throw wrong(definition, expected)
}

interface Range {
  readonly from: number | null
  readonly to: number | null
}
const rangeOf = (text: string, read: (text: string) => number | null): Range | null => {
  const cut = text.indexOf('..')
  if (cut < 0) {
    const exact = read(text)
    return exact === null ? null : { from: exact, to: exact }
  }
  const ends = [text.slice(0, cut).trim(), text.slice(cut + 2).trim()]
  const [from = null, to = null] = ends.map(end => (end === '' ? null : read(end)))
  const isWrong = (from === null && ends[0] !== '') || (to === null && ends[1] !== '') || (from === null && to === null)
  return isWrong ? null : { from, to }
}

const within =
  ({ from, to }: Range): ValueCondition =>
  ({ number }) =>
    to === null
      ? sql<boolean>`${number} >= ${from}`
      : from === null
        ? sql<boolean>`${number} <= ${to}`
        : sql<boolean>`${number} between ${from} and ${to}`
