import { describe, expect, it } from 'vitest'
import { searchPattern } from './pattern.ts'

describe('patterns that people give', () => {
  it('are looked for anywhere in a text, with their groups', () => {
    expect(searchPattern('version (\\d+)\\.(\\d+)', 'Apache version 2.4 (Debian)')).toEqual({
      match: ['version 2.4', '2', '4'],
      looked: 27,
    })
    expect(searchPattern('^fin$', 'le début')?.match).toBeNull()
  })

  it('that can’t be used are no pattern: look-around, back-references, thousands of steps, garbage', () => {
    for (const pattern of ['(?=a)b', '(a)\\1', '(', '(a{1,1000}){1,1000}'])
      expect(searchPattern(pattern, 'a')).toBeNull()
  })

  it('S41: the heavier one is, the fewer characters it is tried on, so that none takes its time from others', () => {
    const text = 'a'.repeat(1_048_576)
    const light = searchPattern('(a+)+$', text)
    const heavy = searchPattern('(.*a){20}', text)
    expect(light?.looked).toBe(500_000)
    expect(heavy?.looked).toBeLessThan(50_000)
    expect(heavy?.match).not.toBeNull()
  })
})
