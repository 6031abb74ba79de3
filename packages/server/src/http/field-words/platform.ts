import type { FieldWords } from './field-word.ts'

export const PLATFORM_WORDS: FieldWords = {
  notifications: 'Les plus récentes d’abord, 50 au plus ; avec « after », les plus anciennes d’abord.',
  'Notification.type': 'Genre de message.',
  unread: 'Nombre de non lues par sévérité.',
  through: { text: 'Identifiant de la dernière notification lue.', example: 1 },
  read: 'Vrai quand elle a été lue.',
  'Notification/Read/Group.place': {
    text: 'Identifiant d’une de ses notifications : celles venues après restent non lues.',
    example: 1,
  },
  title: 'Titre.',
  message: 'Texte.',
  link: 'Page de la console qui en montre l’objet.',
  latest: 'Plus grand identifiant existant.',
  'Notification/Get/Group.groups':
    'Groupes de notifications, le plus récent d’abord : un par incident, ou une notification seule.',
  'Notification/Get/Group.next': 'Valeur de « before » qui donne la suite ; null : il n’y a plus rien.',
  'NotificationGroup.place': 'Identifiant de sa notification la plus récente.',
  'NotificationGroup.incident': 'L’incident dont elles parlent, tel qu’il est maintenant ; null : aucun.',
  'NotificationGroup.total': 'Nombre de ses notifications.',
  'NotificationGroup.unread': 'Nombre de celles qui ne sont pas lues.',
  'NotificationGroup.notifications': 'De la plus ancienne à la plus récente ; 30 au plus, les dernières.',
  'Parameter/Configuration': {
    text: 'Clé du paramètre → valeur ; null revient à la valeur par défaut.',
    example: { productName: 'Narval' },
  },
  'Parameter/Collect': {
    text: 'Clé du paramètre → valeur ; null revient à la valeur par défaut.',
    example: { attempts: 3 },
  },
  'SettingValue.value': 'Valeur en vigueur.',
  'SettingValue.section': 'Groupe du formulaire où il se trouve.',
  'SettingValue.updatedAt': 'Dernier changement, ou retour à la valeur par défaut ; null : jamais changé.',
  'SettingValue.updatedBy': 'Nom de compte de qui l’a changé ; null : personne.',
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
  detail: 'Où il est, et ce qui le distingue de ceux du même nom.',
  'SearchResult.severity': 'Son état ; null : il n’en a pas, ou n’est pas supervisé.',
  'SearchResult.siteId':
    'Le site qu’il est, ou dont il est ; null : aucun, ou un site dont on ne voit que des équipements.',
  'SearchResult.hostId': 'L’équipement qu’il est, ou dont il est ; null : aucun.',
  'SearchResult.match':
    'Comment le mot le moins bien trouvé l’a été : tout le nom, son début, le début d’un mot, au milieu, à une faute près.',
}
