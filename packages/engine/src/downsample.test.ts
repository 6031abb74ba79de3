import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_STEPS, regroup, thin } from './downsample.ts'

const series = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: -1e6, max: 1e6, noNaN: true })), {
    maxLength: 300,
  })
  .map(rows => {
    let at = 0
    const atMs = rows.map(row => (at += row[0]))
    return { atMs, value: rows.map(row => row[1]) }
  })

describe('regroup', () => {
  it('gives count, min, max, sum and last of each step, start included, end excluded', () => {
    const steps = regroup([0, 10, 59, 60, 130], [5, 1, 3, 9, 7], 0, 60, 4)
    expect([...steps.atMs]).toEqual([0, 60, 120, 180])
    expect([...steps.count]).toEqual([3, 1, 1, 0])
    expect([...steps.min]).toEqual([1, 9, 7, Number.NaN])
    expect([...steps.max]).toEqual([5, 9, 7, Number.NaN])
    expect([...steps.sum]).toEqual([9, 9, 7, 0])
    expect([...steps.last]).toEqual([3, 9, 7, Number.NaN])
  })

  it('leaves out what is outside the range, and NaN', () => {
    const steps = regroup([-1, 0, 5, 10], [1, 2, Number.NaN, 4], 0, 5, 2)
    expect([...steps.count]).toEqual([1, 0])
  })

  it('loses no sample and invents none: counts, sums and extremes over all steps are those of the series', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 10_000 }), ({ atMs, value }, stepMs) => {
        const steps = regroup(atMs, value, 0, stepMs, Math.floor((atMs.at(-1) ?? 0) / stepMs) + 1)
        expect(steps.count.reduce((a, b) => a + b, 0)).toBe(value.length)
        if (value.length === 0) return
        expect(Math.min(...[...steps.min].filter(x => !Number.isNaN(x)))).toBe(Math.min(...value))
        expect(Math.max(...[...steps.max].filter(x => !Number.isNaN(x)))).toBe(Math.max(...value))
        expect([...steps.last].filter(x => !Number.isNaN(x)).at(-1)).toBe(value.at(-1))
        expect(steps.sum.reduce((a, b) => a + b, 0)).toBeCloseTo(
          value.reduce((a, b) => a + b, 0),
          3,
        )
      }),
    )
  })

  it('R26 regrouping in two goes is regrouping at once: extremes of the coarse steps are those of the fine ones', () => {
    fc.assert(
      fc.property(series, ({ atMs, value }) => {
        const fine = regroup(atMs, value, 0, 1_000, 1_600)
        const coarse = regroup(atMs, value, 0, 4_000, 400)
        const maxima = regroup(fine.atMs, fine.max, 0, 4_000, 400)
        expect([...maxima.max]).toEqual([...coarse.max])
        expect([...regroup(fine.atMs, fine.last, 0, 4_000, 400).last]).toEqual([...coarse.last])
        expect([...regroup(fine.atMs, fine.count, 0, 4_000, 400).sum]).toEqual([...coarse.count])
      }),
    )
  })

  it('steps that make no sense, or too many, are refused', () => {
    for (const [stepMs, steps] of [
      [0, 1],
      [-1, 1],
      [Number.NaN, 1],
      [1, -1],
      [1, 1.5],
      [1, MAX_STEPS + 1],
    ] as const)
      expect(() => regroup([], [], 0, stepMs, steps)).toThrow(RangeError)
    expect(() => regroup([1], [], 0, 1, 1)).toThrow(RangeError)
  })
})

describe('thin', () => {
  it('keeps the first, the last, the lowest and the highest, in order, within the number asked for', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 4, max: 100 }), ({ atMs, value }, maxPoints) => {
        const thinned = thin(atMs, value, maxPoints)
        expect(thinned.atMs.length).toBeLessThanOrEqual(maxPoints)
        expect(thinned.value.length).toBe(thinned.atMs.length)
        if (value.length <= maxPoints) expect([...thinned.value]).toEqual(value)
        if (value.length === 0) return
        expect(thinned.atMs[0]).toBe(atMs[0])
        expect(thinned.atMs.at(-1)).toBe(atMs.at(-1))
        expect(Math.min(...thinned.value)).toBe(Math.min(...value))
        expect(Math.max(...thinned.value)).toBe(Math.max(...value))
        expect([...thinned.atMs]).toEqual([...new Set(thinned.atMs)].sort((a, b) => a - b))
        const known = new Map(atMs.map((at, i) => [at, value[i]]))
        thinned.atMs.forEach((at, i) => {
          expect(thinned.value[i]).toBe(known.get(at))
        })
      }),
    )
  })

  it('a spike of one sample in a million is still there in 500 points', () => {
    const length = 1_000_000
    const atMs = Float64Array.from({ length }, (_, i) => i * 60_000)
    const value = new Float64Array(length)
    value[777_777] = 1
    const thinned = thin(atMs, value, 500)
    expect(Math.max(...thinned.value)).toBe(1)
    expect(thinned.value.length).toBeLessThanOrEqual(500)
  })

  it('leaves NaN out, and an empty series empty', () => {
    expect([...thin([1, 2, 3], [1, Number.NaN, 3], 4).value]).toEqual([1, 3])
    expect(thin([], [], 4).value.length).toBe(0)
  })

  it('fewer than 4 points are refused', () => {
    expect(() => thin([], [], 3)).toThrow(RangeError)
    expect(() => thin([1], [], 4)).toThrow(RangeError)
  })
})
