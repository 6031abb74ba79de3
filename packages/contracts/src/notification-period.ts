import { HOLIDAY_REGIONS, publicHoliday } from '@narval/engine'
import * as z from 'zod/mini'
import { localTime } from './local-time.ts'
import { openingHours } from './opening-hours.ts'
import { timeZone } from './schema.ts'

/** What a public holiday is for a rule: a day like another, a Sunday, a day out of it, or all of it. */
export const HOLIDAY_RULES = ['ordinary', 'sunday', 'never', 'always'] as const
export type HolidayRule = (typeof HOLIDAY_RULES)[number]

/** When a rule tells: hours of the week in one time zone (none: at any time), and what public holidays are. */
export const notificationPeriod = z.object({
  timeZone,
  hours: openingHours,
  holidays: z.enum(HOLIDAY_RULES),
  region: z.enum(HOLIDAY_REGIONS),
})
export type NotificationPeriod = z.output<typeof notificationPeriod>

export const ALWAYS: NotificationPeriod = {
  timeZone: 'Europe/Paris',
  hours: [],
  holidays: 'ordinary',
  region: 'metropole',
}

export interface PeriodState {
  readonly inside: boolean
  /** Name of the public holiday there; null on any other day. */
  readonly holiday: string | null
}

/** Whether an instant (epoch ms) is within a period, by the clock on the wall there. */
export const periodStateAt = (period: NotificationPeriod, atMs: number): PeriodState => {
  const { year, month, day, weekDay, time } = localTime(period.timeZone, atMs)
  const holiday = publicHoliday(year, month, day, period.region)
  if (holiday !== null && period.holidays === 'never') return { inside: false, holiday }
  if (holiday !== null && period.holidays === 'always') return { inside: true, holiday }
  const asDay = holiday !== null && period.holidays === 'sunday' ? 7 : weekDay
  const inside =
    period.hours.length === 0 ||
    period.hours.some(({ days, from, to }) => days.includes(asDay) && from <= time && time < to)
  return { inside, holiday }
}

/** Date and time of a day as people write them there: `2026-07-14T03:00`. */
const LOCAL_MINUTE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/
const [FIRST_YEAR, LAST_YEAR] = [2000, 2100]

/** Such a text, of a day that the calendar has, from 2000 to 2100. */
export const isLocalMinute = (text: string): boolean => {
  if (!LOCAL_MINUTE.test(text)) return false
  const year = Number(text.slice(0, 4))
  // 31 February would be read as 3 March.
  const isDay = new Date(`${text}:00Z`).toISOString().startsWith(text)
  return isDay && FIRST_YEAR <= year && year <= LAST_YEAR
}

/** The instant (epoch ms) of a local date and time (see `isLocalMinute`); the first where autumn has it twice; where spring leaves it out, the hour after. */
export const instantOf = (zone: string, local: string): number => {
  const wanted = Date.parse(`${local}:00Z`)
  const offsetAt = (atMs: number): number => {
    const { year, month, day, time } = localTime(zone, atMs)
    const two = (value: number): string => String(value).padStart(2, '0')
    return Date.parse(`${year}-${two(month)}-${two(day)}T${time}:00Z`) - Math.floor(atMs / 60_000) * 60_000
  }
  const before = wanted - offsetAt(wanted - DAY_MS)
  const after = wanted - offsetAt(wanted + DAY_MS)
  const isThere = (atMs: number): boolean => offsetAt(atMs) === wanted - atMs
  return isThere(before) || !isThere(after) ? before : after
}
const DAY_MS = 86_400_000

/** Date and time there of an instant (epoch ms): `2026-07-14T03:00`. */
export const localMinute = (zone: string, atMs: number): string => {
  const { year, month, day, time } = localTime(zone, atMs)
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T${time}`
}
