import { scanner } from '../../i18n/scanner.ts'
import { formatCount } from '../../lib/format.ts'

/** Words of the scanners' section. */
export const fr = {
  title: 'Scanner',
  newTitle: 'Nouveau scanner',
  scanner: (count: number) => formatCount(count, 'scanner'),
  add: 'Ajouter un scanner',
  discover: 'Découverte',
  search: 'Chercher par nom, équipement, adresse…',
  emptyTitle: 'Aucun scanner',
  emptyText:
    'Un scanner est ce qu’une sonde (collecteur) contrôle régulièrement sur un équipement\u202f: ping, port, page web… Il produit des métriques.',
  runBy: (name: string, probe: string) => `exécuté par ${name} à la place de ${probe}`,
  columns: {
    result: 'Dernier résultat',
    name: 'Nom',
    kind: 'Genre',
    host: 'Équipement',
    address: 'Adresse',
    site: 'Site',
    probe: 'Sonde',
    interval: 'Intervalle',
    metrics: 'Métriques',
    lastRun: 'Dernier contrôle',
    duration: 'Durée',
  },
  succeeded: 'Réussi',
  failed: 'Échec',
  never: 'Pas encore',
  disabled: 'Désactivé',
  filters: { kind: 'Genre', site: 'Site', host: 'Équipement', probe: 'Sonde' },
  sections: {
    kind: 'Genre',
    kindHelp:
      'Ce que la sonde fait à chaque contrôle. Le genre ne change plus une fois le scanner créé\u202f: ses métriques en dépendent.',
    target: 'Cible',
    targetHelp: 'L’équipement contrôlé, et la sonde (collecteur) qui s’en charge.',
    parameters: 'Paramètres',
    schedule: 'Planification',
    scheduleHelp:
      'Vide\u202f: la valeur de la plateforme. L’intervalle entre deux tentatives ne dépasse pas l’intervalle, ni le délai d’attente l’intervalle entre deux tentatives.',
    metrics: 'Métriques produites',
    metricsHelp:
      'Elles paraissent après le premier contrôle\u202f; leurs seuils se règlent dans l’édition des métriques.',
  },
  fields: {
    kind: 'Genre',
    hostId: 'Équipement',
    name: 'Nom',
    probeId: 'Sonde',
    enabled: 'Scanner actif',
    ...scanner.schedule,
    parameters: 'Paramètres',
    overrides: 'Valeurs propres à ce scanner',
  },
  help: {
    probeId: 'Vide\u202f: celle de l’équipement.',
    probeIdNoClaim: 'La changer demande le droit «\u202fSondes\u202f».',
    enabled: 'Désactivé, il n’est plus lancé et ses métriques ne sont plus mesurées.',
  },
  lastError: 'Le dernier contrôle a échoué',
  noMetrics: 'Pas encore de métrique\u202f: elles paraissent après le premier contrôle.',
  addMetric: 'Ajouter une métrique',
  loadFailed: 'Les métriques n’ont pas pu être chargées.',
} as const
