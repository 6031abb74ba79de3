import { formatCount } from '../lib/format.ts'

/** Words of maintenances where they are planned or shown from other pages. */
export const maintenanceWords = {
  plan: 'Planifier une maintenance',
  planOf: (what: string) => `Planifier une maintenance de ${what}`,
  inMaintenance: 'En maintenance',
  until: (time: string) => `jusqu’à ${time}`,
  mark: (time: string, comment: string) => `En maintenance jusqu’à ${time}\u202f: ${comment}`,
  markHelp: 'Les contrôles continuent, personne n’est prévenu.',
  open: 'Ouvrir la maintenance',
  comment: 'Commentaire',
  commentHelp: 'Pourquoi\u202f: les autres le liront. Obligatoire.',
  commentRequired: 'Champ requis',
  lasts: 'Durée',
  lastsHelp: 'À partir de maintenant.',
  durations: {
    '30': '30 minutes',
    '60': '1 heure',
    '120': '2 heures',
    '240': '4 heures',
    '480': '8 heures',
    '1440': '24 heures',
    dates: 'De… à…',
  },
  from: 'Début',
  to: 'Fin',
  propagate: 'Couvrir aussi ce qui en dépend',
  propagateHelp: 'Les équipements que l’on atteint à travers ceux-ci, de proche en proche.',
  submit: 'Planifier',
  counting: 'Calcul de ce qui est couvert…',
  covers: (hosts: number, metrics: number) =>
    `Couvre ${formatCount(hosts, 'équipement')} et ${formatCount(metrics, 'métrique')}.`,
  planned: 'Maintenance planifiée',
  started: 'Maintenance en cours',
  more: 'Récurrence, plage souple\u202f: voir le formulaire complet',
  filter: 'En maintenance',
  filterChoices: { true: 'En maintenance', false: 'Hors maintenance' },
} as const
