import { describe, expect, it } from 'vitest'
import { comparisonOf, instantText, rangeFault, rangeOf, spanOf, viewOf } from './chart-range.ts'

const span = (query: string) => spanOf(new URLSearchParams(query))
const DAY = 86_400_000

describe('ranges of charts', () => {
  it('an unknown range in a link is the first', () => {
    expect([rangeOf('7j').ms, rangeOf('x').key]).toEqual([7 * DAY, '1h'])
    expect(span('range=x')).toEqual({ lastMs: 3_600_000 })
  })
  it('two instants in a link are the range, whatever « range » says', () => {
    const from = Date.UTC(2026, 10, 1)
    expect(span(`range=7j&from=${instantText(from)}&to=${instantText(from + DAY)}`)).toEqual({
      fromMs: from,
      toMs: from + DAY,
    })
  })
  it('what is no range in a link is passed over', () => {
    for (const query of ['from=hier&to=demain', 'from=2026-11-02T00:00:00Z', 'from=2026-11-02&to=2026-11-01'])
      expect(span(`range=24h&${query}`)).toEqual({ lastMs: DAY })
  })
  it('a range that moves ends now', () => {
    expect(viewOf({ lastMs: 60 }, 100)).toEqual({ fromMs: 40, toMs: 100 })
    expect(viewOf({ fromMs: 1, toMs: 2 }, 100)).toEqual({ fromMs: 1, toMs: 2 })
  })
  it('says why two instants are no range', () => {
    const now = Date.UTC(2026, 10, 22)
    const faults = [
      rangeFault(Number.NaN, now, now),
      rangeFault(now, now - 1, now),
      rangeFault(now - 3_000 * DAY, now, now),
      rangeFault(now - 1_000, now, now),
      rangeFault(now + DAY, now + 2 * DAY, now),
      rangeFault(now - DAY, now + DAY, now),
    ]
    expect(faults).toEqual(['missing', 'order', 'long', 'short', 'future', null])
  })
  it('compares with what it knows only', () => {
    expect([comparisonOf('semaine')?.ms, comparisonOf('an'), comparisonOf(null)]).toEqual([7 * DAY, null, null])
  })
})
