import type { DeliveryState, NotificationMessageKind } from '@narval/contracts'

/** Words of what is sent, wherever it is shown. */
export const delivery = {
  states: {
    waiting: 'En attente',
    sent: 'Envoyé',
    failed: 'Abandonné',
    dropped: 'Sans suite',
    cancelled: 'Annulé',
  } satisfies Record<DeliveryState, string>,
  kinds: {
    problem: 'Problème',
    news: 'Évolution',
    reminder: 'Rappel',
    recovery: 'Retour à la normale',
    flapping: 'Bagotement',
    'maintenance-report': 'Bilan de maintenance',
    test: 'Essai',
  } satisfies Record<NotificationMessageKind, string>,
  none: 'Personne n’a été prévenu de cet incident.',
  by: (channel: string) => `par ${channel === '' ? 'un canal supprimé' : `«\u202f${channel}\u202f»`}`,
  next: 'Prochain essai',
  attempts: (count: number) => (count <= 1 ? '' : `${count} essais`),
  answer: 'Réponse du canal',
  retry: 'Renvoyer maintenant',
  cancel: 'Ne pas envoyer',
  retried: 'L’envoi est repris.',
  cancelled: 'L’envoi est annulé.',
  failed: 'Action refusée',
}
