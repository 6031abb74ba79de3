/** Texts of the notifications page. */
export const fr = {
  title: 'Notifications',
  markRead: 'Tout marquer comme lu',
  all: 'Toutes',
  unread: 'Non lues',
  show: 'Afficher',
  emptyTitle: 'Aucune notification',
  emptyText:
    'Les changements d’état confirmés de vos équipements arriveront ici, et en direct pendant que la console est ouverte.',
  emptyUnread: 'Tout est lu',
  emptyUnreadText: 'Rien de nouveau depuis votre dernier passage.',
  isUnread: 'Non lue',
  limit: (count: number) => `Les ${count} dernières sont affichées.`,
} as const
