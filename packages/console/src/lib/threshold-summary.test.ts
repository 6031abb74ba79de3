import { NO_THRESHOLDS } from '@narval/contracts'
import { expect, test } from 'vitest'
import { thresholdSummary } from './threshold-summary.ts'

test('thresholds are said in the unit of the metric, low ones first', () => {
  expect(thresholdSummary({ ...NO_THRESHOLDS, warningHigh: 0.9, errorHigh: 0.98 }, 'ratio')).toBe(
    'alerte > 90\u202f%, erreur > 98\u202f%',
  )
  expect(thresholdSummary({ ...NO_THRESHOLDS, errorLow: 2e9, warningHigh: 5e9 }, 'bytes')).toBe(
    'erreur < 2\u202fGo, alerte > 5\u202fGo',
  )
  expect(thresholdSummary(NO_THRESHOLDS, 'ms')).toBe('')
})
