import * as z from 'zod/mini'
import { route } from './route.ts'
import { idText, idValue, instant, rawBytes } from './schema.ts'
import { SETTING_SECTIONS } from './setting-section.ts'
import { severity, severityCounts } from './state.ts'

/** A settings value on the wire, typed by its definition in `setting.ts`. */
export const settingValue = z.object({
  key: z.string(),
  label: z.string(),
  help: z.string(),
  type: z.enum(['text', 'integer', 'boolean', 'url']),
  unit: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  default: z.union([z.string(), z.number(), z.boolean()]),
  min: z.nullable(z.number()),
  max: z.nullable(z.number()),
  /** Where the value in force comes from. */
  origin: z.enum(['default', 'setting']),
  /** The group of the form in which it stands. */
  section: z.enum(SETTING_SECTIONS),
  /** When it was last changed, or given back to its default, and by whom; null: never. */
  updatedAt: z.nullable(instant),
  updatedBy: z.nullable(z.string()),
})
export type SettingValue = z.output<typeof settingValue>
/** Key → value; null goes back to the default. Unknown keys are refused, nothing is changed unless all is accepted. */
const settingsBody = z.record(
  z.string().check(z.maxLength(64)),
  z.nullable(z.union([z.string().check(z.maxLength(2_000)), z.number(), z.boolean()])),
)
/** The newest change that the sender had seen: what changed after it is not overwritten (409). Left out: nothing is looked at. */
const settingsQuery = z.object({ seen: z.optional(instant) })
/** The public part, readable before signing in. */
export const publicConfiguration = z.object({
  name: z.string(),
  documentationUrl: z.string(),
  contactUrl: z.string(),
  passwordMinLength: z.int(),
  passwordMaxLength: z.int(),
  /** Address of the picture beside the name; empty: Narval's own. */
  logo: z.string(),
})
/** Side of that picture, in pixels, and the most that it may weigh as it is sent: a PNG; and where it is shown. */
export const LOGO_SIDE = 256
export const LOGO_MAX_BYTES = 512 * 1_024
export const LOGO_PATH = '/logo/'
export type PublicConfiguration = z.output<typeof publicConfiguration>

export const parameterRoutes = {
  public: route({
    method: 'GET',
    path: '/api/Parameter/Public',
    access: 'open',
    summary: 'Partie publique des paramètres',
    reply: publicConfiguration,
  }),
  setLogo: route({
    method: 'PUT',
    path: '/api/Parameter/Logo',
    access: 'parameter_write',
    rate: 'heavy',
    summary: 'Donner une image au produit (PNG de 256 × 256 pixels)',
    rawLimit: LOGO_MAX_BYTES,
    body: rawBytes,
    reply: publicConfiguration,
  }),
  deleteLogo: route({
    method: 'DELETE',
    path: '/api/Parameter/Logo',
    access: 'parameter_write',
    summary: 'Revenir à l’image de Narval',
    reply: publicConfiguration,
  }),
  configuration: route({
    method: 'GET',
    path: '/api/Parameter/Configuration',
    access: 'parameter_write',
    summary: 'Paramètres généraux',
    reply: z.array(settingValue),
  }),
  setConfiguration: route({
    method: 'PUT',
    path: '/api/Parameter/Configuration',
    access: 'parameter_write',
    summary: 'Modifier des paramètres généraux',
    query: settingsQuery,
    body: settingsBody,
    reply: z.array(settingValue),
  }),
  collect: route({
    method: 'GET',
    path: '/api/Parameter/Collect',
    access: 'parameter_write',
    summary: 'Paramètres de collecte',
    reply: z.array(settingValue),
  }),
  setCollect: route({
    method: 'PUT',
    path: '/api/Parameter/Collect',
    access: 'parameter_write',
    summary: 'Modifier des paramètres de collecte',
    query: settingsQuery,
    body: settingsBody,
    reply: z.array(settingValue),
  }),
} as const

/** An alert kept for those who were away (R21): what the hub pushed as a toast, with its place in the list. */
export const ALERT_TYPES = ['Success', 'Error', 'Info', 'Warning', 'Question'] as const
export type AlertType = (typeof ALERT_TYPES)[number]
export const alertMessage = z.object({
  type: z.enum(ALERT_TYPES),
  title: z.string(),
  message: z.string(),
  id: z.optional(idValue),
  link: z.optional(z.string()),
})
export type AlertMessage = z.output<typeof alertMessage>

export const notification = z.object({
  id: idValue,
  at: instant,
  severity,
  type: z.enum(ALERT_TYPES),
  title: z.string(),
  message: z.string(),
  link: z.string(),
  read: z.boolean(),
})
export type Notification = z.output<typeof notification>
export const notificationList = z.object({
  /** Newest first, 50 at most; with `after`, oldest first from there. */
  notifications: z.array(notification),
  unread: severityCounts,
  /** Highest id that exists: the place to ask `after` from. */
  latest: z.int(),
})
/** What an incident is now, beside the alerts that told of it. */
export const notificationIncident = z.object({
  id: idValue,
  severity,
  openedAt: instant,
  closedAt: z.nullable(instant),
  /** Since when it fails, or failed, without a break. */
  failsSince: instant,
  /** How often it came back after it had ended. */
  reopened: z.int(),
  siteName: z.nullable(z.string()),
  acknowledgedBy: z.nullable(z.string()),
})
/** The alerts of one incident, or one alert that belongs to none. */
export const notificationGroup = z.object({
  /** Id of its newest alert: groups come by it, newest first. */
  place: idValue,
  incident: z.nullable(notificationIncident),
  total: z.int(),
  unread: z.int(),
  /** Oldest first; of many the newest. */
  notifications: z.array(notification),
})
export type NotificationGroup = z.output<typeof notificationGroup>
/** Groups that one answer gives, and alerts that each of them gives at most. */
export const NOTIFICATION_GROUPS = 20
export const NOTIFICATIONS_IN_GROUP = 30

const place = z.pipe(z.string().check(z.regex(/^\d{1,10}$/, 'Identifiant incorrect')), z.transform(Number))
export const notificationRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Notification/Get',
    access: 'user',
    summary: 'Mes notifications',
    query: z.object({ after: z.optional(place), unread: z.optional(z.enum(['true', 'false'])) }),
    reply: notificationList,
  }),
  groups: route({
    method: 'GET',
    path: '/api/Notification/Get/Group',
    access: 'user',
    summary: 'Mes notifications, regroupées par incident (20 groupes au plus)',
    query: z.object({
      before: z.optional(place),
      unread: z.optional(z.enum(['true', 'false'])),
      severity: z.optional(severity),
      site: z.optional(idText),
      from: z.optional(instant),
      to: z.optional(instant),
      /** Words of titles and messages, without accents or case; all of them. */
      words: z.optional(z.string().check(z.maxLength(200))),
    }),
    reply: z.object({
      groups: z.array(notificationGroup),
      unread: severityCounts,
      latest: z.int(),
      /** `before` of what follows; null: that was all. */
      next: z.nullable(z.int()),
    }),
  }),
  read: route({
    method: 'POST',
    path: '/api/Notification/Read',
    access: 'user',
    summary: 'Marquer comme lues les notifications jusqu’à un identifiant',
    body: z.object({ through: z.int().check(z.minimum(0)) }),
    reply: z.object({ unread: severityCounts }),
  }),
  readGroup: route({
    method: 'POST',
    path: '/api/Notification/Read/Group',
    access: 'user',
    summary: 'Marquer comme lues les notifications d’un incident, ou une qui n’en a pas',
    body: z.object({
      /** Id of one of its alerts; those that came after it stay unread. */
      place: idValue,
    }),
    reply: z.object({ unread: severityCounts }),
  }),
} as const

export const referenceRoutes = {
  openapi: route({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'user',
    rate: 'heavy',
    summary: 'La référence de l’API (OpenAPI 3.1)',
    reply: z.record(z.string(), z.unknown()),
  }),
} as const
