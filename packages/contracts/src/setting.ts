import { PASSWORD_POLICY } from './password.ts'

/**
 * Settings of the platform, their bounds and defaults: the one table from which the endpoints, the forms and the
 * services read. Figures of collection come from the engine's rules (design: engine.md).
 */
interface SettingBase {
  readonly group: 'configuration' | 'collect'
  readonly label: string
  readonly help: string
  /** Readable before signing in. */
  readonly open?: boolean
}
export interface TextSetting extends SettingBase {
  readonly type: 'text' | 'url'
  readonly default: string
  readonly max: number
}
export interface IntegerSetting extends SettingBase {
  readonly type: 'integer'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly unit: string
}
export interface BooleanSetting extends SettingBase {
  readonly type: 'boolean'
  readonly default: boolean
}
export type SettingDefinition = TextSetting | IntegerSetting | BooleanSetting

export const SETTINGS = {
  productName: {
    group: 'configuration',
    type: 'text',
    label: 'Nom du produit',
    help: 'Titre par défaut des pages.',
    default: 'Narval',
    max: 60,
    open: true,
  },
  documentationUrl: {
    group: 'configuration',
    type: 'url',
    label: 'Adresse de la documentation',
    help: 'Lien « Documentation » de la barre du haut (http ou https) ; vide : la page qui dit comment la renseigner.',
    default: '',
    max: 500,
    open: true,
  },
  contactUrl: {
    group: 'configuration',
    type: 'url',
    label: 'Adresse de contact',
    help: 'Lien « Contact » de la barre du haut (http, https ou mailto) ; vide : la page qui dit qui joindre.',
    default: '',
    max: 500,
    open: true,
  },
  passwordMinLength: {
    group: 'configuration',
    type: 'integer',
    label: 'Longueur minimale des mots de passe',
    help: 'Appliquée au prochain changement de mot de passe.',
    unit: 'caractères',
    default: PASSWORD_POLICY.minLength,
    min: 8,
    max: 32,
    open: true,
  },
  passwordMaxLength: {
    group: 'configuration',
    type: 'integer',
    label: 'Longueur maximale des mots de passe',
    help: 'Appliquée au prochain changement de mot de passe.',
    unit: 'caractères',
    default: PASSWORD_POLICY.maxLength,
    min: 32,
    max: 128,
    open: true,
  },
  temporaryPasswordHours: {
    group: 'configuration',
    type: 'integer',
    label: 'Durée d’un mot de passe provisoire',
    help: 'Au-delà, un administrateur doit en donner un autre.',
    unit: 'h',
    default: 24,
    min: 1,
    max: 720,
  },
  forbidCommonPasswords: {
    group: 'configuration',
    type: 'boolean',
    label: 'Refuser les mots de passe courants',
    help: 'Ceux des listes publiques, le nom du produit et le nom de compte, même suivis de chiffres.',
    default: false,
  },
  sessionIdleHours: {
    group: 'configuration',
    type: 'integer',
    label: 'Durée d’une session sans activité',
    help: 'Au-delà, il faut se connecter de nouveau.',
    unit: 'h',
    default: 24,
    min: 1,
    max: 720,
  },
  sessionMaxDays: {
    group: 'configuration',
    type: 'integer',
    label: 'Durée maximale d’une session',
    help: 'Même avec de l’activité.',
    unit: 'jours',
    default: 30,
    min: 1,
    max: 365,
  },
  notificationWaitSeconds: {
    group: 'configuration',
    type: 'integer',
    label: 'Attente avant la première notification',
    help: 'Ce qui tombe en panne ensemble sur un site est dit en une fois ; une règle peut dire la sienne.',
    unit: 's',
    default: 30,
    min: 0,
    max: 3_600,
  },
  notificationNewsMinutes: {
    group: 'configuration',
    type: 'integer',
    label: 'Temps entre deux nouvelles d’un même groupe',
    help: 'Un autre incident, une gravité qui change, un rétablissement ; une aggravation de l’ensemble est dite aussitôt.',
    unit: 'min',
    default: 5,
    min: 1,
    max: 1_440,
  },
  notificationReminderMinutes: {
    group: 'configuration',
    type: 'integer',
    label: 'Temps entre deux rappels',
    help: '« Toujours en erreur depuis… », tant que personne n’a acquitté ; 0 : aucun rappel.',
    unit: 'min',
    default: 240,
    min: 0,
    max: 10_080,
  },
  consoleUrl: {
    group: 'configuration',
    type: 'url',
    label: 'Adresse de la console',
    help: 'Pour les liens des notifications (http ou https)\u202f; vide : celle donnée au démarrage, sinon aucun lien.',
    default: '',
    max: 500,
  },
  deliveryDays: {
    group: 'configuration',
    type: 'integer',
    label: 'Durée de conservation des envois de notifications',
    help: 'Au-delà, ce qui a été envoyé ou abandonné est effacé.',
    unit: 'jours',
    default: 90,
    min: 1,
    max: 3_650,
  },
  auditDays: {
    group: 'configuration',
    type: 'integer',
    label: 'Durée de conservation du journal',
    help: 'Évènements et audit\u202f: au-delà, les plus anciens sont effacés et un point de reprise scellé le dit.',
    unit: 'jours',
    default: 365,
    min: 30,
    max: 3_650,
  },
  intervalSeconds: {
    group: 'collect',
    type: 'integer',
    label: 'Intervalle de contrôle',
    help: 'Temps entre deux contrôles d’un même scanner.',
    unit: 's',
    default: 60,
    min: 5,
    max: 86_400,
  },
  retryIntervalSeconds: {
    group: 'collect',
    type: 'integer',
    label: 'Intervalle entre deux tentatives',
    help: 'Tant qu’un mauvais résultat n’est pas confirmé.',
    unit: 's',
    default: 20,
    min: 1,
    max: 3_600,
  },
  attempts: {
    group: 'collect',
    type: 'integer',
    label: 'Nombre de tentatives avant validation',
    help: 'Mauvais résultats de suite avant qu’un état soit confirmé.',
    unit: '',
    default: 3,
    min: 1,
    max: 20,
  },
  flapping: {
    group: 'collect',
    type: 'boolean',
    label: 'Détecter le bagotage',
    help: 'Une métrique dont l’état change sans cesse est annoncée une fois, puis plus rien jusqu’à ce qu’elle soit stable.',
    default: true,
  },
  flappingStartPercent: {
    group: 'collect',
    type: 'integer',
    label: 'Début du bagotage',
    help: 'Part de changements d’état parmi les 21 derniers résultats, les plus récents comptant davantage.',
    unit: '%',
    default: 30,
    min: 5,
    max: 100,
  },
  flappingEndPercent: {
    group: 'collect',
    type: 'integer',
    label: 'Fin du bagotage',
    help: 'En dessous, la métrique est de nouveau stable ; au plus la valeur du début.',
    unit: '%',
    default: 25,
    min: 1,
    max: 100,
  },
  hysteresisPercent: {
    group: 'collect',
    type: 'integer',
    label: 'Retour à la normale',
    help: 'De combien une valeur doit revenir en deçà d’un seuil sans valeur de retour, en part de ce seuil.',
    unit: '%',
    default: 5,
    min: 0,
    max: 50,
  },
  silenceFactor: {
    group: 'collect',
    type: 'integer',
    label: 'Silence toléré',
    help: 'Nombre d’intervalles de contrôle sans nouvelles avant l’état inconnu.',
    unit: 'intervalles',
    default: 3,
    min: 1,
    max: 20,
  },
  silenceFloorSeconds: {
    group: 'collect',
    type: 'integer',
    label: 'Silence toléré, au moins',
    help: 'Aucune métrique n’est inconnue avant cette durée, si court que soit son intervalle.',
    unit: 's',
    default: 90,
    min: 10,
    max: 86_400,
  },
  reopenMinutes: {
    group: 'collect',
    type: 'integer',
    label: 'Réouverture d’un incident',
    help: 'Un problème qui revient dans ce délai rouvre son incident au lieu d’en créer un ; 0 : jamais.',
    unit: 'min',
    default: 10,
    min: 0,
    max: 1_440,
  },
  acknowledgeHours: {
    group: 'collect',
    type: 'integer',
    label: 'Durée d’un acquittement',
    help: 'Après quoi il prend fin de lui-même, quand celui qui acquitte n’en dit rien.',
    unit: 'h',
    default: 24,
    min: 1,
    max: 8_760,
  },
  firstNotificationMinutes: {
    group: 'collect',
    type: 'integer',
    label: 'Délai avant la première notification',
    help: 'Un incident terminé avant n’est annoncé à personne.',
    unit: 'min',
    default: 0,
    min: 0,
    max: 1_440,
  },
  secondOpinion: {
    group: 'collect',
    type: 'boolean',
    label: 'Second avis',
    help: 'Une autre sonde est interrogée avant qu’un équipement soit déclaré indisponible.',
    default: true,
  },
  dependencies: {
    group: 'collect',
    type: 'boolean',
    label: 'Dépendances',
    help: 'Un équipement dont tous les parents sont en panne est injoignable, sans incident à lui.',
    default: true,
  },
  timeoutMs: {
    group: 'collect',
    type: 'integer',
    label: 'Délai d’attente d’un contrôle',
    help: 'Au-delà, le contrôle est en échec.',
    unit: 'ms',
    default: 5_000,
    min: 100,
    max: 60_000,
  },
  eventDays: {
    group: 'collect',
    type: 'integer',
    label: 'Durée de conservation des messages reçus',
    help: 'Traps SNMP et syslog : au-delà, ils sont effacés.',
    unit: 'jours',
    default: 30,
    min: 1,
    max: 3_650,
  },
  stateHistoryDays: {
    group: 'collect',
    type: 'integer',
    label: 'Conservation de l’historique des états',
    help: 'Ce que montrent les statuts heure par heure et la disponibilité\u202f; au-delà, c’est effacé.',
    unit: 'jours',
    default: 400,
    min: 31,
    max: 3_650,
  },
  eventsPerScanner: {
    group: 'collect',
    type: 'integer',
    label: 'Messages reçus conservés par scanner',
    help: 'Les plus anciens sont effacés d’abord.',
    unit: '',
    default: 1_000,
    min: 50,
    max: 100_000,
  },
} as const satisfies Record<string, SettingDefinition>

export type SettingKey = keyof typeof SETTINGS
export type Settings = {
  readonly [K in SettingKey]: (typeof SETTINGS)[K]['default'] extends number
    ? number
    : (typeof SETTINGS)[K]['default'] extends boolean
      ? boolean
      : string
}
