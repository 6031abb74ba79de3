import { describe, expect, it } from 'vitest'
import { changedParams, idOf } from './address.ts'

describe('an address', () => {
  it('names an id by one to ten digits and by nothing else', () => {
    expect(['12', '1234567890'].map(idOf)).toEqual([12, 1_234_567_890])
    for (const text of [null, undefined, '', '0', '012', '-3', '1.5', '1e3', ' 7', 'x', '12345678901'])
      expect([text, idOf(text)]).toEqual([text, null])
  })
  it('keeps what is not changed, takes out what is null or empty, and leaves the one before as it was', () => {
    const before = new URLSearchParams('site=3&type=2&severity=error')
    const after = changedParams(before, { site: '4', type: null, severity: '', at: '45_4_9' })
    expect(Object.fromEntries(after)).toEqual({ site: '4', at: '45_4_9' })
    expect(before.toString()).toBe('site=3&type=2&severity=error')
  })
})
