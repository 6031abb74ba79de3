import { describe, expect, it } from 'vitest'
import { sparklinePaths } from './sparkline-path.ts'

const box = { fromMs: 0, toMs: 100, width: 100, height: 24 }

describe('sparklines', () => {
  it('a line goes from the lowest at the bottom to the highest at the top', () => {
    expect(sparklinePaths([0, 50, 100], [1, 2, 3], box)).toEqual(['M0.0 22.0L50.0 12.0L100.0 2.0'])
  })
  it('a flat series lies in the middle, a single point draws nothing', () => {
    expect(sparklinePaths([0, 100], [5, 5], box)).toEqual(['M0.0 12.0L100.0 12.0'])
    expect(sparklinePaths([0], [5], box)).toEqual([])
  })
  it('a hole is a gap, never a line across it', () => {
    expect(sparklinePaths([0, 10, 20, 80, 90, 100], [1, 1, 1, 1, 1, 1], box).length).toBe(2)
  })
  it('missing values are left out', () => {
    expect(sparklinePaths([0, 10, 20], [1, null, 2], box)).toEqual(['M0.0 22.0L20.0 2.0'])
  })
})
