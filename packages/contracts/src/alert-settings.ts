import type { Severity } from '@narval/engine'
import * as z from 'zod/mini'
import { localTime } from './local-time.ts'
import { clockTime, endClockTime } from './opening-hours.ts'
import { route } from './route.ts'
import { idValue, timeZone } from './schema.ts'

/** Sites that an account may choose at most; beyond, it wants them all. */
export const ALERT_SITES_MAX = 500

/** Hours in which nothing appears on screen; what is told waits unread. An end before the start, or the same, is on the next day. */
export const quietHours = z.object({
  /** On which they begin; Monday is 1. */
  days: z
    .array(z.int().check(z.minimum(1), z.maximum(7)))
    .check(z.minLength(1, 'Choisissez au moins un jour'), z.maxLength(7)),
  from: clockTime,
  to: endClockTime,
  timeZone,
  /** Errors appear all the same. */
  exceptErrors: z.boolean(),
})
export type QuietHours = z.output<typeof quietHours>

/** Whether an alert of this severity is kept off the screen at an instant (epoch ms). */
export const isQuiet = (quiet: QuietHours | null, severity: Severity, atMs: number): boolean => {
  if (quiet === null || (quiet.exceptErrors && severity === 'error')) return false
  const { weekDay, time } = localTime(quiet.timeZone, atMs)
  const begun = quiet.days.includes(weekDay) && time >= quiet.from
  if (quiet.from < quiet.to) return begun && time < quiet.to
  const yesterday = weekDay === 1 ? 7 : weekDay - 1
  return begun || (quiet.days.includes(yesterday) && time < quiet.to)
}

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
  /** Null: none. */
  quiet: z._default(z.nullable(quietHours), null),
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
  quiet: null,
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
