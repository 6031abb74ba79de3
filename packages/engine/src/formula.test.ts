import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  evaluateFormula,
  FORMULA_MAX_DEPTH,
  FORMULA_MAX_LENGTH,
  type Formula,
  formulaKeys,
  parseFormula,
} from './formula.ts'

const parsed = (text: string): Formula => {
  const answer = parseFormula(text)
  if ('fault' in answer) throw new Error(`${answer.fault.code} at ${answer.fault.at}`)
  return answer.formula
}
const faultOf = (text: string) => {
  const answer = parseFormula(text)
  return 'fault' in answer ? answer.fault : null
}
const FIELDS: Readonly<Record<string, number>> = { debit: 100, part: 0.25 }
const figureOf = (text: string) =>
  evaluateFormula(parsed(text), key => (Object.hasOwn(FIELDS, key) ? (FIELDS[key] ?? null) : null))

describe('formulas of thresholds', () => {
  it.each([
    ['champ.debit * 0,9', 90],
    ['champ.debit*0.9', 90],
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['100 / 5 / 2', 10],
    ['-champ.debit + 1', -99],
    ['2 * -3', -6],
    ['--3', 3],
    ['min(champ.debit; 80)', 80],
    ['max(champ.debit * champ.part ; min(1;2))', 25],
    [' 0,5 ', 0.5],
  ])('%s is %d', (text, value) => {
    expect(figureOf(text)).toBeCloseTo(value, 12)
  })

  it.each(['champ.inconnu', 'champ.debit + champ.inconnu', '1 / 0', '0 / 0', 'min(1; champ.inconnu)'])(
    '%s has no figure',
    text => {
      expect(figureOf(text)).toBeNull()
    },
  )

  it.each([
    ['', 'empty', 0],
    ['   ', 'empty', 0],
    ['1 +', 'unfinished', 3],
    ['(1 + 2', 'unfinished', 6],
    ['1 2', 'unexpected', 2],
    ['1 + )', 'unexpected', 4],
    ['debit * 2', 'unexpected', 0],
    ['1 +  $', 'unexpected', 5],
    ['champ.Débit', 'unexpected', 0],
    ['champ.__proto__', 'unexpected', 0],
    ['min(1, 2)', 'unexpected', 5],
    ['min(1; 2; 3)', 'unexpected', 8],
    ['minimum(1; 2)', 'unexpected', 0],
    ['min 1', 'unexpected', 4],
    ['2 ** 3', 'unexpected', 3],
    ['constructor', 'unexpected', 0],
    ['1;', 'unexpected', 1],
    ['1'.repeat(FORMULA_MAX_LENGTH + 1), 'too-long', FORMULA_MAX_LENGTH],
    ['('.repeat(60), 'too-deep', FORMULA_MAX_DEPTH + 1],
    ['-'.repeat(60), 'too-deep', FORMULA_MAX_DEPTH + 1],
  ])('« %s » is refused: %s at %d', (text, code, at) => {
    expect(faultOf(text)).toEqual({ code, at })
  })

  it('names each field once', () => {
    expect(formulaKeys(parsed('champ.debit + min(champ.part; champ.debit) - 1'))).toEqual(['debit', 'part'])
  })

  it('whatever the text: an answer with a place inside it, never an error', () => {
    const piece = fc.constantFrom(
      '1',
      '0,5',
      'champ.debit',
      '+',
      '-',
      '*',
      '/',
      '(',
      ')',
      'min',
      'max',
      ';',
      ' ',
      '.',
      'x',
    )
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(piece, { maxLength: 80 }).map(all => all.join('')),
    )
    fc.assert(
      fc.property(text, one => {
        const answer = parseFormula(one)
        if ('fault' in answer) {
          expect(answer.fault.at).toBeGreaterThanOrEqual(0)
          expect(answer.fault.at).toBeLessThanOrEqual(one.length)
        } else {
          const value = evaluateFormula(answer.formula, () => 2)
          expect(value === null || Number.isFinite(value)).toBe(true)
          if (formulaKeys(answer.formula).length > 0) expect(evaluateFormula(answer.formula, () => null)).toBeNull()
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('a formula that is written out with all its parentheses is read as the same figure', () => {
    const leaf = fc.oneof(fc.integer({ min: 0, max: 999 }).map(String), fc.constant('champ.debit'))
    const { tree } = fc.letrec<{ tree: string }>(tie => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*'), tie('tree')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      ),
    }))
    fc.assert(
      fc.property(
        tree.filter(text => text.length <= FORMULA_MAX_LENGTH),
        text => {
          const expected: unknown = new Function(`return ${text.replaceAll('champ.debit', '100')}`)()
          expect(figureOf(text)).toBe(Number(expected) + 0)
        },
      ),
    )
  })
})
