import * as z from 'zod/mini'
import { route } from './route.ts'
import { idValue } from './schema.ts'

/** Sites that an account may choose at most; beyond, it wants them all. */
export const ALERT_SITES_MAX = 500

/** Which alerts become toasts and unread notifications of an account; the lists show everything all the same. */
export const alertSettings = z.object({
  error: z.boolean(),
  warning: z.boolean(),
  unknown: z.boolean(),
  /** The end of what was told. */
  recovery: z.boolean(),
  /** Only incidents that one has acknowledged or takes care of. */
  mine: z.boolean(),
  /** What others do: acknowledgements, maintenances. */
  acts: z.boolean(),
  /** Null: all. */
  sites: z.nullable(z.array(idValue).check(z.minLength(1), z.maxLength(ALERT_SITES_MAX))),
})
export type AlertSettings = z.output<typeof alertSettings>

export const DEFAULT_ALERT_SETTINGS: AlertSettings = {
  error: true,
  warning: true,
  unknown: false,
  recovery: true,
  mine: false,
  acts: true,
  sites: null,
}

export const alertSettingsRoutes = {
  get: route({
    method: 'GET',
    path: '/api/Notification/Get/Settings',
    access: 'user',
    summary: 'Les alertes que je veux recevoir',
    reply: alertSettings,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Notification/Update/Settings',
    access: 'user',
    summary: 'Choisir les alertes que je veux recevoir',
    body: alertSettings,
    reply: alertSettings,
  }),
} as const
