import { describe, expect, it } from 'vitest'
import { typingAt, withMention } from './mention-typing.ts'

describe('a name that is being typed', () => {
  it('stands between « @ » at the start of a word and the cursor', () => {
    expect(typingAt('Vu avec @mar et Paul', 12)).toEqual({ at: 8, term: 'mar' })
    expect(typingAt('@', 1)).toEqual({ at: 0, term: '' })
    expect(typingAt('(@é', 3)).toEqual({ at: 1, term: 'é' })
    for (const text of ['marie@exemple', 'Vu', '@marie ', '@@']) expect(typingAt(text, text.length)).toBeNull()
  })
  it('becomes the login, and the cursor stands behind it, with one space', () => {
    const typing = { at: 8, term: 'mar' }
    expect(withMention('Vu avec @mar', typing, 'marie')).toEqual({ text: 'Vu avec @marie ', cursor: 15 })
    expect(withMention('Vu avec @mar ce soir', typing, 'marie')).toEqual({ text: 'Vu avec @marie ce soir', cursor: 15 })
  })
})
