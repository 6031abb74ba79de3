import { isIP } from 'node:net'
import {
  FIELD_CHOICE_SEPARATOR,
  FIELD_LONG_TEXT_MAX,
  FIELD_TEXT_MAX,
  type FieldType,
  type FieldValue,
  fold,
} from '@narval/contracts'
import type { FieldDef } from './field-definitions.ts'
import { compilePattern } from './field-pattern.ts'

/** A value as the database keeps it; a secret's is still plain here, a reference's is the id that was asked for. */
export interface StoredValue {
  readonly value: string
  readonly folded: string
  readonly number: number | null
}
/** What a value is checked against. */
export type FieldRule = Pick<FieldDef, 'type' | 'regex' | 'min' | 'max' | 'choices'>
/** `stored` null: no value. A fault is a French sentence without its full stop. */
export type Checked = { readonly stored: StoredValue | null } | { readonly fault: string }

/**
 * Checks a value of the wire, or the text that a person typed for it (an import, a default), and gives it the form in
 * which it is kept. Whether a host, a site or a user exists is asked of the database afterwards.
 */
export const checkValue = (rule: FieldRule, value: FieldValue): Checked => {
  const given = typeof value === 'string' ? value.trim() : value
  if (given === null || given === '' || (Array.isArray(given) && given.length === 0)) return { stored: null }
  const checked = CHECKS[rule.type](given, rule)
  if ('fault' in checked || checked.stored === null) return checked
  if (rule.regex === '' || !hasPattern(rule.type)) return checked
  const pattern = compilePattern(rule.regex)
  return pattern?.matches(checked.stored.value) === true ? checked : { fault: 'La valeur n’a pas la forme demandée' }
}

/** Types whose text a pattern may constrain. */
export const hasPattern = (type: FieldType): boolean =>
  ['text', 'long-text', 'url', 'email', 'phone', 'secret'].includes(type)
export const hasChoices = (type: FieldType): boolean => type === 'choice' || type === 'multiple-choice'

type Given = Exclude<FieldValue, null>
type Check = (given: Given, rule: FieldRule) => Checked

const fault = (text: string): Checked => ({ fault: text })
const textual = (value: string, folded = fold(value)): Checked => ({ stored: { value, folded, number: null } })
const CONTROL = /\p{Cc}/u

const line =
  (check: (text: string) => Checked, maxLength = FIELD_TEXT_MAX): Check =>
  given => {
    const text = typeof given === 'number' ? String(given) : given
    if (typeof text !== 'string') return fault('Un texte est attendu')
    if (text.length > maxLength) return fault(`${maxLength} caractères au plus`)
    return CONTROL.test(text) ? fault('Les caractères de contrôle ne sont pas acceptés') : check(text)
  }

const longText: Check = given => {
  if (typeof given !== 'string') return fault('Un texte est attendu')
  if (given.length > FIELD_LONG_TEXT_MAX) return fault(`${FIELD_LONG_TEXT_MAX} caractères au plus`)
  return CONTROL.test(given.replace(/[\n\r\t]/g, ''))
    ? fault('Les caractères de contrôle ne sont pas acceptés')
    : textual(given)
}

const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?$/i
/** A number, or its text with a comma or a point; null when it is neither. */
export const numberOf = (given: unknown): number | null => {
  if (typeof given === 'number') return Number.isFinite(given) ? given : null
  if (typeof given !== 'string') return null
  const text = given.replace(/[\s\u00a0\u202f]/g, '')
  if (!NUMBER.test(text)) return null
  const value = Number(text.replace(',', '.'))
  return Number.isFinite(value) ? value : null
}

const numeric =
  (isRight: (value: number) => boolean, expected: string): Check =>
  (given, { min, max }) => {
    const value = numberOf(given)
    if (value === null || !isRight(value)) return fault(expected)
    if (min !== null && value < min) return fault(`Au moins ${numberText(min)}`)
    if (max !== null && value > max) return fault(`Au plus ${numberText(max)}`)
    return { stored: { value: String(value), folded: fold(numberText(value)), number: value } }
  }

const YES: readonly unknown[] = [true, 'true', 'oui', 'vrai', '1']
const NO: readonly unknown[] = [false, 'false', 'non', 'faux', '0']
const yesOrNo: Check = given => {
  const word = typeof given === 'string' ? fold(given) : given
  if (!YES.includes(word) && !NO.includes(word)) return fault('Oui ou non est attendu')
  const yes = YES.includes(word)
  return { stored: { value: String(yes), folded: yes ? 'oui' : 'non', number: yes ? 1 : 0 } }
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const FRENCH_DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/
/** Epoch ms (UTC) of a day as `2026-01-31` or `31/01/2026`; null when there is no such day. */
export const dayOf = (text: string): number | null => {
  const french = FRENCH_DAY.exec(text)
  const iso = french === null ? text : `${french[3]}-${french[2]}-${french[1]}`
  const at = DAY.test(iso) ? Date.parse(`${iso}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== iso ? null : at
}
const day: Check = given => {
  const at = typeof given === 'string' ? dayOf(given) : null
  if (at === null) return fault('Une date existante est attendue (2026-01-31)')
  const value = new Date(at).toISOString().slice(0, 10)
  return { stored: { value, folded: `${dayText(value)} ${value}`, number: at } }
}

const choice = line(text => textual(text))
const oneOf: Check = (given, rule) => {
  const checked = choice(given, rule)
  if ('fault' in checked || checked.stored === null) return checked
  return rule.choices.includes(checked.stored.value) ? checked : fault('Ce choix n’existe pas')
}
const severalOf: Check = (given, { choices }) => {
  const wanted = typeof given === 'string' ? given.split(',').map(one => one.trim()) : given
  if (!Array.isArray(wanted)) return fault('Une liste de choix est attendue')
  if (wanted.some(one => !choices.includes(one))) return fault('Un de ces choix n’existe pas')
  const chosen = choices.filter(one => wanted.includes(one))
  const text = chosen.join(FIELD_CHOICE_SEPARATOR)
  return { stored: { value: JSON.stringify(chosen), folded: fold(text), number: null } }
}

const url = line(text => {
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || parsed.hostname === '')
    return fault('Une adresse web est attendue (https://…)')
  return parsed.username === '' && parsed.password === ''
    ? textual(text)
    : fault('Une adresse web ne doit pas contenir de mot de passe')
})
const EMAIL = /^[^\s@<>"(),:;[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,63}$/u
const email = line(text => (EMAIL.test(text) ? textual(text) : fault('Une adresse e-mail est attendue')), 254)
const PHONE = /^\+?[\d\s()./-]{3,40}$/
const phone = line(text =>
  PHONE.test(text) && text.replace(/\D/g, '').length >= 3 ? textual(text) : fault('Un numéro de téléphone est attendu'),
)
const ip = line(text => {
  const version = text.includes('%') ? 0 : isIP(text)
  if (version === 0) return fault('Une adresse IP est attendue')
  return textual(version === 4 ? text : new URL(`http://[${text}]/`).hostname.slice(1, -1))
})
const MAC = /^(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}|[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4}|[\da-f]{12})$/i
const mac = line(text => {
  if (!MAC.test(text)) return fault('Une adresse MAC est attendue (00:1a:2b:3c:4d:5e)')
  const digits = text.replace(/[^\da-f]/gi, '').toLowerCase()
  return textual(digits.replace(/(..)(?=.)/g, '$1:'))
})

const MAX_ID = 2_147_483_647
/** Names are not kept: they change. What searches and sorts looks them up. */
const reference: Check = given => {
  const id = typeof given === 'string' && /^[1-9]\d{0,9}$/.test(given) ? Number(given) : given
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1 || id > MAX_ID)
    return fault('Un identifiant est attendu')
  return { stored: { value: String(id), folded: '', number: id } }
}

const CHECKS: Readonly<Record<FieldType, Check>> = {
  text: line(text => textual(text)),
  'long-text': longText,
  integer: numeric(Number.isSafeInteger, 'Un nombre entier est attendu'),
  decimal: numeric(Number.isFinite, 'Un nombre est attendu'),
  boolean: yesOrNo,
  date: day,
  choice: oneOf,
  'multiple-choice': severalOf,
  url,
  email,
  phone,
  ip,
  mac,
  host: reference,
  site: reference,
  user: reference,
  secret: line(text => ({ stored: { value: text, folded: '', number: null } })),
}

const listOf = (text: string): string[] => {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list.map(String) : []
}

/** The wire's value of what is kept: a secret says only that there is one. */
export const wireValue = (type: FieldType, { value, number }: StoredValue): FieldValue => {
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'host':
    case 'site':
    case 'user':
      return number
    case 'boolean':
      return number === 1
    case 'multiple-choice':
      return listOf(value)
    case 'secret':
      return true
    default:
      return value
  }
}

const numberText = (value: number): string => String(value).replace('.', ',')
const dayText = (iso: string): string => iso.split('-').toReversed().join('/')
/** What a secret reads as, wherever text is shown. */
export const SECRET_TEXT = 'Défini'

/** The text of a value, without its unit, as lists, history and exports show it and `checkValue` reads it back; `name` is that of a reference. */
export const valueTextOf = (type: FieldType, stored: StoredValue, name: string | null): string => {
  switch (type) {
    case 'integer':
    case 'decimal':
      return numberText(stored.number ?? 0)
    case 'boolean':
      return stored.number === 1 ? 'Oui' : 'Non'
    case 'date':
      return dayText(stored.value)
    case 'multiple-choice':
      return listOf(stored.value).join(FIELD_CHOICE_SEPARATOR)
    case 'host':
    case 'site':
    case 'user':
      return name ?? `n° ${stored.value} (supprimé)`
    case 'secret':
      return SECRET_TEXT
    default:
      return stored.value
  }
}
