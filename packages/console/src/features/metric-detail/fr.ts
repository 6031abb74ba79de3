export const fr = {
  section: 'Métriques',
  title: 'Métrique',
  edit: 'Modifier',
  state: 'État présent',
  incidents: 'Incidents',
  soft: 'non confirmé',
  hard: 'confirmé',
  facts: {
    state: 'État',
    since: 'Depuis',
    last: 'Dernière mesure',
    attempt: 'Tentative',
    information: 'Information',
    error: 'Seuil d’erreur',
    warning: 'Seuil d’alerte',
    key: 'Clé',
  },
} as const
