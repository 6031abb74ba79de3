import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextRate, rates } from './rate.ts'

const reading = (atMs: number, value: number) => ({ atMs, value })

describe('rate', () => {
  it('is the increase per second between two readings', () => {
    expect(nextRate(reading(0, 1_000), reading(60_000, 7_000))).toBe(100)
    expect(rates([0, 1_000, 3_000], [0, 10, 10])).toEqual([null, 10, 0])
  })

  it('a decrease, a wrap or a restart is a gap, never a spike', () => {
    expect(nextRate(reading(0, 4_294_967_295), reading(1_000, 5))).toBe(null)
    expect(nextRate(reading(0, 2 ** 64 - 2_048), reading(1_000, 0))).toBe(null)
    expect(rates([0, 1_000, 2_000, 3_000], [100, 200, 0, 50])).toEqual([null, 100, null, 50])
  })

  it('no earlier reading, no time between, or too much of it, is a gap', () => {
    expect(nextRate(null, reading(0, 1))).toBe(null)
    expect(nextRate(reading(5, 1), reading(5, 2))).toBe(null)
    expect(nextRate(reading(5, 1), reading(4, 2))).toBe(null)
    expect(nextRate(reading(0, 1), reading(200_000, 2), 180_000)).toBe(null)
  })

  it('a value that is not finite is a gap on both sides', () => {
    expect(rates([0, 1_000, 2_000, 3_000], [0, Number.NaN, 5, 6])).toEqual([null, null, null, 1])
    expect(nextRate(reading(0, 0), reading(1, Number.POSITIVE_INFINITY))).toBe(null)
    expect(nextRate(reading(0, Number.NEGATIVE_INFINITY), reading(1, 1))).toBe(null)
  })

  it('a rate is never negative nor NaN, and there is one entry a reading', () => {
    const series = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e12 }), fc.double({ min: -1e19, max: 1e19 })), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(series, rows => {
        const result = rates(
          rows.map(row => row[0]),
          rows.map(row => row[1]),
        )
        expect(result.length).toBe(rows.length)
        for (const rate of result) expect(rate === null || (rate >= 0 && Number.isFinite(rate))).toBe(true)
      }),
    )
  })

  it('a 64-bit counter beyond 2⁵³ keeps its rate to the spacing of doubles', () => {
    const step = fc.bigInt({ min: 0n, max: 10n ** 12n })
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }), step, (start, increase) => {
        const rate = nextRate(reading(0, Number(start)), reading(60_000, Number(start + increase)))
        expect(rate).not.toBe(null)
        expect(Math.abs((rate ?? 0) - Number(increase) / 60)).toBeLessThanOrEqual(2_048 / 60 + 1e-6)
      }),
    )
  })

  it('the rates of a counter add up to its increase', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 600_000 }), fc.nat(1e9)), { minLength: 1, maxLength: 50 }),
        steps => {
          let at = 0
          let value = 0
          const rows = steps.map(([ms, more]) => {
            at += ms
            value += more
            return { at, value, ms }
          })
          const result = rates(
            rows.map(row => row.at),
            rows.map(row => row.value),
          )
          const sum = result.reduce<number>((total, rate, i) => total + ((rate ?? 0) * (rows[i]?.ms ?? 0)) / 1_000, 0)
          expect(sum).toBeCloseTo(value - (rows[0]?.value ?? 0), 2)
        },
      ),
    )
  })

  it('columns that differ in length are refused', () => {
    expect(() => rates([1], [])).toThrow(RangeError)
  })
})
