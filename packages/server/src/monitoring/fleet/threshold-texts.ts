import type { FormulaFaultCode, ThresholdFaultCode } from '@narval/engine'

/** What is incoherent about thresholds, in French, beside the field that it concerns. */
export const THRESHOLD_FAULT_TEXTS: Readonly<Record<ThresholdFaultCode, string>> = {
  'not-finite': 'Un nombre est attendu',
  'low-not-below-high': 'Le seuil bas doit être inférieur au seuil haut',
  'error-inside-warning': 'Le seuil d’erreur doit être au-delà du seuil d’alerte',
  'clear-without-threshold': 'Une valeur de retour demande un seuil',
  'clear-on-wrong-side': 'La valeur de retour doit être du côté normal du seuil',
  'clear-past-opposite': 'La valeur de retour dépasse le seuil opposé',
}

/** Why a formula can't be read, in French. */
export const FORMULA_FAULT_TEXTS: Readonly<Record<FormulaFaultCode, string>> = {
  empty: 'Une formule est attendue',
  'too-long': 'La formule est trop longue',
  'too-deep': 'La formule a trop de parenthèses les unes dans les autres',
  unexpected: 'La formule n’est pas lisible',
  unfinished: 'La formule n’est pas finie',
  'number-too-large': 'Un nombre de la formule est trop grand',
}
