import { describe, expect, it } from 'vitest'
import { bookKind, eventText } from './book-words.ts'

describe('lines of the log book', () => {
  it('say what happened, of a probe in its words', () => {
    expect(eventText({ kind: 'incident', event: 'closed' })).toBe('Fin')
    expect(eventText({ kind: 'probe', event: 'closed' })).toBe('Sonde rétablie')
  })
  it('what an address asks for that is no kind is left out', () => {
    expect([bookKind('probe'), bookKind('zzz'), bookKind(''), bookKind(null)]).toEqual(['probe', null, null, null])
  })
})
