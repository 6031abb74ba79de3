/** A chapter of the guide: who it is for, and its pages in reading order, by the path of their file under docs/guide. */
export interface Chapter {
  readonly title: string
  /** One sentence, for the page of the contents. */
  readonly about: string
  readonly pages: readonly string[]
}

/** The page that the Documentation link opens. */
export const START_PAGE = 'index'

/** The whole guide, in reading order: what « précédent » and « suivant » follow. */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Commencer',
    about: 'De l’installation au premier équipement supervisé, et les mots de Narval.',
    pages: ['premiers-pas', 'console', 'recherche', 'mon-compte', 'glossaire'],
  },
  {
    title: 'Opérateurs',
    about: 'Voir ce qui va mal, comprendre, agir, le dire aux autres.',
    pages: [
      ...['tableaux-de-bord', 'statuts', 'disponibilite', 'carte', 'mode-mural'],
      ...['fiches', 'incidents', 'agir', 'maintenance', 'graphiques', 'commentaires', 'notifications'],
    ],
  },
  {
    title: 'Administrateurs',
    about: 'Décrire ce qui est supervisé, régler qui est prévenu et de quoi, tenir Narval en marche.',
    pages: [
      ...['installer', 'objets', 'champs-dynamiques', 'decouverte', 'sondes', 'scanners', 'regles'],
      ...['notifications-regles', 'notifications-canaux', 'comptes', 'parametres', 'services', 'journal'],
      ...['exploitation', 'depanner'],
    ],
  },
  {
    title: 'Contrôles',
    about: 'Chaque genre de contrôle : ce qu’il fait, ses paramètres, ses métriques, ses messages.',
    pages: [
      ...['ping', 'tcp', 'http', 'tls', 'dns', 'ntp', 'smtp', 'imap', 'ldap', 'ssh', 'sql', 'openmetrics'],
      ...['snmp', 'snmp-system', 'snmp-interfaces', 'snmp-storage', 'snmp-sensors', 'snmp-ups', 'snmp-printer'],
      ...['system', 'push', 'trap', 'syslog'],
    ].map(kind => `controles/${kind}`),
  },
  {
    title: 'Intégrateurs',
    about: 'Lire et écrire dans Narval par programme, être prévenu en direct, y envoyer ses valeurs.',
    pages: ['api', 'temps-reel', 'echanges'],
  },
]

/** Every page in reading order, the start page first. */
export const PAGES: readonly string[] = [START_PAGE, ...CHAPTERS.flatMap(({ pages }) => pages)]
