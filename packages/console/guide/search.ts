/** A part of a page that the search leads to: what stands under one heading. */
export interface SearchEntry {
  /** Address from the root of the guide, with its anchor. */
  readonly to: string
  readonly page: string
  /** Empty where the part is the beginning of its page. */
  readonly heading: string
  readonly text: string
}

export interface SearchHit {
  readonly entry: SearchEntry
  /** A piece of the text around the first word found. */
  readonly excerpt: string
}

const EXCERPT_LENGTH = 150
const LETTER = /[\p{L}\p{N}]/u

/** Without case and accents; as long as what was given, so that places in both are the same. */
export const fold = (text: string): string =>
  [...text]
    .map(letter => {
      const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      return plain.length === letter.length ? plain : letter
    })
    .join('')
    .replaceAll('’', "'")

const wordsOf = (query: string): string[] => fold(query).match(/[\p{L}\p{N}_.:/-]+/gu) ?? []

/** 3 where a word begins with it, 1 where it stands within a word, 0 where it is missing. */
const found = (text: string, word: string): number => {
  const at = text.indexOf(word)
  if (at < 0) return 0
  for (let place = at; place >= 0; place = text.indexOf(word, place + 1))
    if (place === 0 || !LETTER.test(text.charAt(place - 1))) return 3
  return 1
}

const scoreOf = (entry: SearchEntry, words: readonly string[]): number => {
  const [page, heading, text] = [fold(entry.page), fold(entry.heading), fold(entry.text)]
  let score = 0
  for (const word of words) {
    const best = found(page, word) * (entry.heading === '' ? 8 : 2) + found(heading, word) * 6 + found(text, word)
    if (best === 0) return 0
    score += best
  }
  return score
}

const excerptOf = (text: string, words: readonly string[]): string => {
  const folded = fold(text)
  const places = words.map(word => folded.indexOf(word)).filter(at => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const start = first < EXCERPT_LENGTH / 3 ? 0 : text.indexOf(' ', first - EXCERPT_LENGTH / 3) + 1
  const wanted = start + EXCERPT_LENGTH
  const end = wanted < text.length ? Math.max(text.lastIndexOf(' ', wanted), start) : text.length
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

/**
 * The parts that hold all words of a query, the best first: words are looked for without case or accents, by their
 * beginning or within; a title counts more than a text. Without a word: nothing.
 */
export const searchGuide = (entries: readonly SearchEntry[], query: string, limit = 12): SearchHit[] => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return entries
    .map(entry => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => ({ entry, excerpt: excerptOf(entry.text, words) }))
}
