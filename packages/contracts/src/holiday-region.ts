import type { HolidayRegion } from '@narval/engine'
import { fold } from './fold.ts'

const OF_FRANCE = ['france', 'fr', 'republique francaise', 'france metropolitaine']
/** Overseas, as a country of its own. */
const COUNTRIES: Readonly<Record<string, HolidayRegion>> = {
  guadeloupe: 'guadeloupe',
  martinique: 'martinique',
  guyane: 'guyane',
  'guyane francaise': 'guyane',
  reunion: 'reunion',
  'la reunion': 'reunion',
  mayotte: 'mayotte',
  'saint-barthelemy': 'saint-barthelemy',
  'saint-martin': 'saint-martin',
}
/** The beginning of a postal code, the longest first; null: holidays of its own, which Narval does not know. */
const POSTAL_CODES: readonly (readonly [start: string, region: HolidayRegion | null])[] = [
  ['97133', 'saint-barthelemy'],
  ['97150', 'saint-martin'],
  ['971', 'guadeloupe'],
  ['972', 'martinique'],
  ['973', 'guyane'],
  ['974', 'reunion'],
  ['976', 'mayotte'],
  ['977', 'saint-barthelemy'],
  ['978', 'saint-martin'],
  ['98', null],
  ['57', 'alsace-moselle'],
  ['67', 'alsace-moselle'],
  ['68', 'alsace-moselle'],
]

/** Whose public holidays a site has, by its country and postal code; null: those of no country that Narval knows. */
export const holidayRegionOf = (country: string, postalCode: string): HolidayRegion | null => {
  const name = fold(country).trim()
  const own = Object.hasOwn(COUNTRIES, name) ? COUNTRIES[name] : undefined
  if (own !== undefined) return own
  if (!OF_FRANCE.includes(name)) return null
  const code = /\d{5}/.exec(postalCode.replace(/\s/g, ''))?.[0] ?? ''
  const found = POSTAL_CODES.find(([start]) => code.startsWith(start))
  return found === undefined ? 'metropole' : found[1]
}
