import type { MaintenanceOccurrence } from '@narval/contracts'

export const CALENDAR_VIEWS = ['month', 'week'] as const
export type CalendarView = (typeof CALENDAR_VIEWS)[number]

const two = (value: number): string => String(value).padStart(2, '0')
/** A day on the reader's clocks: `2026-11-20`. */
export const dayKey = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** The day that an address names; today where it names none. */
export const dayOf = (text: string | null, today: Date): Date => {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '')
  const date = found === null ? today : new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3]))
  const known = Number.isNaN(date.getTime()) ? today : date
  return new Date(known.getFullYear(), known.getMonth(), known.getDate())
}

export const addDays = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)

const mondayOf = (date: Date): Date => addDays(date, -((date.getDay() + 6) % 7))

/** Days that a view shows, by weeks from Monday; a month with the ends of its neighbours. */
export const weeksOf = (view: CalendarView, date: Date): Date[][] => {
  const first = view === 'week' ? mondayOf(date) : mondayOf(new Date(date.getFullYear(), date.getMonth(), 1))
  const last = view === 'week' ? addDays(first, 6) : new Date(date.getFullYear(), date.getMonth() + 1, 0)
  const weeks: Date[][] = []
  for (let monday = first; monday <= last; monday = addDays(monday, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(monday, index)))
  return weeks
}

export const moved = (view: CalendarView, date: Date, by: 1 | -1): Date =>
  view === 'week' ? addDays(date, 7 * by) : new Date(date.getFullYear(), date.getMonth() + by, 1)

/** Occurrences by the days that they touch, each day's in the order of their starts. */
export const byDay = (
  occurrences: readonly MaintenanceOccurrence[],
  days: readonly Date[],
): ReadonlyMap<string, readonly MaintenanceOccurrence[]> =>
  new Map(
    days.map(day => {
      const [from, to] = [day.getTime(), addDays(day, 1).getTime()]
      return [dayKey(day), occurrences.filter(one => Date.parse(one.from) < to && Date.parse(one.to) > from)]
    }),
  )
