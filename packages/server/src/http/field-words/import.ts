import type { FieldWords } from './field-word.ts'

export const IMPORT_WORDS: FieldWords = {
  'Import/File.encoding': 'Codage reconnu : utf-8, utf-16le, utf-16be ou windows-1252.',
  'Import/File.delimiter': 'Séparateur reconnu.',
  'Import/File.rows': 'Nombre de lignes sous les titres.',
  'Import/File.columns': 'Colonnes, avec trois exemples et le champ deviné.',
  'Import/File.fields': 'Champs possibles ; « required » : nécessaire pour créer.',
  'Import/File.remembered': 'Vrai : la correspondance est celle du dernier import d’un fichier de mêmes titres.',
  'Import/File.entity': 'Ce que le fichier crée ou modifie.',
  header: 'Titre de la colonne.',
  sample: 'Exemples.',
  field: 'Champ.',
  mapping: {
    text: 'Champ par numéro de colonne, à partir de 0 ; les autres colonnes ne sont pas lues.',
    example: { 0: 'code', 1: 'name' },
  },
  mode: {
    text: 'create : ce qui existe est une erreur ; update : ce qui n’existe pas en est une ; upsert : les deux passent.',
    example: 'upsert',
  },
  createTypes: 'Vrai : les types et modèles matériels qui manquent sont créés.',
  create: 'Nombre de lignes qui créent.',
  update: 'Nombre de lignes qui modifient.',
  errorCount: 'Nombre d’erreurs ; une seule, et rien n’est écrit.',
  newTypes: 'Types et modèles matériels à créer.',
  line: 'Ligne du fichier.',
  'errors.column': 'Titre de la colonne.',
  changes: 'Ce qui change, avant et après.',
  done: 'Étapes faites.',
  total: 'Étapes en tout : chaque ligne est lue, puis écrite.',
}
