import { expect, test } from 'vitest'
import { formulaFault, formulaIssues, isFormula } from './formula-text.ts'

test('a text that names a field is a formula, a figure with its unit is none', () => {
  expect(isFormula('champ.debit * 0,9')).toBe(true)
  expect(isFormula('1,5 Go')).toBe(false)
  expect(isFormula('')).toBe(false)
})

test('a formula that can’t be read is told from where on', () => {
  expect(formulaFault('champ.debit * 0,9')).toBeNull()
  expect(formulaFault('champ.debit ** 2')).toBe('Formule incomprise à partir de «\u202f* 2\u202f»')
  expect(formulaFault('champ.debit *')).toBe('La formule n’est pas finie')
})

test('a formula on a field that one may not read can be sent back as it was shown', () => {
  expect(formulaFault('champ.? * 0,9')).toBeNull()
  expect(formulaFault('champ.? **')).toBe('Formule incomprise à partir de «\u202f*\u202f»')
})

test('each fault stands at its side', () => {
  expect(
    formulaIssues({ warningHigh: 'champ.a', errorHigh: '(champ.a' }, ['metrics', 0]).map(({ path }) => path),
  ).toEqual([['metrics', 0, 'formulas', 'errorHigh']])
})
