import type { ThresholdFaultCode } from '@narval/engine'

/** What is incoherent about thresholds, in French, beside the field that it concerns. */
export const THRESHOLD_FAULT_TEXTS: Readonly<Record<ThresholdFaultCode, string>> = {
  'not-finite': 'Un nombre est attendu',
  'low-not-below-high': 'Le seuil bas doit être inférieur au seuil haut',
  'error-inside-warning': "Le seuil d'erreur doit être au-delà du seuil d'alerte",
  'clear-without-threshold': 'Une valeur de retour demande un seuil',
  'clear-on-wrong-side': 'La valeur de retour doit être du côté normal du seuil',
  'clear-past-opposite': 'La valeur de retour dépasse le seuil opposé',
}
