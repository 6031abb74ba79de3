import { formatCount } from '../../lib/format.ts'

/** Texts of the notifications page. */
export const fr = {
  title: 'Notifications',
  markRead: 'Tout marquer comme lu',
  all: 'Toutes',
  unread: 'Non lues',
  show: 'Afficher',
  severity: 'État',
  anySeverity: 'Tous les états',
  site: 'Site',
  anySite: 'Tous les sites',
  period: 'Période',
  periods: {
    all: 'Toute la période',
    '24h': '24 dernières heures',
    '7d': '7 derniers jours',
    '30d': '30 derniers jours',
  },
  clear: 'Effacer les filtres',
  emptyTitle: 'Aucune notification',
  emptyText:
    'Les changements d’état confirmés de vos équipements arriveront ici, et en direct pendant que la console est ouverte.',
  emptyUnread: 'Tout est lu',
  emptyUnreadText: 'Rien de nouveau depuis votre dernier passage.',
  emptyFiltered: 'Aucune notification ne correspond',
  emptyFilteredText: 'Élargissez la période, ou effacez les filtres.',
  toIncidents: 'Voir les incidents',
  isUnread: 'Non lue',
  unreadOf: (count: number) => formatCount(count, 'non lue', 'non lues'),
  open: 'En cours',
  over: 'Terminé',
  lasted: (text: string) => `a duré ${text}`,
  acknowledgedBy: (who: string) => `acquitté par ${who}`,
  earlier: (count: number) =>
    `${formatCount(count, 'notification plus ancienne', 'notifications plus anciennes')} sur la page de l’incident`,
  showAll: (count: number) => `Montrer les ${count} notifications`,
  alertsOf: (title: string) => `Notifications de «\u202f${title}\u202f»`,
  more: 'Montrer la suite',
  end: 'Toutes les notifications sont affichées.',
} as const
