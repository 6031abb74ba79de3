import { fold } from './fold.ts'
import type { DayRange, HolidayHours, OpeningRange } from './opening-hours.ts'

const DAYS = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const
const EVERY_DAY = 'tous les jours'
const SHORT = 3
const sameDays = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join()

/**
 * Service hours as one cell of a file, read back unchanged by `readOpeningText`: « lun.–ven. 08:00–12:00, 14:00–18:00 ;
 * sam. 09:00–12:00 ». Empty: at any time.
 */
export const openingText = (ranges: readonly OpeningRange[]): string => {
  const parts: { readonly days: readonly number[]; readonly times: string[] }[] = []
  for (const { days, from, to } of ranges) {
    const last = parts.at(-1)
    if (last !== undefined && sameDays(last.days, days)) last.times.push(`${from}–${to}`)
    else parts.push({ days, times: [`${from}–${to}`] })
  }
  return parts.map(({ days, times }) => `${daysText(days)} ${times.join(', ')}`).join(' ; ')
}

/** What a site does on public holidays as one cell, read back unchanged by `readHolidayText`; empty: as on any day. */
export const holidayText = (hours: HolidayHours): string =>
  hours === null ? '' : hours.length === 0 ? CLOSED : hours.map(({ from, to }) => `${from}–${to}`).join(', ')
const CLOSED = 'fermé'

/** What a text says of public holidays; undefined when it says nothing of them. */
export const readHolidayText = (text: string): HolidayHours | undefined => {
  const plain = plainOf(text).trim()
  if (plain === '' || /^(ouvert|comme (les autres jours|d'habitude))$/.test(plain)) return null
  if (/^fermee?$/.test(plain)) return []
  const times = plain
    .replace(/^ouverte? /, '')
    .split(/,|\bet\b/)
    .map(timesOf)
  return times.some(time => time === null) ? undefined : times.flatMap(time => time ?? [])
}
const plainOf = (text: string): string => fold(text).replace(/[‐-―−]/g, '-')

/** Three days or more in a row are told by the first and the last. */
const daysText = (days: readonly number[]): string => {
  if (sameDays(days, [1, 2, 3, 4, 5, 6, 7])) return EVERY_DAY
  const runs: number[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const short = (day: number | undefined): string => `${(DAYS[(day ?? 1) - 1] ?? '').slice(0, SHORT)}.`
  return runs
    .map(run => (run.length >= SHORT ? `${short(run[0])}–${short(run.at(-1))}` : run.map(short).join(', ')))
    .join(', ')
}

/** Ranges that a text says, as people write them too (« du lundi au vendredi de 8h à 18h30 »); null when it says none. */
export const readOpeningText = (text: string): OpeningRange[] | null => {
  const plain = plainOf(text)
  if (plain === '' || /^24 ?h? ?\/ ?24,? 7 ?j? ?\/ ?7$/.test(plain)) return []
  const parts = plain.split(/[;·|\n]/).filter(part => part.trim() !== '')
  const read = parts.map(partOf)
  return read.length === 0 || read.some(ranges => ranges === null) ? null : read.flatMap(ranges => ranges ?? [])
}

const partOf = (part: string): OpeningRange[] | null => {
  const [, dayText = '', timeText = ''] = /^([^\d]+?)(\d.*)$/.exec(part.trim()) ?? []
  const days = daysOf(dayText.replace(/\bde\s*$/, '').replace(/[:\s]+$/, ''))
  const times = timeText.split(/,|\bet\b/).map(timesOf)
  if (days === null || days.length === 0 || times.some(time => time === null)) return null
  return times.flatMap(time => (time === null ? [] : [{ days: [...days], ...time }]))
}

const daysOf = (text: string): number[] | null => {
  if (text === EVERY_DAY) return [1, 2, 3, 4, 5, 6, 7]
  const all = text.split(/,|\bet\b/).map(piece => {
    const [first, last, ...more] = piece.replace(/^\s*du\s/, '').split(/-|\bau\b/)
    const from = dayOf(first ?? '')
    if (last === undefined) return from === null ? null : [from]
    const to = dayOf(last)
    return from === null || to === null || more.length > 0 ? null : between(from, to)
  })
  return all.some(days => days === null) ? null : all.flatMap(days => days ?? [])
}
const dayOf = (text: string): number | null => {
  const word = text.replace(/\./g, '').trim()
  const index = word.length < SHORT ? -1 : DAYS.findIndex(day => day.startsWith(word))
  return index === -1 ? null : index + 1
}
/** Sunday is followed by Monday: « sam.–lun. ». */
const between = (from: number, to: number): number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => ((from - 1 + index) % 7) + 1)

const timesOf = (text: string): DayRange | null => {
  const [first, last, ...more] = text.replace(/^\s*de\s/, '').split(/-|\sa\s/)
  const from = readClock(first ?? '')
  const to = readClock(last ?? '')
  return from === null || to === null || more.length > 0 ? null : { from, to }
}

/** What a person types for a time: « 8 », « 8h30 », « 0830 », « 18:00 », « 24 » as HH:MM; null when it is none. */
export const readClock = (text: string): string | null => {
  const compact = text.trim().toLowerCase().replace(/\s/g, '')
  const parts = /^(\d{1,2})(?:[h:.]?([0-5]\d)|[h:.]?)$/.exec(compact)
  const hours = Number(parts?.[1] ?? Number.NaN)
  const minutes = parts?.[2] ?? '00'
  if (!(hours < 24 || (hours === 24 && minutes === '00'))) return null
  return `${String(hours).padStart(2, '0')}:${minutes}`
}
