import { UNITS } from '@narval/contracts'
import { describe, expect, test } from 'vitest'
import { formatAgo, formatCount, formatDuration, formatEnd, formatNumber, formatValue, UNIT_LABELS } from './format.ts'

const S = '\u202f'

describe('French figures', () => {
  test('decimal comma, narrow no-break thousands', () => {
    expect(formatNumber(12345.678)).toBe(`12${S}345,68`)
    expect(formatNumber(-0)).toBe('0')
    expect(formatNumber(2987, 0)).toBe(`2${S}987`)
  })

  test.each([
    [0.9741, 'ratio', `97,4${S}%`],
    [1, 'ratio', `100${S}%`],
    [0.83, 'ms', `0,83${S}ms`],
    [212.4, 'ms', `212${S}ms`],
    [1234, 'ms', `1,23${S}s`],
    [180_000, 'ms', `3${S}min`],
    [12, 's', `12${S}s`],
    [7_800, 's', `2${S}h 10${S}min`],
    [512, 'bytes', `512${S}o`],
    [1_500_000, 'bytes', `1,5${S}Mo`],
    [999_600, 'bytes', `1${S}Mo`],
    [2.5e12, 'bytes', `2,5${S}To`],
    [1_250, 'bytes/s', `1,25${S}ko/s`],
    [812e6, 'bits/s', `812${S}Mbit/s`],
    [431, 'count', '431'],
    [2404, 'code', '2404'],
    [214.1509433962264, 'code', '214,15'],
    [3.5, 'count/s', `3,5${S}/s`],
    [200, 'code', '200'],
    [21.54, 'celsius', `21,5${S}°C`],
    [5, '', '5'],
    [null, 'ms', '—'],
    [Number.NaN, 'ms', '—'],
    [Number.POSITIVE_INFINITY, 'bytes', '—'],
  ] as const)('%s %s is « %s »', (value, unit, text) => {
    expect(formatValue(value, unit)).toBe(text)
  })

  test('every unit of the wire has a label', () => {
    expect(Object.keys(UNIT_LABELS).sort()).toEqual([...UNITS].sort())
  })
})

describe('French times', () => {
  test.each([
    [0, `0${S}s`],
    [59_999, `59${S}s`],
    [192_000, `3${S}min 12${S}s`],
    [22 * 60_000, `22${S}min`],
    [28 * 3_600_000, `1${S}j 4${S}h`],
    [Number.NaN, `0${S}s`],
  ])('%d ms lasts « %s »', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test.each([
    [2_000, 'à l’instant'],
    [12_000, `il y a 12${S}s`],
    [200_000, `il y a 3${S}min`],
    [5 * 3_600_000, `il y a 5${S}h`],
    [3 * 86_400_000, `il y a 3${S}j`],
    [-120_000, `dans 2${S}min`],
  ])('%d ms ago is « %s »', (ms, text) => {
    expect(formatAgo(1_000_000_000 - ms, 1_000_000_000)).toBe(text)
  })

  test('an unreadable instant is a dash', () => {
    expect(formatAgo('demain', 0)).toBe('—')
  })

  test('plurals begin at two', () => {
    expect(formatCount(0, 'équipement')).toBe('0 équipement')
    expect(formatCount(1, 'équipement')).toBe('1 équipement')
    expect(formatCount(2, 'équipement')).toBe('2 équipements')
    expect(formatCount(3, 'réseau', 'réseaux')).toBe('3 réseaux')
  })
})

test('the end of a period says its day only where that is another one', () => {
  const noon = new Date(2026, 10, 22, 12).getTime()
  expect(formatEnd(noon, noon + 301_000)).toBe('12:05:01')
  expect(formatEnd(noon, noon + 86_400_000)).toBe('23/11/2026 12:00:00')
})
