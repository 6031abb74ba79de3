import { NNBSP } from '../../lib/format.ts'

/** Texts of the sign-in and reset pages; those that the requirements quote keep their exact characters (spec §2, §5, §8). */
export const fr = {
  intro: 'Connectez-vous pour démarrer votre session',
  login: 'Nom de compte',
  password: 'Mot de passe',
  submit: 'Connexion',
  showPassword: 'Afficher ou masquer le mot de passe',
  loginRequired: 'Un nom de compte est requis',
  /** Letter for letter, fault included (spec §8). */
  failedTitle: 'Login or Password incorect',
  failedText: 'Vérifiez le nom de compte et le mot de passe, puis réessayez.',
  unavailableTitle: 'Connexion impossible',
  tagline: 'Vos sites, vos équipements, vos métriques, à chaque instant.',
  reset: {
    title: 'Réinitialisation du mot de passe',
    intro: 'Choisissez un nouveau mot de passe pour votre compte.',
    confirmation: 'Confirmer le mot de passe',
    submit: 'Réinitialiser',
    cancel: 'Annuler',
    done: 'Mot de passe mis à jour',
    doneText: 'Connectez-vous avec votre nouveau mot de passe.',
    rules: `Votre mot de passe${NNBSP}:`,
    length: (minimum: number, maximum: number) => `de ${minimum} à ${maximum} caractères`,
    upper: 'une majuscule',
    lower: 'une minuscule',
    digit: 'un chiffre',
    special: (specials: string) => `un caractère parmi ${specials}`,
    same: 'identique à sa confirmation',
    met: 'rempli',
    unmet: 'à remplir',
  },
} as const
