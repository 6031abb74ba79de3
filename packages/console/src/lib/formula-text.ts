import { FIELD_PREFIX, THRESHOLD_SIDES, UNREADABLE_FIELD } from '@narval/contracts'
import { parseFormula } from '@narval/engine'
import { threshold as words } from '../i18n/threshold.ts'

/** A text that names a custom field is meant as a formula: « champ.debit * 0,9 »; all else is a figure. */
export const isFormula = (text: string): boolean => text.includes(FIELD_PREFIX)

const SHOWN = 12
/** As long as what it stands for, so that a fault is told where it is. */
const KNOWN = `${FIELD_PREFIX}x`
/** Why a formula can't be read, in French; null when it can, or when only the server knows the field that it names. */
export const formulaFault = (text: string): string | null => {
  const parsed = parseFormula(text.replaceAll(UNREADABLE_FIELD, KNOWN))
  if (!('fault' in parsed)) return null
  const { code, at } = parsed.fault
  const rest = text.slice(at).trim()
  return words.faults[code](rest.length > SHOWN ? `${rest.slice(0, SHOWN)}…` : rest)
}

/** What is wrong with formulas, each sentence at its side, as a schema's check wants it. */
export const formulaIssues = (formulas: Readonly<Record<string, string | undefined>>, at: readonly PropertyKey[]) =>
  THRESHOLD_SIDES.flatMap(side => {
    const text = formulas[side]
    const message = text === undefined ? null : formulaFault(text)
    return message === null
      ? []
      : [{ code: 'custom' as const, path: [...at, 'formulas', side], message, input: text, continue: true }]
  })
