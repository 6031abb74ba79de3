import type { FieldWords } from './field-word.ts'

export const PROBLEM_WORDS: FieldWords = {
  Problem: 'Refus ou erreur (RFC 9457).',
  status: 'Code HTTP.',
  errors: 'Phrases à montrer.',
  fields: 'Champ → phrase, pour la placer à côté de ce champ.',
  'Problem.current': 'Version plus récente de la fiche (409).',
  reference: 'Référence de l’erreur dans le journal du serveur (500).',
  'Problem.detail': 'Toutes les phrases en une.',
  'Problem.title': 'Genre d’erreur.',
}
