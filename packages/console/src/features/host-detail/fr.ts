import { formatCount } from '../../lib/format.ts'

export const fr = {
  section: 'Équipements',
  title: 'Équipement',
  edit: 'Modifier',
  check: 'Vérifier maintenant',
  checked: 'Vérification demandée',
  checkedText: (scanners: number) =>
    `${formatCount(scanners, 'scanner')} en cours ; les résultats arrivent d’eux-mêmes.`,
  failed: 'Action impossible',
  metrics: 'Métriques',
  charts: 'Graphiques',
  incidents: 'Incidents',
  scanners: 'Scanners',
  instruction: 'Consigne',
  why: 'Pourquoi est-ce rouge ?',
  whyWarning: 'Pourquoi une alerte ?',
  whyUnknown: 'Pourquoi inconnu ?',
  columns: { state: 'État', name: 'Métrique', value: 'Valeur / seuil', hour: '1 h', since: 'Depuis' },
  noMetrics: 'Aucune métrique : ajoutez un scanner à cet équipement.',
  everyS: (seconds: number) => `toutes les ${formatCount(seconds, 'seconde')}`,
  lastRun: 'dernier passage',
  neverRun: 'pas encore passé',
  disabled: 'désactivé',
  answers: 'répond',
  probe: { online: 'reçoit des résultats', none: 'aucune sonde ne l’interroge' },
} as const
