import { describe, expect, it } from 'vitest'
import { figureText } from './figure-text.ts'

describe('a figure of a service', () => {
  it.each([
    [{ value: null, unit: 'bytes' }, '—'],
    [{ value: 1_500_000, unit: 'bytes' }, '1,5\u202fMo'],
    [{ value: 0.124, unit: 'ratio' }, '12,4\u202f%'],
    [{ value: 212, unit: 'ms' }, '212\u202fms'],
    [{ value: 12_345, unit: 'count' }, '12\u202f345'],
    [{ value: 3.25, unit: 'perSecond' }, '3,3\u202f/s'],
    [{ value: 'SQLite 3.50', unit: 'text' }, 'SQLite 3.50'],
  ] as const)('%o reads %s', (figure, text) => {
    expect(figureText(figure)).toBe(text)
  })
})
