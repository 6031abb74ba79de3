import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ABSENT,
  CLOSE,
  EXACT,
  INSIDE,
  isForgiven,
  placeOfWord,
  qualityOf,
  START,
  searchWords,
  WORD,
} from './search-match.ts'

/** What the matcher promises, said as plainly as it can be: every text that one fault makes of a word is looked for. */
const LETTERS = ['a', 'b', 'c', 'é', '-', '.']
const isDigit = (char: string | undefined): boolean => char !== undefined && /\d/.test(char)
const faults = (word: string): string[] => {
  const found: string[] = []
  const put = (before: number, middle: string, after: number) =>
    found.push(word.slice(0, before) + middle + word.slice(after))
  for (let at = 0; at <= word.length; at += 1) {
    for (const letter of LETTERS) put(at, letter, at)
    if (at === word.length || isDigit(word[at])) continue
    put(at, '', at + 1)
    for (const letter of LETTERS) put(at, letter, at + 1)
    if (at + 1 < word.length && !isDigit(word[at + 1])) put(at, `${word[at + 1]}${word[at]}`, at + 2)
  }
  return found
}
const starts = (text: string): number[] =>
  [...text].flatMap((char, at) =>
    /[\p{L}\d]/u.test(char) && (at === 0 || !/[\p{L}\d]/u.test(text[at - 1] ?? '')) ? at : [],
  )
const naive = (text: string, word: string): number => {
  if (text === word) return EXACT
  if (text.startsWith(word)) return START
  const places = [...text].flatMap((_, at) => (text.startsWith(word, at) ? at : []))
  if (places.some(at => !/[\p{L}\d]/u.test(text[at - 1] ?? ''))) return WORD
  if (places.length > 0) return INSIDE
  if ([...word].filter(char => /\p{L}/u.test(char)).length < 5) return ABSENT
  const wanted = faults(word)
  return starts(text).some(at => wanted.some(one => text.startsWith(one, at))) ? CLOSE : ABSENT
}

/** Few letters, so that words meet; a digit and what stands between words. */
const char = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'é', '1', '2', '-', '.', ' ')
const text = fc.array(char, { minLength: 1, maxLength: 14 }).map(chars => chars.join(''))
const typed = fc.array(char, { minLength: 1, maxLength: 9 }).map(chars => chars.join('').replaceAll(' ', '') || 'a')
/** A word of the text with one change, most of which are faults that are forgiven. */
const mistyped = fc.tuple(text, fc.nat(), fc.nat(), fc.nat()).map(([whole, from, length, which]): [string, string] => {
  const begin = starts(whole)[from % Math.max(1, starts(whole).length)] ?? 0
  const part = whole.slice(begin, begin + 5 + (length % 4))
  const made = faults(part)
  return [whole, made[which % made.length]?.replaceAll(' ', '') || 'a']
})

describe('words found in a text', () => {
  it('are found as the plain rule says, with one fault or none', () => {
    const isSame = ([whole, word]: readonly [string, string]) => {
      expect([whole, word, placeOfWord(whole, word).quality]).toEqual([whole, word, naive(whole, word)])
      expect(qualityOf(whole, word, isForgiven(word))).toBe(naive(whole, word))
    }
    fc.assert(fc.property(mistyped, isSame), { numRuns: 3_000 })
    fc.assert(fc.property(fc.tuple(text, typed), isSame), { numRuns: 3_000 })
  })

  it('stand where they are said to stand', () => {
    fc.assert(
      fc.property(mistyped, ([whole, word]) => {
        const { quality, at, length } = placeOfWord(whole, word)
        if (quality === ABSENT) return
        const shown = whole.slice(at, at + length)
        if (quality === CLOSE) expect([word, ...faults(word)]).toContain(shown)
        else expect(shown).toBe(word)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['routeur-lyon-01', 'routuer', CLOSE],
    ['routeur-lyon-01', 'routue', CLOSE],
    ['srv-paris-1234', 'srv-pairs-1234', CLOSE],
    ['srv-paris', 'srvparis', CLOSE],
    ['router', 'routers', CLOSE],
    // Four letters, two faults, another number: not what was meant.
    ['lyon', 'lyno', ABSENT],
    ['routeur', 'ruotuer', ABSENT],
    ['serveur-12', 'serveur-13', ABSENT],
    ['10.0.0.1', '10.0.0.2', ABSENT],
    ['par snmp', 'paris', ABSENT],
    ['srv-lyon-01', 'lyon', WORD],
    ['srv-lyon-01', 'yon', INSIDE],
  ])('« %s » by « %s »', (whole, word, quality) => {
    expect(placeOfWord(whole, word).quality).toBe(quality)
  })

  it('words count once each, without case and accents', () => {
    expect(searchWords('  Évry  CŒUR évry ')).toEqual(['evry', 'coeur'])
    expect(searchWords('a b c d e f g h i j')).toHaveLength(8)
  })
})
