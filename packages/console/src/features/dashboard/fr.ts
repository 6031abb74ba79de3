import { formatCount } from '../../lib/format.ts'

export const fr = {
  views: { unhandled: 'Problèmes non traités', problems: 'Tous les problèmes', all: 'Tout' },
  viewLabel: 'Problèmes montrés',
  tiles: {
    label: 'Compteurs',
    acknowledged: 'Acquittés',
    inMaintenance: 'En maintenance',
    probesOffline: 'Sondes hors ligne',
    soft: (count: number) => `${formatCount(count, 'état')} non confirmé${count >= 2 ? 's' : ''}`,
    share: (text: string) => `${text} des métriques`,
    of: (count: number) => `sur ${count}`,
    stale: 'Compteurs interrompus',
  },
  columns: {
    state: 'État',
    host: 'Équipement',
    metric: 'Métrique',
    site: 'Site',
    probe: 'Sonde',
    value: 'Valeur / seuil',
    hour: '1 h',
    since: 'Depuis',
    last: 'Vérifié',
    attempt: 'Tentative',
    information: 'Information',
    acknowledged: 'Acquitté par',
    actions: 'Actions',
  },
  acknowledgedBy: (who: string, comment: string) => `Acquitté par ${who}\u202f: «\u202f${comment}\u202f»`,
  noun: (count: number) => formatCount(count, 'métrique'),
  search: 'Chercher un équipement, une métrique, un site',
  site: 'Site',
  emptyUnhandledTitle: 'Aucun problème non traité',
  emptyProblemsTitle: 'Aucun problème',
  emptyTexts: {
    unhandled: 'Tout ce qui est supervisé répond, ou a déjà été pris en charge.',
    problems: 'Tout ce qui est supervisé va bien.',
  },
  /** Where nothing is listed and yet not all is known. */
  emptyUnknownText: (count: number) =>
    count === 0
      ? 'On ne sait pas encore comment va ce qui est supervisé.'
      : `L’état de ${formatCount(count, 'métrique')} est inconnu\u202f: on attend une mesure, ou quelqu’un s’en occupe déjà.`,
  emptyAllTitle: 'Rien n’est encore supervisé',
  emptyAllText:
    'Donnez l’adresse d’un premier équipement\u202f: la sonde l’essaie, vous choisissez ses contrôles, et ses mesures arrivent aussitôt.',
  emptyAllTextReader: 'Les problèmes paraîtront ici dès qu’un administrateur aura ajouté un équipement.',
  firstRun: {
    title: 'Cette machine est supervisée. Et le reste du réseau\u202f?',
    text: 'Donnez l’adresse d’un premier équipement\u202f: la sonde l’essaie, et ses mesures arrivent en moins d’une minute.',
    later: 'Plus tard',
  },
  actions: {
    open: 'Ouvrir l’équipement',
    openMetric: 'Ouvrir la métrique',
    openIncident: 'Ouvrir l’incident',
  },
} as const
