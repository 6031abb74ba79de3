/** Places whose public holidays differ: metropolitan France, Alsace-Moselle, and overseas, where the end of slavery has its day. */
export const HOLIDAY_REGIONS = [
  'metropole',
  'alsace-moselle',
  'guadeloupe',
  'guyane',
  'martinique',
  'mayotte',
  'reunion',
  'saint-barthelemy',
  'saint-martin',
] as const
export type HolidayRegion = (typeof HOLIDAY_REGIONS)[number]

/** Month and day, then the name; source: Code du travail, art. L3133-1. */
const FIXED: readonly (readonly [month: number, day: number, name: string])[] = [
  [1, 1, 'jour de l’An'],
  [5, 1, 'fête du Travail'],
  [5, 8, 'victoire de 1945'],
  [7, 14, 'fête nationale'],
  [8, 15, 'Assomption'],
  [11, 1, 'Toussaint'],
  [11, 11, 'armistice de 1918'],
  [12, 25, 'Noël'],
]
/** Days after Easter Sunday. */
const MOVING: readonly (readonly [days: number, name: string])[] = [
  [1, 'lundi de Pâques'],
  [39, 'Ascension'],
  [50, 'lundi de Pentecôte'],
]
/** Décret n° 83-1003 and, for Saint-Martin, its own deliberation. */
const ABOLITION: Readonly<Partial<Record<HolidayRegion, readonly [month: number, day: number]>>> = {
  mayotte: [4, 27],
  martinique: [5, 22],
  guadeloupe: [5, 27],
  'saint-martin': [5, 28],
  guyane: [6, 10],
  'saint-barthelemy': [10, 9],
  reunion: [12, 20],
}

/** French name of the public holiday of a date (month from 1); null on any other day. Years 1900 to 2199. */
export const publicHoliday = (
  year: number,
  month: number,
  day: number,
  region: HolidayRegion = 'metropole',
): string | null => {
  const fixed = FIXED.find(([m, d]) => m === month && d === day)
  if (fixed !== undefined) return fixed[2]
  const abolition = ABOLITION[region]
  if (abolition !== undefined && abolition[0] === month && abolition[1] === day) return 'abolition de l’esclavage'
  const isAlsatian = region === 'alsace-moselle'
  if (isAlsatian && month === 12 && day === 26) return 'Saint-Étienne'
  const sinceEaster = daysBetween(easter(year), { year, month, day })
  if (isAlsatian && sinceEaster === -2) return 'Vendredi saint'
  return MOVING.find(([days]) => days === sinceEaster)?.[1] ?? null
}

/** Whether a date (month from 1) is a public holiday there. */
export const isPublicHoliday = (year: number, month: number, day: number, region: HolidayRegion = 'metropole') =>
  publicHoliday(year, month, day, region) !== null

interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Easter Sunday in the Gregorian calendar, by the anonymous algorithm (Meeus/Jones/Butcher). */
export const easter = (year: number): CalendarDay => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor((8 * b + 13) / 25)
  const e = (19 * a + b - Math.floor(b / 4) - d + 15) % 30
  const f = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - e - (c % 4)) % 7
  const g = Math.floor((a + 11 * e + 19 * f) / 433)
  const month = Math.floor((e + f - 7 * g + 90) / 25)
  return { year, month, day: (e + f - 7 * g + 33 * month + 19) % 32 }
}

const daysBetween = (from: CalendarDay, to: CalendarDay): number =>
  Math.round((Date.UTC(to.year, to.month - 1, to.day) - Date.UTC(from.year, from.month - 1, from.day)) / 86_400_000)
