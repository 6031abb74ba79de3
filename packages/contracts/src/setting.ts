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
