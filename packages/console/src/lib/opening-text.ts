import type { HolidayHours, OpeningRange, ServiceState, WeekDay } from '@narval/contracts'
import { holidays as words } from '../i18n/holidays.ts'

/** Monday first. */
export const DAY_NAMES = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const
export const DAY_LETTERS = ['L', 'M', 'M', 'J', 'V', 'S', 'D'] as const
const SHORT_NAMES = ['lun.', 'mar.', 'mer.', 'jeu.', 'ven.', 'sam.', 'dim.'] as const
const ALWAYS = '24\u202fh/24, 7\u202fj/7'

/** « lun.–ven. 08:00–18:00 · sam. 09:00–12:00 » in one line; without ranges, or when they fill the week: at any time. */
export const openingSummary = (ranges: readonly OpeningRange[]): string => {
  const known = ranges.filter(({ days }) => days.length > 0)
  if (known.length === 0 || fillsWeek(known)) return ALWAYS
  const byDays = new Map<string, { days: readonly number[]; times: string[] }>()
  for (const { days, from, to } of known.toSorted(byStart)) {
    const sorted = days.toSorted((a, b) => a - b)
    const entry = byDays.get(sorted.join()) ?? { days: sorted, times: [] }
    entry.times.push(from === '00:00' && to === '24:00' ? '24\u202fh/24' : `${from}–${to}`)
    byDays.set(sorted.join(), entry)
  }
  return [...byDays.values()]
    .toSorted((a, b) => (a.days[0] ?? 0) - (b.days[0] ?? 0))
    .map(({ days, times }) => `${daysText(days)} ${joined(times)}`)
    .join(' · ')
}

/** « Comme les autres jours », « Fermé », « 09:00–12:00 et 14:00–16:00 ». */
export const holidaySummary = (hours: HolidayHours): string =>
  hours === null
    ? words.modes.ordinary
    : hours.length === 0
      ? words.modes.closed
      : joined(hours.map(({ from, to }) => `${from}–${to}`))

const byStart = (a: OpeningRange, b: OpeningRange): number => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)
const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} et ${parts.at(-1)}`

const fillsWeek = (ranges: readonly OpeningRange[]): boolean =>
  DAY_NAMES.every((_, index) => {
    let reached = '00:00'
    for (const range of ranges.filter(({ days }) => days.includes(index + 1)).toSorted(byStart))
      if (range.from <= reached && range.to > reached) reached = range.to
    return reached === '24:00'
  })

/** « lun.–ven. », « lun., mer. », « tous les jours »: three days or more in a row are told by the first and the last. */
const daysText = (days: readonly number[]): string => {
  if (days.length === 7) return 'tous les jours'
  const runs: number[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const short = (day: number | undefined): string => SHORT_NAMES[(day ?? 1) - 1] ?? ''
  return runs
    .map(run => (run.length > 2 ? `${short(run[0])}–${short(run.at(-1))}` : run.map(short).join(', ')))
    .join(', ')
}

/** « jusqu’à 18:00 », « reprend lundi à 08:00 »: what follows the state of a site's service, from today's point of view. */
export const serviceChangeText = ({ open, until }: ServiceState, today: WeekDay): string => {
  if (until === null) return ''
  const { inDays = 0 } = until
  const name = `${inDays < 7 ? '' : `dans ${inDays} jours, `}${DAY_NAMES[until.day - 1]}`
  const day = until.day === today && inDays < 7 ? '' : `${name} à `
  return open
    ? `jusqu’à ${day === '' ? until.time : day + until.time}`
    : `reprend ${day === '' ? 'à ' : day}${until.time}`
}
