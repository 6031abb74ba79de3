import * as z from 'zod/mini'

/**
 * French sentences for what a schema refuses. Set once for every schema of this package, so that the form, the API and
 * the tests all say the same thing; a number in a message is the one that the schema enforces.
 */
const expected: Readonly<Record<string, string>> = {
  string: 'un texte est attendu',
  number: 'un nombre est attendu',
  int: 'un nombre entier est attendu',
  boolean: 'vrai ou faux est attendu',
  array: 'une liste est attendue',
  object: 'un objet est attendu',
  record: 'un objet est attendu',
  date: 'une date est attendue',
  null: 'rien n’est attendu',
}

const tooSmall = (origin: unknown, minimum: unknown): string => {
  if (origin === 'string') return minimum === 1 ? 'Champ requis' : `Au moins ${minimum} caractères sont attendus`
  if (origin === 'array')
    return minimum === 1 ? 'Au moins un élément est attendu' : `Au moins ${minimum} éléments sont attendus`
  return `La valeur doit être au moins ${minimum}`
}

const tooBig = (origin: unknown, maximum: unknown): string => {
  if (origin === 'string')
    return maximum === 1 ? 'Un seul caractère est accepté' : `Au plus ${maximum} caractères sont acceptés`
  if (origin === 'array')
    return maximum === 1 ? 'Un seul élément est accepté' : `Au plus ${maximum} éléments sont acceptés`
  return `La valeur doit être au plus ${maximum}`
}

const formats: Readonly<Record<string, string>> = {
  email: 'Une adresse e-mail est attendue',
  url: 'Une adresse web est attendue',
  datetime: 'Une date ISO 8601 en UTC est attendue',
  safeint: 'Un nombre entier est attendu',
}

type RawIssue = Parameters<NonNullable<NonNullable<Parameters<typeof z.config>[0]>['customError']>>[0]

const wrongType = (issue: RawIssue): string => {
  if (issue.input === undefined) return 'Champ requis'
  const name = 'expected' in issue ? String(issue.expected) : ''
  return `Valeur incorrecte\u202f: ${expected[name] ?? 'un autre type est attendu'}`
}

const unknownValue = (values: unknown): string =>
  Array.isArray(values) && values.length > 0
    ? `Valeur inconnue, attendu\u202f: ${values.slice(0, 12).join(', ')}`
    : 'Valeur inconnue'

/** The names that were sent, which may be anything: a few, short and on one line. */
const unknownFields = (keys: unknown): string => {
  const names = (Array.isArray(keys) ? keys : []).map(
    key => `«\u202f${String(key).replace(UNPRINTABLE, '').slice(0, 60)}\u202f»`,
  )
  if (names.length === 0) return 'Champ inconnu'
  const more = names.length > SHOWN_NAMES ? '…' : ''
  return `${names.length === 1 ? 'Champ inconnu' : 'Champs inconnus'}\u202f: ${names.slice(0, SHOWN_NAMES).join(', ')}${more}`
}
const SHOWN_NAMES = 5
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/** One sentence for one issue of zod; never the value itself, which may be hostile or secret. */
export const frenchMessage = (issue: RawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue)
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum)
    case 'too_big':
      return tooBig(issue.origin, issue.maximum)
    case 'invalid_format':
      return formats[String(issue.format)] ?? 'Format incorrect'
    case 'invalid_value':
      return unknownValue(issue.values)
    case 'unrecognized_keys':
      return unknownFields(issue.keys)
    case 'not_multiple_of':
      return `Un multiple de ${String(issue.divisor)} est attendu`
    default:
      return 'Valeur incorrecte'
  }
}

z.config({ customError: frenchMessage })

/** A field's path and its sentence: `{ field: 'thresholds.errorHigh', message: 'Un nombre est attendu' }`. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** Flattens what a schema refused, at most 50 sentences. */
export const fieldErrors = (error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}): FieldError[] =>
  error.issues
    .slice(0, 50)
    .map(issue => ({ field: issue.path.map(String).join('.').slice(0, 200), message: issue.message }))
