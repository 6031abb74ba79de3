import { type HolidayRegion, publicHoliday } from '@narval/engine'
import * as z from 'zod/mini'
import { localTime } from './local-time.ts'
import './messages.ts'

/** Monday is 1, as in ISO 8601. */
export const WEEK_DAYS = [1, 2, 3, 4, 5, 6, 7] as const
export type WeekDay = (typeof WEEK_DAYS)[number]
const DAY_NAMES = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const
const DAY_MINUTES = 1_440
const WEEK_MINUTES = 7 * DAY_MINUTES
/** Three ranges for each day of the week. */
export const MAX_OPENING_RANGES = 21

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/
/** A time of the day, `HH:MM`. */
export const clockTime = z.string().check(z.regex(CLOCK, 'Une heure est attendue, de 00:00 à 23:59'))
/** The time until which something lasts: midnight at the end of a day is 24:00. */
export const endClockTime = z
  .string()
  .check(z.refine(text => text === '24:00' || CLOCK.test(text), 'Une heure est attendue, de 00:01 à 24:00'))
const weekDay = z.int().check(z.minimum(1), z.maximum(7))

/** The same hours on some days of the week, in the site's own time. A night is two ranges: until 24:00, and from 00:00. */
export const openingRange = z
  .object({
    days: z.array(weekDay).check(
      z.refine(days => days.length > 0, 'Choisissez au moins un jour'),
      z.maxLength(7),
      z.refine(days => new Set(days).size === days.length, 'Un jour n’est donné qu’une fois'),
    ),
    from: clockTime,
    to: endClockTime,
  })
  .check(
    z.refine(({ from, to }) => from < to, {
      error: 'La fin doit suivre le début ; pour passer minuit, faites deux plages',
      path: ['to'],
    }),
  )
export type OpeningRange = z.output<typeof openingRange>

/** Hours of one day. */
const dayRange = z.object({ from: clockTime, to: endClockTime }).check(
  z.refine(({ from, to }) => from < to, {
    error: 'La fin doit suivre le début',
    path: ['to'],
  }),
)
export type DayRange = z.output<typeof dayRange>
/** Ranges of one day. */
export const MAX_HOLIDAY_RANGES = 3
/** What a site does on public holidays: null: as on any day; none: it is closed; else it is open at these hours. */
export const holidayHours = z.nullable(
  z.array(dayRange).check(
    z.maxLength(MAX_HOLIDAY_RANGES),
    z.check(payload => {
      const sorted = payload.value.toSorted(byStart)
      const at = sorted.findIndex(({ from }, index) => from < (sorted[index - 1]?.to ?? ''))
      const [first, second] = [sorted[at - 1], sorted[at]]
      if (first === undefined || second === undefined) return
      const message = `Deux plages se chevauchent : ${first.from} – ${first.to} et ${second.from} – ${second.to}`
      payload.issues.push({ code: 'custom', message, input: payload.value, path: [] })
    }),
  ),
)
export type HolidayHours = z.output<typeof holidayHours>
const byStart = (a: DayRange, b: DayRange): number => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)

/** When a site is in service; none: at any time. */
export const openingHours = z.array(openingRange).check(
  z.maxLength(MAX_OPENING_RANGES),
  z.check(payload => {
    const overlap = overlapOf(payload.value)
    if (overlap !== null) payload.issues.push({ code: 'custom', message: overlap, input: payload.value, path: [] })
  }),
)

/** Says which two ranges of a day overlap; null when none do. Ranges that touch do not. */
export const overlapOf = (ranges: readonly OpeningRange[]): string | null => {
  for (const day of WEEK_DAYS) {
    const ofDay = ranges.filter(range => range.days.includes(day)).toSorted(byStart)
    for (const [index, range] of ofDay.entries()) {
      const next = ofDay[index + 1]
      if (next !== undefined && next.from < range.to)
        return `Deux plages du ${DAY_NAMES[day - 1]} se chevauchent : ${range.from} – ${range.to} et ${next.from} – ${next.to}`
    }
  }
  return null
}

export interface ServiceState {
  readonly open: boolean
  /** When that changes: day of the week and time in the site's zone; null when it never does. */
  readonly until: {
    readonly day: WeekDay
    readonly time: string
    /** How many days that is from now, where public holidays are looked at. */
    readonly inDays?: number
  } | null
  /** Name of the public holiday that it is there. */
  readonly holiday?: string
}

/** Whether a site is within its hours at an instant (epoch ms), in its IANA zone, and when that changes. */
export const serviceStateAt = (ranges: readonly OpeningRange[], timeZone: string, atMs: number): ServiceState => {
  const spans = spansOf(ranges)
  const only = spans[0]
  if (only === undefined || (only.from === 0 && only.to === WEEK_MINUTES)) return { open: true, until: null }
  const minute = weekMinute(timeZone, atMs)
  const current = spans.find(span => span.from <= minute && minute < span.to)
  const next = spans.find(span => span.from > minute) ?? only
  // A span that ends with Sunday goes on where the week begins.
  const end = current?.to === WEEK_MINUTES && only.from === 0 ? only.to : current?.to
  return { open: current !== undefined, until: momentOf(end ?? next.from) }
}

const ALL_DAY: readonly DayRange[] = [{ from: '00:00', to: '24:00' }]

/** Hours of the week of a site, and what it does on the public holidays of its region; null: it has none. */
export interface SiteService {
  readonly openingHours: readonly OpeningRange[]
  readonly holidays: HolidayHours
  readonly region: HolidayRegion | null
}

/** Name of the public holiday that a day is for a site that makes something of them; null on any other. */
export const siteHoliday = ({ holidays, region }: SiteService, year: number, month: number, day: number) =>
  holidays === null || region === null ? null : publicHoliday(year, month, day, region)

/** Hours of a site on a day (Monday is 1), in order as they were given; none: it is closed. */
export const hoursOn = (
  { openingHours: ranges, holidays }: SiteService,
  weekDay: number,
  isHoliday: boolean,
): readonly DayRange[] => {
  if (isHoliday && holidays !== null) return holidays
  return ranges.length === 0 ? ALL_DAY : ranges.filter(({ days }) => days.includes(weekDay))
}

/** Days ahead in which a change is looked for: a bank holiday and the weekends around it. */
const LOOKED_AHEAD = 15

/** The same as `serviceStateAt` for a site that makes something of public holidays. */
export const serviceStateOn = (site: SiteService, timeZone: string, atMs: number): ServiceState => {
  if (site.holidays === null || site.region === null) return serviceStateAt(site.openingHours, timeZone, atMs)
  const now = localTime(timeZone, atMs)
  const midnight = Date.UTC(now.year, now.month - 1, now.day)
  const days = Array.from({ length: LOOKED_AHEAD }, (_, index) => {
    const date = new Date(midnight + index * DAY_MINUTES * 60_000)
    const holiday = siteHoliday(site, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
    return { holiday, hours: hoursOn(site, date.getUTCDay() || 7, holiday !== null) }
  })
  const spans = joinedSpans(days.flatMap(({ hours }, index) => hours.map(range => spanOn(index, range))))
  const minute = minutesOf(now.time)
  const current = spans.find(({ from, to }) => from <= minute && minute < to)
  const changes = current?.to ?? spans.find(({ from }) => from > minute)?.from
  const isFar = changes === undefined || changes >= LOOKED_AHEAD * DAY_MINUTES
  const inDays = isFar ? 0 : Math.floor(changes / DAY_MINUTES)
  const until = isFar ? null : { ...momentOf((now.weekDay - 1) * DAY_MINUTES + changes), inDays }
  const [today] = days
  return { open: current !== undefined, until, ...(today?.holiday != null && { holiday: today.holiday }) }
}

/** Minutes of the week, Monday 00:00 being 0, joined where they touch. */
const spansOf = (ranges: readonly OpeningRange[]): MinuteSpan[] =>
  joinedSpans(ranges.flatMap(({ days, ...range }) => days.map(day => spanOn(day - 1, range))))

interface MinuteSpan {
  from: number
  to: number
}
const spanOn = (day: number, { from, to }: DayRange): MinuteSpan => ({
  from: day * DAY_MINUTES + minutesOf(from),
  to: day * DAY_MINUTES + minutesOf(to),
})
const joinedSpans = (spans: readonly MinuteSpan[]): MinuteSpan[] => {
  const joined: MinuteSpan[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else joined.push({ ...span })
  }
  return joined
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const momentOf = (minute: number): { day: WeekDay; time: string } => {
  const inWeek = minute % WEEK_MINUTES
  const ofDay = inWeek % DAY_MINUTES
  const two = (value: number): string => String(value).padStart(2, '0')
  return {
    day: WEEK_DAYS[Math.floor(inWeek / DAY_MINUTES)] ?? 1,
    time: `${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`,
  }
}

const SHORT_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const weekMinute = (timeZone: string, atMs: number): number => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(atMs)
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find(one => one.type === type)?.value ?? ''
  return SHORT_DAYS.indexOf(part('weekday')) * DAY_MINUTES + Number(part('hour')) * 60 + Number(part('minute'))
}
