import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { booleanOf, joinList, numberOf, numberText, splitList } from './csv-cells.ts'

describe('cells', () => {
  it('numbers take a comma or a point, thousands apart, and the minus of typographers', () => {
    const cells = ['1,5', '1.5', '-2', '−2', '1 234,5', '1\u202f234\u00a0567', '1e-7', '+3', '0']
    expect(cells.map(numberOf)).toEqual([1.5, 1.5, -2, -2, 1_234.5, 1_234_567, 1e-7, 3, 0])
    const none = ['', 'abc', '1,2,3', '1 2', 'NaN', 'Infinity', '1e999', '0x10', '12 %', '--1']
    expect(none.map(numberOf)).toEqual(none.map(() => null))
  })

  it('every finite number comes back as it was', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        expect(numberOf(numberText(value))).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  it('yes and no are known in French and as figures; anything else is neither', () => {
    expect(['oui', 'OUI', 'Vrai', '1', 'actif'].map(booleanOf)).toEqual([true, true, true, true, true])
    expect(['non', 'Faux', '0', 'Désactivé'].map(booleanOf)).toEqual([false, false, false, false])
    expect(['', 'peut-être', '2'].map(booleanOf)).toEqual([null, null, null])
  })

  it('lists are read as people write them, and every list comes back as it was', () => {
    expect(splitList(' a, b ,, c;d ')).toEqual(['a', 'b', 'c;d'])
    expect(splitList('"a, b", c "d"')).toEqual(['a, b', 'c "d"'])
    expect(splitList('"jamais fermé')).toEqual(['"jamais fermé'])
    expect(splitList('')).toEqual([])
    const item = fc.oneof(fc.constantFrom(',', '"', '""', ' a', 'a ', 'a,b', '"a"'), fc.string({ minLength: 1 }))
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), items => {
        expect(splitList(joinList(items))).toEqual(items)
      }),
      { numRuns: 500 },
    )
  })
})
