import { describe, expect, it } from 'vitest'
import { holidayRegionOf } from './holiday-region.ts'
import {
  holidayHours,
  MAX_OPENING_RANGES,
  openingHours,
  overlapOf,
  type SiteService,
  serviceStateAt,
  serviceStateOn,
} from './opening-hours.ts'

const OFFICE = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }]
const refusal = (value: unknown): string => {
  const parsed = openingHours.safeParse(value)
  return parsed.success ? '' : parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}

describe('service hours', () => {
  it('accept none, office hours, midnight as the end, and ranges that touch', () => {
    const touching = [
      { days: [1], from: '00:00', to: '12:00' },
      { days: [1], from: '12:00', to: '24:00' },
    ]
    expect([[], OFFICE, touching].map(refusal)).toEqual(['', '', ''])
  })

  it('refuse an empty day list, a day given twice, a day that is none, hours that are none or end before they begin', () => {
    expect(refusal([{ days: [], from: '08:00', to: '18:00' }])).toBe('0.days: Choisissez au moins un jour')
    expect(refusal([{ days: [1, 1], from: '08:00', to: '18:00' }])).toBe('0.days: Un jour n’est donné qu’une fois')
    expect(refusal([{ days: [8], from: '08:00', to: '18:00' }])).not.toBe('')
    expect(refusal([{ days: [1], from: '24:00', to: '24:00' }])).toContain('0.from')
    expect(refusal([{ days: [1], from: '8:00', to: '18:00' }])).toContain('0.from')
    expect(refusal([{ days: [1], from: '18:00', to: '08:00' }])).toContain('0.to: La fin doit suivre le début')
    expect(refusal([{ days: [1], from: '08:00', to: '08:00' }])).toContain('0.to')
  })

  it('refuse two ranges that overlap on a day they share, and say which', () => {
    const ranges = [...OFFICE, { days: [5, 6], from: '17:30', to: '20:00' }]
    expect(refusal(ranges)).toBe(': Deux plages du vendredi se chevauchent : 08:00 – 18:00 et 17:30 – 20:00')
    expect(overlapOf([...OFFICE, { days: [6, 7], from: '17:30', to: '20:00' }])).toBeNull()
  })

  it(`hold at most ${MAX_OPENING_RANGES} ranges`, () => {
    const ranges = Array.from({ length: MAX_OPENING_RANGES + 1 }, (_, index) => ({
      days: [1],
      from: `00:${String(index * 2).padStart(2, '0')}`,
      to: `00:${String(index * 2 + 1).padStart(2, '0')}`,
    }))
    expect(refusal(ranges)).toContain(String(MAX_OPENING_RANGES))
    expect(refusal(ranges.slice(1))).toBe('')
  })
})

describe('whether a site is in service', () => {
  const at = (iso: string) => Date.parse(iso)
  it('follows its own time zone, winter and summer', () => {
    // Friday 2026-01-16: 17:30 in Paris, 16:30 UTC; in July the same UTC instant is 18:30.
    expect(serviceStateAt(OFFICE, 'Europe/Paris', at('2026-01-16T16:30:00Z'))).toEqual({
      open: true,
      until: { day: 5, time: '18:00' },
    })
    expect(serviceStateAt(OFFICE, 'Europe/Paris', at('2026-07-17T16:30:00Z'))).toEqual({
      open: false,
      until: { day: 1, time: '08:00' },
    })
    expect(serviceStateAt(OFFICE, 'Indian/Reunion', at('2026-01-16T13:59:00Z')).open).toBe(true)
    expect(serviceStateAt(OFFICE, 'Indian/Reunion', at('2026-01-16T14:00:00Z')).open).toBe(false)
  })
  it('is always so without hours, and with hours that fill the week', () => {
    const always = { open: true, until: null }
    expect(serviceStateAt([], 'Europe/Paris', 0)).toEqual(always)
    const all = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }]
    expect(serviceStateAt(all, 'Europe/Paris', 0)).toEqual(always)
  })
  it('goes through midnight, and from Sunday into Monday, as one span', () => {
    const night = [
      { days: [1, 7], from: '22:00', to: '24:00' },
      { days: [1, 2], from: '00:00', to: '06:00' },
    ]
    // Sunday 2026-01-18 23:00 in Paris.
    expect(serviceStateAt(night, 'Europe/Paris', at('2026-01-18T22:00:00Z'))).toEqual({
      open: true,
      until: { day: 1, time: '06:00' },
    })
    expect(serviceStateAt(night, 'Europe/Paris', at('2026-01-19T22:00:00Z'))).toEqual({
      open: true,
      until: { day: 2, time: '06:00' },
    })
  })
})

describe('what a site does on public holidays', () => {
  const site: SiteService = { openingHours: OFFICE, holidays: [], region: 'metropole' }
  const at = (iso: string) => Date.parse(iso)

  it('is refused where its ranges overlap or end before they begin, or are more than three', () => {
    const parse = (value: unknown) => holidayHours.safeParse(value)
    const overlap = parse([
      { from: '14:00', to: '16:00' },
      { from: '09:00', to: '14:30' },
    ])
    expect(overlap.success ? '' : overlap.error.issues[0]?.message).toBe(
      'Deux plages se chevauchent : 09:00 – 14:30 et 14:00 – 16:00',
    )
    expect(parse([{ from: '12:00', to: '09:00' }]).success).toBe(false)
    expect(parse([1, 2, 3, 4].map(hour => ({ from: `0${hour}:00`, to: `0${hour}:30` }))).success).toBe(false)
    expect([null, [], [{ from: '09:00', to: '12:00' }]].map(value => parse(value).success)).toEqual([true, true, true])
  })

  it('closes it from Thursday evening over 1 May to Monday morning, and names the day', () => {
    // Friday 1 May 2026 10:00 in Paris.
    expect(serviceStateOn(site, 'Europe/Paris', at('2026-05-01T08:00:00Z'))).toEqual({
      open: false,
      until: { day: 1, time: '08:00', inDays: 3 },
      holiday: 'fête du Travail',
    })
    expect(serviceStateOn(site, 'Europe/Paris', at('2026-04-30T10:00:00Z'))).toEqual({
      open: true,
      until: { day: 4, time: '18:00', inDays: 0 },
    })
    const open = { ...site, holidays: [{ from: '09:00', to: '12:00' }] }
    expect(serviceStateOn(open, 'Europe/Paris', at('2026-05-01T08:00:00Z'))).toMatchObject({
      open: true,
      until: { day: 5, time: '12:00', inDays: 0 },
    })
  })

  it('is nothing where its country has none that are known, or the day is one like another', () => {
    const monday = { open: true, until: { day: 5, time: '18:00' } }
    for (const over of [{ region: null }, { holidays: null }])
      expect(serviceStateOn({ ...site, ...over }, 'Europe/Paris', at('2026-05-01T08:00:00Z'))).toEqual(monday)
    const state = (iso: string) => serviceStateOn({ ...site, openingHours: [] }, 'Europe/Paris', at(iso))
    expect(state('2026-05-01T08:00:00Z')).toMatchObject({ open: false, until: { day: 6, time: '00:00', inDays: 1 } })
    expect(state('2026-06-10T08:00:00Z')).toEqual({ open: true, until: null })
  })
})

it('the public holidays of a site are those of its country and postal code', () => {
  const of = (postalCode: string, country = 'France') => holidayRegionOf(country, postalCode)
  expect(['75002', '', '67000', 'F-57 000', '68100', '20000'].map(code => of(code))).toEqual([
    ...['metropole', 'metropole', 'alsace-moselle', 'alsace-moselle', 'alsace-moselle', 'metropole'],
  ])
  expect(['97110', '97133', '97150', '97200', '97300', '97400', '97600', '98800'].map(code => of(code))).toEqual([
    ...['guadeloupe', 'saint-barthelemy', 'saint-martin', 'martinique', 'guyane', 'reunion', 'mayotte', null],
  ])
  expect([of('97400', 'La Réunion'), of('', 'MAYOTTE'), of('67000', 'Allemagne'), of('75002', '')]).toEqual([
    ...['reunion', 'mayotte', null, null],
  ])
})
