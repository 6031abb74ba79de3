/** When shifts begin, on the reader's clocks. */
export interface ShiftPlan {
  readonly startHour: number
  /** All of the same length. */
  readonly perDay: number
}
export interface Shift {
  readonly from: Date
  readonly to: Date
}

const two = (value: number): string => String(value).padStart(2, '0')
/** `2026-03-10` on the reader's clocks. */
export const dayText = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** Midnight of a day that an address names; null for what is no day. */
export const dayOf = (text: string | null): Date | null => {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const at = new Date(year, month - 1, day)
  return dayText(at) === text ? at : null
}

/** The same time of the clock some days on: a day has 23, 24 or 25 hours. */
export const addDays = (at: Date, days: number): Date =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, at.getHours(), at.getMinutes())

/** The shifts that begin within the operating day of a date; the last may end on the next. */
export const shiftsOf = (day: Date, { startHour, perDay }: ShiftPlan): Shift[] => {
  const minutes = 1_440 / perDay
  const startOf = (place: number): Date =>
    new Date(day.getFullYear(), day.getMonth(), day.getDate(), startHour, Math.round(place * minutes))
  return Array.from({ length: perDay }, (_, place) => ({ from: startOf(place), to: startOf(place + 1) }))
}

/** Shifts that have begun, the newest first. */
export const lastShifts = (now: Date, plan: ShiftPlan, count: number): Shift[] => {
  const days = Array.from({ length: Math.ceil(count / plan.perDay) + 2 }, (_, back) => addDays(now, -back))
  return days
    .flatMap(day => shiftsOf(day, plan).toReversed())
    .filter(shift => shift.from.getTime() <= now.getTime())
    .slice(0, count)
}

/** The shift that one hands over: it ends about now, or has just ended. */
export const shiftToHandOver = (now: Date, plan: ShiftPlan): Shift => {
  const [current, before] = lastShifts(now, plan, 2)
  if (current === undefined || before === undefined) return { from: now, to: now }
  const isNew = now.getTime() - current.from.getTime() < current.to.getTime() - now.getTime()
  return isNew ? before : current
}

const time = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' })
const longDay = new Intl.DateTimeFormat('fr-FR', { weekday: 'long', day: 'numeric', month: 'long' })
/** « 06:00 – 14:00 » */
export const hoursText = ({ from, to }: Shift): string => `${time.format(from)} – ${time.format(to)}`
/** « 6 – 14 h », where there is little room; with its minutes where there are some. */
export const shortHoursText = (shift: Shift): string =>
  [shift.from, shift.to].some(at => at.getMinutes() !== 0)
    ? hoursText(shift)
    : `${shift.from.getHours()} – ${shift.to.getHours()}\u202fh`
/** « mardi 10 mars » */
export const dayName = (day: Date): string => longDay.format(day)
/** « mardi 10 mars, 06:00 – 14:00 » */
export const shiftText = (shift: Shift): string => `${dayName(shift.from)}, ${hoursText(shift)}`
