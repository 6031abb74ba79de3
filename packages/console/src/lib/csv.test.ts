import { describe, expect, it } from 'vitest'
import { toCsv } from './csv.ts'

describe('CSV export', () => {
  it('S45: a formula in a cell is inert', () => {
    expect(toCsv(['a'], [['=HYPERLINK("http://x")'], ['@SUM(1)'], ['-2+3']])).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(toCsv(['a'], [['@SUM(1)']])).toContain("'@SUM(1)")
  })
  it('separators and quotes stay inside their cell, numbers have a comma', () => {
    expect(toCsv(['a', 'b'], [['x;"y"', 1.5]])).toBe('\uFEFFa;b\r\n"x;""y""";1,5\r\n')
  })
})
