import type { FieldWords } from './field-word.ts'

export const HISTORY_WORDS: FieldWords = {
  'HistoryEntry.at': 'Instant du changement.',
  'HistoryEntry.actor': 'Nom de compte de qui l’a fait ; null si nul n’est connu.',
  'HistoryEntry.action': 'Ce qui a été fait.',
  'HistoryEntry.changes': 'Ce qui a changé, champ par champ.',
  'changes.field': 'Nom du champ.',
  'changes.before': 'Valeur d’avant ; vide : aucune.',
  'changes.after': 'Valeur d’après ; vide : aucune.',
}
