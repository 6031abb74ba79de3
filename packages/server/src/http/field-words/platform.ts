import type { FieldWords } from './field-word.ts'

export const PLATFORM_WORDS: FieldWords = {
  notifications: 'Les plus récentes d’abord, 50 au plus ; avec « after », les plus anciennes d’abord.',
  'Notification.type': 'Genre de message.',
  unread: 'Nombre de non lues par sévérité.',
  through: { text: 'Identifiant de la dernière notification lue.', example: 1 },
  read: 'Vrai quand elle a été lue.',
  title: 'Titre.',
  message: 'Texte.',
  link: 'Page de la console qui en montre l’objet.',
  latest: 'Plus grand identifiant existant.',
  'Parameter/Configuration': {
    text: 'Clé du paramètre → valeur ; null revient à la valeur par défaut.',
    example: { productName: 'Narval' },
  },
  'Parameter/Collect': {
    text: 'Clé du paramètre → valeur ; null revient à la valeur par défaut.',
    example: { attempts: 3 },
  },
  'SettingValue.value': 'Valeur en vigueur.',
  'SettingValue.type': 'Genre de valeur.',
  default: 'Valeur par défaut.',
  min: 'Plus petite valeur acceptée.',
  max: 'Plus grande valeur acceptée.',
  origin: 'D’où vient la valeur en vigueur.',
  help: 'Explication.',
  documentationUrl: 'Adresse de la documentation.',
  contactUrl: 'Adresse de contact.',
  passwordMinLength: 'Longueur minimale des mots de passe.',
  passwordMaxLength: 'Longueur maximale des mots de passe.',
  detail: 'Précision.',
}
