import { NO_DATA_LABELS } from '@narval/contracts'

/** Words of thresholds, those of a metric and those of a monitoring model. */
export const threshold = {
  names: {
    errorHigh: 'Seuil d’erreur haut',
    warningHigh: 'Seuil d’alerte haut',
    warningLow: 'Seuil d’alerte bas',
    errorLow: 'Seuil d’erreur bas',
  },
  high: 'Valeur trop haute',
  low: 'Valeur trop basse',
  clear: 'Valeur de retour',
  clearOf: (name: string) => `Valeur de retour du ${name.charAt(0).toLowerCase()}${name.slice(1)}`,
  clearDefault: (value: string) => `automatique\u202f: ${value}`,
  warning: 'alerte',
  error: 'erreur',
  above: (what: string, value: string) => `${what} > ${value}`,
  below: (what: string, value: string) => `${what} < ${value}`,
  computed: (value: string) => `= ${value}`,
  formula: 'Formule, calculée pour chaque équipement.',
  formulaHelp: 'Un seuil peut aussi être une formule sur les champs dynamiques de l’équipement\u202f:',
  formulaExample: (variable: string) => `${variable} * 0,9`,
  variables: '— champs utilisables\u202f:',
  faults: {
    empty: () => 'La formule est vide',
    'too-long': () => 'La formule est trop longue',
    'too-deep': () => 'Trop de parenthèses les unes dans les autres',
    unexpected: (rest: string) => `Formule incomprise à partir de «\u202f${rest}\u202f»`,
    unfinished: () => 'La formule n’est pas finie',
    'number-too-large': () => 'Un nombre est trop grand',
  },
  noData: NO_DATA_LABELS,
} as const
