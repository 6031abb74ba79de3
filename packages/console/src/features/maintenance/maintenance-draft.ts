import {
  type Maintenance,
  type MaintenanceSchedule,
  parseRecurrence,
  type Recurrence,
  recurrenceText,
  WEEKDAYS,
  type Weekday,
} from '@narval/contracts'
import { fromLocalInput, toLocalInput } from '../../lib/local-time.ts'

export const REPEATS = ['hourly', 'daily', 'weekly', 'monthly-day', 'monthly-nth', 'custom'] as const
export type Repeats = (typeof REPEATS)[number]
export const ENDS = ['never', 'until', 'count'] as const
export type Ends = (typeof ENDS)[number]

/** What the form of a maintenance holds while it is filled in: times on the clocks of the reader, or of the zone chosen. */
export interface Draft {
  readonly comment: string
  readonly kind: MaintenanceSchedule['kind']
  readonly from: string
  readonly to: string
  readonly repeats: Repeats
  readonly interval: number
  readonly weekdays: readonly Weekday[]
  readonly nth: number
  readonly monthDay: number
  readonly rule: string
  readonly start: string
  readonly durationMinutes: number
  readonly timeZone: string
  readonly ends: Ends
  readonly until: string
  readonly count: number
  readonly flexible: boolean
  readonly flexibleMinutes: number
  readonly propagate: boolean
}

const HOUR_MS = 3_600_000
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'Europe/Paris'

export const newDraft = (nowMs: number, from: string | null = null): Draft => {
  const start = from ?? toLocalInput(nowMs)
  const end = toLocalInput(new Date(start).getTime() + 2 * HOUR_MS)
  return {
    ...{ comment: '', kind: 'one-off', from: start, to: end, repeats: 'weekly', interval: 1 },
    ...{ weekdays: [weekdayOf(start)], nth: 1, monthDay: Number(start.slice(8, 10)), rule: 'FREQ=WEEKLY' },
    ...{ start, durationMinutes: 120, timeZone: ownTimeZone(), ends: 'never', until: start.slice(0, 10), count: 10 },
    ...{ flexible: false, flexibleMinutes: 60, propagate: false },
  }
}

const weekdayOf = (local: string): Weekday => WEEKDAYS[(new Date(`${local}:00Z`).getUTCDay() + 6) % 7] ?? 'MO'

/** A maintenance as the form shows it; a rule that its choices can't say is shown as it is written. */
export const draftOf = (maintenance: Maintenance, nowMs: number): Draft => {
  const { comment, schedule, flexibleMinutes, propagate } = maintenance
  const base = {
    ...{ ...newDraft(nowMs), comment, propagate, flexible: flexibleMinutes !== null },
    flexibleMinutes: flexibleMinutes ?? 60,
  }
  if (schedule.kind === 'one-off')
    return { ...base, from: toLocalInput(Date.parse(schedule.from)), to: toLocalInput(Date.parse(schedule.to)) }
  const { rrule, start, durationMinutes, timeZone } = schedule
  const own = { ...base, kind: 'recurring' as const, start, durationMinutes, timeZone, rule: rrule }
  const rule = parseRecurrence(rrule)
  return 'fault' in rule ? { ...own, repeats: 'custom' } : { ...own, ...choicesOf(rule, own) }
}

const choicesOf = (rule: Recurrence, draft: Draft): Partial<Draft> => {
  const { count, until, weekdays } = rule
  const end: Partial<Draft> =
    count !== null
      ? { ends: 'count', count }
      : until !== null
        ? { ends: 'until', until: `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}` }
        : { ends: 'never' }
  const repeats = repeatsOf(rule)
  const guess: Draft = {
    ...{ ...draft, ...end, repeats, interval: rule.interval },
    weekdays: weekdays.length === 0 ? draft.weekdays : weekdays.map(({ day }) => day),
    nth: weekdays[0]?.nth ?? 1,
    monthDay: rule.monthDays[0] ?? draft.monthDay,
  }
  // Only what says the very same is shown as choices.
  const again = parseRecurrence(ruleOf(guess))
  const isSame = !('fault' in again) && recurrenceText(again) === recurrenceText(rule)
  return isSame ? guess : { repeats: 'custom' }
}

const repeatsOf = ({ frequency, weekdays }: Recurrence): Repeats => {
  if (frequency === 'HOURLY') return 'hourly'
  if (frequency === 'DAILY') return 'daily'
  if (frequency === 'WEEKLY') return 'weekly'
  if (frequency === 'MONTHLY') return weekdays.length > 0 ? 'monthly-nth' : 'monthly-day'
  return 'custom'
}

/** The rule that the choices say. */
export const ruleOf = (draft: Draft): string => {
  if (draft.repeats === 'custom') return draft.rule
  const rule: Recurrence = {
    frequency: FREQUENCIES[draft.repeats],
    interval: draft.interval,
    weekdays:
      draft.repeats === 'weekly'
        ? WEEKDAYS.filter(day => draft.weekdays.includes(day)).map(day => ({ day, nth: null }))
        : draft.repeats === 'monthly-nth'
          ? [{ day: draft.weekdays[0] ?? 'MO', nth: draft.nth }]
          : [],
    monthDays: draft.repeats === 'monthly-day' ? [draft.monthDay] : [],
    ...{ months: [], positions: [] },
    count: draft.ends === 'count' ? draft.count : null,
    until: draft.ends === 'until' ? draft.until.replaceAll('-', '') : null,
  }
  return recurrenceText(rule)
}
const FREQUENCIES = {
  hourly: 'HOURLY',
  daily: 'DAILY',
  weekly: 'WEEKLY',
  'monthly-day': 'MONTHLY',
  'monthly-nth': 'MONTHLY',
} as const

/** What is sent; null while a date lacks. */
export const scheduleOf = (draft: Draft): MaintenanceSchedule | null => {
  if (draft.kind === 'one-off') {
    const [from, to] = [fromLocalInput(draft.from), fromLocalInput(draft.to)]
    return from === null || to === null ? null : { kind: 'one-off', from, to }
  }
  const { start, durationMinutes, timeZone } = draft
  return fromLocalInput(start) === null
    ? null
    : { kind: 'recurring', rrule: ruleOf(draft), start, durationMinutes, timeZone }
}
