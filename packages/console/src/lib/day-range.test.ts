import { describe, expect, it } from 'vitest'
import { withInstants } from './day-range.ts'

describe('days of a list', () => {
  it('become midnights of the reader’s clock, the last day whole, open ends left out', () => {
    const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()
    expect(withInstants({ filters: { days: '2026-03-29..2026-03-29', kind: 'audit' } }).filters).toEqual({
      ...{ kind: 'audit', from: at(2026, 3, 29), to: at(2026, 3, 30) },
    })
    expect(withInstants({ filters: { days: '..2026-12-31' } }).filters).toEqual({ to: at(2027, 1, 1) })
    expect(withInstants({ filters: { days: '2026-12-31..' } }).filters).toEqual({ from: at(2026, 12, 31) })
    expect(withInstants({ filters: { kind: 'audit' } }).filters).toEqual({ kind: 'audit' })
  })
})
