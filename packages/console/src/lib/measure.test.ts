import { UNITS } from '@narval/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMeasure, writeMeasure } from './measure.ts'

describe('what a person types as a threshold', () => {
  test('a ratio is typed as a percentage, with or without its sign, and kept as a share of 1', () => {
    expect(readMeasure('90', 'ratio')).toBe(0.9)
    expect(readMeasure('97,4 %', 'ratio')).toBe(0.974)
    expect(readMeasure('0,1%', 'ratio')).toBe(0.001)
  })

  test('French numbers: decimal comma, spaces of every kind between thousands', () => {
    expect(readMeasure('1 500,5', 'count')).toBe(1_500.5)
    expect(readMeasure('12\u202f000\u00a0ms', 'ms')).toBe(12_000)
    expect(readMeasure('−5', 'celsius')).toBe(-5)
  })

  test('larger units of the same kind are understood', () => {
    expect(readMeasure('1,5 Go', 'bytes')).toBe(1.5e9)
    expect(readMeasure('2 s', 'ms')).toBe(2_000)
    expect(readMeasure('10 min', 's')).toBe(600)
    expect(readMeasure('100 mbit/s', 'bits/s')).toBe(1e8)
  })

  test('nothing is no threshold; what is no such measure is refused, never guessed', () => {
    expect(readMeasure('  ', 'ms')).toBeNull()
    for (const text of ['abc', '1,2,3', '5 Go', '1e9', '--2', '5 %']) expect(readMeasure(text, 'ms')).toBeUndefined()
  })
})

describe('a threshold as it is shown for editing', () => {
  test('reads as a person would write it', () => {
    expect(writeMeasure(0.975, 'ratio')).toBe('97,5\u202f%')
    expect(writeMeasure(1.5e9, 'bytes')).toBe('1,5\u202fGo')
    expect(writeMeasure(86_400, 's')).toBe('1\u202fj')
    expect(writeMeasure(1_500, 'ms')).toBe('1\u202f500\u202fms')
    expect(writeMeasure(null, 'ratio')).toBe('')
    expect(writeMeasure(0, 'bytes')).toBe('0\u202fo')
  })

  test('is read back exactly, whatever the value and the unit', () => {
    const value = fc.tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: 0, max: 6 }))
    fc.assert(
      fc.property(value, fc.constantFrom(...UNITS), ([digits, decimals], unit) => {
        const number = Number(`${digits}e-${decimals}`)
        const exact = number === 0 ? 0 : number
        expect(readMeasure(writeMeasure(exact, unit), unit)).toBe(exact)
      }),
    )
  })
})
