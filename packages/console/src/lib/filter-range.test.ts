import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRange, joinValues, rangeOf, rangeText, rangeWords, splitValues } from './filter-range.ts'

describe('filters that one writes', () => {
  it('a range is written as the server takes it, open ends and single values too', () => {
    for (const text of ['10..20', '10..', '..20', '10', '']) expect(rangeText(rangeOf(text))).toBe(text)
    expect(rangeText({ from: '1,5', to: '' })).toBe('1.5..')
  })
  it('only numbers and days are ends', () => {
    expect(isRange('number', { from: '1,5', to: '-3' })).toBe(true)
    expect(isRange('number', { from: 'x', to: '' })).toBe(false)
    expect(isRange('date', { from: '2026-01-01', to: '' })).toBe(true)
    expect(isRange('date', { from: '01/01/2026', to: '' })).toBe(false)
  })
  it('is said in words', () => {
    const shown = (end: string) => end
    expect(['10..20', '10..', '..20', '10'].map(text => rangeWords(text, shown))).toEqual([
      '10 à 20',
      'à partir de 10',
      'jusqu’à 20',
      '10',
    ])
  })
  it('values with commas and backslashes come back from the address as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), values => {
        expect(splitValues(joinValues(values))).toEqual(values)
      }),
    )
    expect(splitValues('1,2')).toEqual(['1', '2'])
  })
})
