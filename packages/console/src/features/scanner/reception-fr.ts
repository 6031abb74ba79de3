/** Words of what is received: pushed values, traps, syslog. */
export const fr = {
  push: {
    title: 'Envoyer des valeurs',
    text: 'Un programme envoie ses valeurs à cette adresse avec le jeton du scanner\u202f; rien d’autre ne lui est demandé.',
    none: 'Aucun jeton\u202f: rien ne peut encore être envoyé.',
    made: 'Jeton en vigueur, créé',
    by: (login: string) => `par ${login}`,
    create: 'Créer le jeton',
    renew: 'Renouveler le jeton',
    renewText: 'Le jeton en vigueur ne sera plus accepté\u202f: les programmes qui l’ont devront recevoir le nouveau.',
    cancel: 'Annuler',
    once: 'Copiez la commande maintenant\u202f: le jeton qu’elle contient ne sera plus jamais montré.',
    command: 'Commande d’envoi',
    short: 'Sans JSON, pour la première valeur',
    copy: 'Copier',
    copied: 'Copié',
    selected: 'Sélectionné',
  },
  events: {
    title: 'Messages reçus',
    none: 'Aucun message retenu par une règle pour l’instant.',
    severity: { error: 'Erreur', warning: 'Alerte', ok: 'Retour à la normale' },
    older: 'Plus anciens',
  },
} as const
