import type { FieldWords } from './field-word.ts'

export const PROBLEM_WORDS: FieldWords = {
  Problem: 'Refus ou erreur (RFC 9457).',
  status: 'Code HTTP.',
  errors: 'Phrases à montrer.',
  fields: 'Champ → phrase, pour la placer à côté de ce champ.',
  'Problem.current': 'Version plus récente de la fiche (409).',
  'Problem.challenge':
    'Le mot de passe est juste, et le compte demande un code : ce qu’il faut donner avec lui à /api/Authentication/SecondFactor.',
  'challenge.token': 'À rendre tel quel ; n’ouvre rien par lui-même.',
  'challenge.expiresAt': 'Jusqu’à quand le code est attendu.',
  reference: 'Référence de l’erreur dans le journal du serveur (500).',
  'Problem.detail': 'Toutes les phrases en une.',
  'Problem.title': 'Genre d’erreur.',
}
