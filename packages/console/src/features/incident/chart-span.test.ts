import { describe, expect, it } from 'vitest'
import { chartSpan } from './chart-span.ts'

const HOUR_MS = 3_600_000
const at = (hours: number): string => new Date(hours * HOUR_MS).toISOString()

describe('what the chart of an incident shows', () => {
  it('while it lasts: twice its age up to now, half an hour at least, and the same range for ten minutes', () => {
    expect(chartSpan({ openedAt: at(10), closedAt: null }, 10 * HOUR_MS)).toEqual({ rangeMs: HOUR_MS / 2, past: null })
    const later = chartSpan({ openedAt: at(10), closedAt: null }, 12 * HOUR_MS - 60_000)
    expect(later).toEqual({ rangeMs: 4 * HOUR_MS, past: null })
  })
  it('once it is over: half as much before and after it, never beyond now', () => {
    const { past } = chartSpan({ openedAt: at(10), closedAt: at(12) }, 12.5 * HOUR_MS)
    expect(past).toEqual({ fromMs: 9 * HOUR_MS, toMs: 12.5 * HOUR_MS })
  })
  it('a year of trouble is cut at a month', () => {
    expect(chartSpan({ openedAt: at(0), closedAt: null }, 8_760 * HOUR_MS).rangeMs).toBe(31 * 24 * HOUR_MS)
  })
})
