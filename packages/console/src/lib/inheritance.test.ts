import { NO_THRESHOLDS } from '@narval/contracts'
import { expect, test } from 'vitest'
import { originText, sameParameters, sameThresholdValues, sameValue } from './inheritance.ts'

test('the origin of a value is said in words, the model by its name', () => {
  expect(originText('model', 'Routeur')).toBe('Hérité du modèle Routeur')
  expect(originText('platform', 'Routeur')).toBe('Hérité des paramètres')
  expect(originText('scanner', null)).toBe('Hérité du scanner')
  expect(originText('kind', null)).toBe('Hérité du genre de scanner')
})

test('a cleared field is the platform’s, whatever the input leaves behind', () => {
  expect(sameValue('', null)).toBe(true)
  expect(sameValue(undefined, null)).toBe(true)
  expect(sameValue(0, null)).toBe(false)
})

test('parameters are the same when their kind reads the same out of them', () => {
  expect(sameParameters('ping', { size: 56 }, { count: 5, size: 56 })).toBe(true)
  expect(sameParameters('ping', { count: 4 }, { count: 5 })).toBe(false)
  expect(sameParameters('tcp', { port: 'x' }, { port: 80 })).toBe(false)
})

test('a side that a formula computes differs by its formula, not by its figure', () => {
  const [a, b] = [
    { ...NO_THRESHOLDS, errorHigh: 90 },
    { ...NO_THRESHOLDS, errorHigh: 45 },
  ]
  expect(sameThresholdValues(a, b, { errorHigh: 'champ.x' }, { errorHigh: 'champ.x' })).toBe(true)
  expect(sameThresholdValues(a, a, { errorHigh: 'champ.x' }, { errorHigh: 'champ.y' })).toBe(false)
  expect(sameThresholdValues(a, a, {}, { errorHigh: 'champ.y' })).toBe(false)
})

test('thresholds are compared side by side', () => {
  expect(sameThresholdValues({ warningHigh: 1 }, { ...NO_THRESHOLDS, warningHigh: 1 })).toBe(true)
  expect(sameThresholdValues({ ...NO_THRESHOLDS, warningHigh: '1x' }, { ...NO_THRESHOLDS, warningHigh: 1 })).toBe(false)
})
