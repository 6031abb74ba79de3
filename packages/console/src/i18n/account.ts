/** Words about an account that its owner and administrators are both shown. */
export const account = {
  avatar: {
    label: 'Avatar',
    own: 'Image personnelle',
    names: {
      narval: 'Narval',
      phare: 'Phare',
      boussole: 'Boussole',
      vague: 'Vague',
      ancre: 'Ancre',
      etoile: 'Étoile',
      voile: 'Voile',
      corail: 'Corail',
    },
  },
  sessions: {
    none: 'Aucune session ouverte.',
    current: 'Cette session',
    used: 'utilisée',
    unknown: 'Programme inconnu',
    end: (name: string) => `Fermer la session ${name}`,
    confirm: 'Fermer cette session',
  },
  secondFactor: {
    title: 'Second facteur',
    on: 'Actif\u202f: la connexion demande un code en plus du mot de passe.',
    remove: 'Retirer…',
    question: (login: string) => `Retirer le second facteur de ${login}`,
    text: 'À faire quand la personne a perdu son téléphone et ses codes de secours, et que vous êtes sûr que c’est elle qui le demande. Son mot de passe suffira à la connexion\u202f; elle en est prévenue.',
    submit: 'Retirer',
    removed: (login: string) => `Le second facteur de ${login} est retiré`,
  },
} as const
