import { describe, expect, it } from 'vitest'
import { loginsIn, MENTIONS_MAX, partsOf } from './mention.ts'

const MARIE = { login: 'Marie', name: 'Marie Legoff' }

describe('whom a text names', () => {
  it('reads « @login » at the start of words alone, not in addresses, and leaves what ends a sentence', () => {
    expect(loginsIn('@marie et (@Éric.b), voir jean@exemple.fr')).toEqual(['marie', 'eric.b'])
    expect(loginsIn('Demander à @marie.')).toEqual(['marie.', 'marie'])
    expect(loginsIn('@ @@ @-')).toEqual(['@', '-'])
    expect(loginsIn('rien du tout')).toEqual([])
  })
  it(`stops at ${MENTIONS_MAX} names`, () => {
    const text = Array.from({ length: MENTIONS_MAX + 5 }, (_, index) => `@u${index}`).join(' ')
    expect(loginsIn(text)).toHaveLength(MENTIONS_MAX)
  })
  it('parts the text so that its pieces together are it, whatever is written', () => {
    const texts = ['@marie.', 'Vu avec @MARIE, et @paul', '<b>@marie</b>', '', '@', 'a@marie @marie']
    for (const text of texts)
      expect(
        partsOf(text, [MARIE])
          .map(part => part.text)
          .join(''),
      ).toBe(text)
    expect(partsOf('Vu avec @MARIE.', [MARIE])).toEqual([
      { text: 'Vu avec ', mention: null },
      { text: '@MARIE', mention: MARIE },
      { text: '.', mention: null },
    ])
    expect(partsOf('@paul', [MARIE])).toEqual([{ text: '@paul', mention: null }])
  })
})
