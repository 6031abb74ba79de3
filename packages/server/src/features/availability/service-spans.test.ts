import type { HolidayHours } from '@narval/contracts'
import type { HolidayRegion } from '@narval/engine'
import { describe, expect, it } from 'vitest'
import { serviceSpans } from './service-spans.ts'

const HOUR = 3_600_000
const PARIS = 'Europe/Paris'
const hoursOf = (spans: ReturnType<typeof serviceSpans>): number =>
  (spans ?? []).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / HOUR
const between = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })
const march = between('2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z')

describe('service hours within a period', () => {
  it('a site without any is in service at any time', () => {
    expect(serviceSpans([], PARIS, march)).toBeNull()
  })

  it('March 2026 in Paris has 22 days of ten hours, and five nights of six hours of which one lasts five', () => {
    const spans = serviceSpans(
      [
        { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
        { days: [7], from: '00:00', to: '06:00' },
      ],
      PARIS,
      march,
    )
    expect(hoursOf(spans)).toBe(249)
    expect(spans?.find(({ fromMs }) => fromMs === Date.parse('2026-03-28T23:00:00Z'))?.toMs).toBe(
      Date.parse('2026-03-29T04:00:00Z'),
    )
    expect(spans?.at(-1)).toEqual(between('2026-03-31T06:00:00Z', '2026-03-31T16:00:00Z'))
  })

  it('the night of winter time is an hour longer, and every day whole is one span', () => {
    const night = [{ days: [7], from: '00:00', to: '06:00' }] as const
    const october = between('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')
    expect(
      hoursOf(
        serviceSpans(
          night.map(one => ({ ...one, days: [...one.days] })),
          PARIS,
          october,
        ),
      ),
    ).toBe(7)
    const always = [{ days: [1, 2, 3, 4, 5, 6, 7] as [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }]
    expect(serviceSpans(always, PARIS, march)).toEqual([march])
  })

  it('hours that the clocks leave out begin when they jump, and end there', () => {
    const of = (from: string, to: string) =>
      serviceSpans([{ days: [7], from, to }], PARIS, between('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'))
    expect(of('02:30', '04:00')).toEqual([between('2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z')])
    expect(of('02:00', '03:00')).toEqual([])
    expect(of('01:00', '02:30')).toEqual([between('2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z')])
  })

  it('May 2026 has 21 days of ten hours, four of them public holidays: closed, or open for three hours', () => {
    const may = between('2026-04-30T22:00:00Z', '2026-05-31T22:00:00Z')
    const office = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }]
    const of = (holidays: HolidayHours, region: HolidayRegion | null = 'metropole', ranges: typeof office = office) =>
      hoursOf(serviceSpans(ranges, PARIS, may, { holidays, region }))
    expect(of(null)).toBe(210)
    // Friday 1, Friday 8, Thursday 14 (Ascension), Monday 25 (Whit Monday).
    expect(of([])).toBe(170)
    expect(of([{ from: '09:00', to: '12:00' }])).toBe(182)
    expect(of([], null)).toBe(210)
    // The end of slavery in Martinique is remembered on Friday 22.
    expect(of([], 'martinique')).toBe(160)
    expect(of([], 'metropole', [])).toBe(31 * 24 - 4 * 24)
    expect(serviceSpans([], PARIS, may, { holidays: [], region: null })).toBeNull()
  })

  it('hours are cut at the ends of the period', () => {
    const range = [{ days: [1] as [1], from: '08:00', to: '18:00' }]
    const monday = between('2026-03-02T09:00:00Z', '2026-03-02T12:00:00Z')
    expect(serviceSpans(range, PARIS, monday)).toEqual([monday])
  })
})
