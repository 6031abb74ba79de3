import { describe, expect, it } from 'vitest'
import { dayText, lastDay, periodOf } from './report-period.ts'

const NOW = new Date(2026, 2, 30, 15, 20)
const of = (query: string) => {
  const { key, from, to } = periodOf(new URLSearchParams(query), NOW)
  return [key, dayText(from), dayText(to), from.getHours() + to.getHours()]
}

describe('the period of a report', () => {
  it('begins and ends at midnight of the reader, whatever the changes of time within it', () => {
    expect(of('')).toEqual(['month', '2026-03-01', '2026-04-01', 0])
    expect(of('period=today')).toEqual(['today', '2026-03-30', '2026-03-31', 0])
    expect(of('period=yesterday')).toEqual(['yesterday', '2026-03-29', '2026-03-30', 0])
    expect(of('period=7d')).toEqual(['7d', '2026-03-24', '2026-03-31', 0])
    expect(of('period=30d')).toEqual(['30d', '2026-03-01', '2026-03-31', 0])
    expect(of('period=last-month')).toEqual(['last-month', '2026-02-01', '2026-03-01', 0])
    expect(of('period=quarter')).toEqual(['quarter', '2026-01-01', '2026-04-01', 0])
    expect(of('period=year')).toEqual(['year', '2026-01-01', '2027-01-01', 0])
  })

  it('a free one holds both its days; what is none is this month', () => {
    expect(of('period=free&from=2025-12-30&to=2026-01-02')).toEqual(['free', '2025-12-30', '2026-01-03', 0])
    expect(of('period=free&from=2026-01-02&to=2026-01-02')).toEqual(['free', '2026-01-02', '2026-01-03', 0])
    for (const wrong of ['', '&from=2026-01-02', '&from=2026-02-30&to=2026-03-01', '&from=2026-03-02&to=2026-03-01'])
      expect(of(`period=free${wrong}`)).toEqual(['free', '2026-03-01', '2026-04-01', 0])
    expect(of('period=never')[0]).toBe('month')
    expect(dayText(lastDay(periodOf(new URLSearchParams('period=last-month'), NOW)))).toBe('2026-02-28')
  })
})
