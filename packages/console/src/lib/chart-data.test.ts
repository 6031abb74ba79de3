import { describe, expect, it } from 'vitest'
import { chartColumns, shifted, summarise } from './chart-data.ts'

const series = {
  id: 1,
  unit: 'ms' as const,
  at: [0, 60_000, 120_000, 600_000],
  value: [1, 2, null, 4],
  min: [1, 1, null, 3],
  max: [1, 3, null, 9],
}

describe('charts', () => {
  it('a gap longer than three steps breaks the line', () => {
    const [at, value] = chartColumns(series, 60_000)
    expect(at).toEqual([0, 60, 120, 180, 600])
    expect(value).toEqual([1, 2, null, null, 4])
  })
  it('the summary has the true extremes of the band, not of the means', () => {
    expect(summarise(series)).toEqual({ min: 1, avg: 7 / 3, max: 9, last: 4 })
    expect(summarise(undefined)).toBeNull()
  })
  it('values of the day before stand beside those of today, and are the same', () => {
    expect(shifted(series, 1_000)).toEqual({ ...series, at: [1_000, 61_000, 121_000, 601_000] })
    expect(shifted(undefined, 1_000)).toBeUndefined()
  })
})
