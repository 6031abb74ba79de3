import { expect, it } from 'vitest'
import { emptinessOf } from './emptiness.ts'

const counts = { error: 0, warning: 0, unknown: 0, ok: 0 }

it('says that all is well only where all is known, and that nothing is supervised where there is nothing', () => {
  expect(emptinessOf('unhandled', { ...counts, ok: 3 })).toBe('unhandled')
  expect(emptinessOf('problems', { ...counts, ok: 3 })).toBe('problems')
  expect(emptinessOf('unhandled', { ...counts, ok: 3, unknown: 17 })).toBe('unknown')
  expect(emptinessOf('problems', undefined)).toBe('unknown')
  expect(emptinessOf('unhandled', counts)).toBe('nothing')
  expect(emptinessOf('all', { ...counts, ok: 3 })).toBe('nothing')
})
