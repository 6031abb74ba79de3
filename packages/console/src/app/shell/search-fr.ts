import { formatCount } from '../../lib/format.ts'

/** Texts of the search box. */
export const searchFr = {
  label: 'Rechercher',
  help: 'Pages, objets, incidents, personnes et actions',
  pages: 'Pages',
  actions: 'Actions',
  recent: 'Consultés récemment',
  acts: 'Agir',
  verbs: {
    acknowledge: (name: string) => `Acquitter ${name}`,
    maintain: (name: string) => `Planifier une maintenance de ${name}`,
    check: (name: string) => `Vérifier maintenant ${name}`,
  },
  kinds: {
    site: 'Sites',
    host: 'Équipements',
    incident: 'Incidents en cours',
    metric: 'Métriques',
    scanner: 'Scanners',
    probe: 'Sondes',
    model: 'Modèles de supervision',
    user: 'Comptes',
    group: 'Groupes',
  },
  /** After the last one that is shown of a kind. */
  more: {
    site: 'Chercher parmi tous les sites',
    host: 'Chercher parmi tous les équipements',
    incident: 'Chercher parmi tous les incidents',
    metric: 'Chercher parmi toutes les métriques',
    scanner: 'Chercher parmi tous les scanners',
    user: 'Chercher parmi tous les comptes',
  },
  nothing: (term: string) => `Rien ne correspond à «\u202f${term}\u202f».`,
  nothingHelp: 'Essayez avec moins de mots, ou une partie du nom ou de l’adresse.',
  nothingToAcknowledge: 'Aucun incident en cours ne porte ce nom\u202f: il n’y a rien à acquitter.',
  waiting: 'Recherche…',
  failed: 'La recherche a échoué. Réessayez dans un instant.',
  results: (count: number) => formatCount(count, 'résultat', 'résultats'),
  keys: { choose: 'choisir', open: 'ouvrir', newTab: 'nouvel onglet', close: 'fermer' },
  themeFailed: 'Le thème n’a pas pu être changé',
} as const
