import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gsmText, partsOf, septets, smsText } from './sms-text.ts'

describe('the text of an SMS', () => {
  it('is written with the characters of SMS, which tell accents where they can', () => {
    expect(gsmText('Température élevée à l’entrepôt « Être » : œuvre → ça')).toBe(
      'Température élevée à l\'entrepôt "Etre" : oeuvre > ca'.replace('ô', 'o'),
    )
    expect(gsmText('数字')).toBe('??')
  })

  it('says the marks of French typography with its own, none as a question mark', () => {
    expect(gsmText('[Rappel · Erreur] «\u202fçà\u202f» «\u00a0là\u00a0» … l’œil – a — b\u202f: 3 ≥ 2')).toBe(
      '[Rappel - Erreur] "cà" "là" ... l\'oeil - a - b : 3 >= 2',
    )
  })

  it('takes 160 characters alone and 153 in each part; some count twice', () => {
    expect([
      partsOf('a'.repeat(160)),
      partsOf('a'.repeat(161)),
      partsOf('a'.repeat(306)),
      partsOf('a'.repeat(307)),
    ]).toEqual([...[1, 2, 2, 3]])
    expect(septets('[€]')).toBe(6)
  })

  it('is cut at a word, and says so', () => {
    const cut = smsText(`${'mot '.repeat(60)}fin`, 1)
    expect([cut.endsWith('mot...'), septets(cut) <= 160]).toEqual([true, true])
  })

  it('never takes more parts than allowed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 1_200 }), fc.integer({ min: 1, max: 5 }), (text, parts) => {
        expect(partsOf(smsText(text, parts))).toBeLessThanOrEqual(parts)
      }),
    )
  })
})
