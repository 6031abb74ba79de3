import { CHECK_KINDS, CHECKS, NO_THRESHOLDS, statesOf } from '@narval/contracts'
import { expect, test } from 'vitest'
import { situationText } from './situation.ts'

const situation = {
  key: 'x',
  unit: '' as const,
  states: null,
  value: 12,
  thresholds: NO_THRESHOLDS,
  severity: 'ok' as const,
}
const strict = { ...NO_THRESHOLDS, warningHigh: 10 }

test('a figure is told with the threshold that it is beyond, a state by its word alone', () => {
  expect(situationText({ ...situation, thresholds: strict })).toBe('12')
  expect(situationText({ ...situation, thresholds: strict, severity: 'warning' })).toBe('12 > 10')
  const states = { 1: 'active', 12: 'inactive' }
  expect(situationText({ ...situation, states, thresholds: strict, severity: 'warning' })).toBe('inactive')
  expect(situationText({ ...situation, states, value: 5 })).toBe('5')
  expect(situationText({ ...situation, key: 'availability', value: 0 })).toBe('Ne répond pas')
})

test('words are found by kind and key, whatever the instance; only states have any', () => {
  for (const kind of CHECK_KINDS)
    for (const metric of CHECKS[kind].metrics) {
      expect(statesOf(kind, metric.key)).toBe(metric.states ?? null)
      if (metric.states !== undefined) expect([kind, metric.key, metric.type]).toEqual([kind, metric.key, 'state'])
      if (metric.name.includes('{instance}')) expect(statesOf(kind, `${metric.key}[eth0]`)).toBe(metric.states ?? null)
    }
})
