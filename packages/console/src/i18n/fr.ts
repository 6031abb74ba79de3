/** Words of the shell and those that several sections share. Each section has its own `fr.ts`. */
export const fr = {
  product: 'Narval',
  severity: { error: 'Erreur', warning: 'Alerte', unknown: 'Inconnu', ok: 'OK' },
  hostState: {
    down: 'Indisponible',
    unreachable: 'Injoignable',
    unknown: 'Inconnu',
    pending: 'En attente',
    available: 'Disponible',
    disabled: 'Désactivé',
  },
  common: {
    save: 'Enregistrer',
    cancel: 'Annuler',
    delete: 'Supprimer',
    edit: 'Modifier',
    create: 'Créer',
    add: 'Ajouter',
    close: 'Fermer',
    search: 'Rechercher',
    retry: 'Réessayer',
    loading: 'Chargement…',
    yes: 'Oui',
    no: 'Non',
    none: 'Aucun',
    required: 'Champ requis',
    optional: 'facultatif',
    back: 'Retour',
    saved: 'Modifications enregistrées',
  },
  api: {
    unreachable: 'Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez.',
    timeout: 'Le serveur met trop de temps à répondre. Réessayez dans un instant.',
    unreadable:
      'La réponse du serveur est illisible. La console est peut-être plus ancienne que lui : rechargez la page.',
    status: (status: number) =>
      status >= 500
        ? `Le serveur a rencontré un incident (code ${status}). Réessayez dans un instant.`
        : `La demande a été refusée (code ${status}).`,
  },
  states: {
    errorTitle: 'Impossible de charger ces données',
    later: 'Cette rubrique n’est pas encore disponible',
    laterText: 'Elle arrivera dans une prochaine version de Narval.',
    renderTitle: 'Cette page a rencontré un problème',
    renderText:
      'Le reste de la console fonctionne. Rechargez la page ; si le problème revient, signalez-le à votre administrateur.',
    reload: 'Recharger la page',
  },
} as const
