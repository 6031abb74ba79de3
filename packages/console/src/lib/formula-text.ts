import { FIELD_PREFIX } from '@narval/contracts'

/** A text that names a custom field is meant as a formula: « champ.debit * 0,9 »; all else is a figure. */
export const isFormula = (text: string): boolean => text.includes(FIELD_PREFIX)
