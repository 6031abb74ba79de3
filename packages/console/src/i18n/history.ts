/** Words of the history of an object. */
export const history = {
  title: 'Historique',
  none: 'Aucun changement.',
  more: 'Voir les plus anciens',
  by: (actor: string | null) => actor ?? 'Narval',
  empty: 'vide',
  becomes: 'devient',
  actions: {
    create: 'a créé',
    update: 'a modifié',
    delete: 'a supprimé',
    reset: 'a réinitialisé',
  },
  objects: {
    site: 'la fiche',
    host: 'la fiche',
    scanner: 'le scanner',
    metric: 'la métrique',
    'monitoring-model': 'le modèle',
    credential: 'les identifiants',
    'field-value': 'des champs dynamiques',
    account: 'le compte',
    claims: 'les droits',
    password: 'le mot de passe',
    'user-group': 'le groupe',
  },
} as const
