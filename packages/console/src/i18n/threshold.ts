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
  formulaExample: 'champ.debit * 0,9',
  variables: 'Champs utilisables\u202f:',
  noData: { unknown: 'L’état devient «\u202fInconnu\u202f»', keep: 'L’état est gardé' },
} as const
