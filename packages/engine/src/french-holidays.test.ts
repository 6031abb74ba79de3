import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { easter, HOLIDAY_REGIONS, type HolidayRegion, isPublicHoliday, publicHoliday } from './french-holidays.ts'

const holidaysOf = (year: number, region: HolidayRegion): string[] =>
  Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(year, 0, 1 + index)))
    .filter(date => date.getUTCFullYear() === year)
    .flatMap(date => {
      const name = publicHoliday(year, date.getUTCMonth() + 1, date.getUTCDate(), region)
      return name === null ? [] : [`${date.toISOString().slice(5, 10)} ${name}`]
    })

describe('French public holidays', () => {
  it('2026 has its eleven, where the official calendar has them', () => {
    expect(holidaysOf(2026, 'metropole')).toEqual([
      '01-01 jour de l’An',
      '04-06 lundi de Pâques',
      '05-01 fête du Travail',
      '05-08 victoire de 1945',
      '05-14 Ascension',
      '05-25 lundi de Pentecôte',
      '07-14 fête nationale',
      '08-15 Assomption',
      '11-01 Toussaint',
      '11-11 armistice de 1918',
      '12-25 Noël',
    ])
  })

  it('Alsace-Moselle has two more, each overseas department one more', () => {
    expect(isPublicHoliday(2026, 4, 3, 'alsace-moselle')).toBe(true)
    expect(isPublicHoliday(2026, 12, 26, 'alsace-moselle')).toBe(true)
    expect(isPublicHoliday(2026, 4, 3)).toBe(false)
    expect(isPublicHoliday(2026, 12, 20, 'reunion')).toBe(true)
    expect(isPublicHoliday(2026, 5, 22, 'martinique')).toBe(true)
    expect(isPublicHoliday(2026, 5, 22, 'reunion')).toBe(false)
  })

  it('Easter falls where the tables of the church have it', () => {
    const days = [1961, 1981, 2000, 2008, 2019, 2024, 2025, 2026, 2027, 2038, 2049].map(year => {
      const { month, day } = easter(year)
      return `${year}-${month}-${day}`
    })
    expect(days).toEqual([
      ...['1961-4-2', '1981-4-19', '2000-4-23', '2008-3-23', '2019-4-21', '2024-3-31'],
      ...['2025-4-20', '2026-4-5', '2027-3-28', '2038-4-25', '2049-4-18'],
    ])
  })

  it('in any year: Easter is a Sunday from 22 March to 25 April, and there are 11 holidays, 10 when two meet', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2199 }),
        fc.constantFrom(...HOLIDAY_REGIONS.filter(region => region !== 'alsace-moselle')),
        (year, region) => {
          const { month, day } = easter(year)
          expect(new Date(Date.UTC(year, month - 1, day)).getUTCDay()).toBe(0)
          expect(month * 100 + day).toBeGreaterThanOrEqual(322)
          expect(month * 100 + day).toBeLessThanOrEqual(425)
          const own = region === 'metropole' ? 0 : 1
          // Ascension may fall on 1 or 8 May, Whit Monday on the day of an overseas territory.
          expect([10 + own, 11 + own, 11]).toContain(holidaysOf(year, region).length)
        },
      ),
      { numRuns: 60 },
    )
  })
})
