import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { availabilityRatio, floorRatio } from './availability.ts'

const decimals = fc.integer({ min: 0, max: 12 })

describe('availability', () => {
  it('one failure never shows 100 %', () => {
    expect(floorRatio(0.999999, 5)).toBe(0.99999)
    expect(floorRatio(1 - Number.EPSILON / 2, 12)).toBeLessThan(1)
    expect(availabilityRatio(157_680_000_000 - 1, 157_680_000_000, 5)).toBe(0.99999)
    fc.assert(
      fc.property(fc.maxSafeNat(), decimals, (total, digits) => {
        if (total > 0) expect(availabilityRatio(total - 1, total, digits)).toBeLessThan(1)
      }),
    )
  })

  it('what is already written with these decimals is kept as it is', () => {
    expect(floorRatio(0.29, 2)).toBe(0.29)
    expect(floorRatio(0.57, 2)).toBe(0.57)
    expect(floorRatio(1, 3)).toBe(1)
    expect(floorRatio(0, 3)).toBe(0)
    fc.assert(
      fc.property(fc.nat(100_000), n => {
        expect(floorRatio(n / 100_000, 5)).toBe(n / 100_000)
      }),
    )
  })

  it('floors: never above the value, less than one unit below, and the same again when floored twice', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), decimals, (value, digits) => {
        const floored = floorRatio(value, digits)
        expect(floored).toBeLessThanOrEqual(value)
        expect(value - floored).toBeLessThan(10 ** -digits * (1 + 1e-3))
        expect(floorRatio(floored, digits)).toBe(floored)
      }),
    )
  })

  it('no monitored time has no availability', () => {
    expect(availabilityRatio(0, 0, 3)).toBe(null)
    expect(availabilityRatio(5, 5, 3)).toBe(1)
  })

  it('what is not a ratio is refused', () => {
    for (const value of [-0.1, 1.1, Number.NaN]) expect(() => floorRatio(value, 2)).toThrow(RangeError)
    for (const digits of [-1, 13, 1.5]) expect(() => floorRatio(0.5, digits)).toThrow(RangeError)
    expect(() => availabilityRatio(2, 1, 2)).toThrow(RangeError)
    expect(() => availabilityRatio(-1, 1, 2)).toThrow(RangeError)
  })
})
