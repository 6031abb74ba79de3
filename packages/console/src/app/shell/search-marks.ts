import { ABSENT, fold, placeOfWord, searchWords } from '@narval/contracts'

/** A piece of a text, and whether a word of the search is there. */
export interface MarkedPart {
  readonly text: string
  readonly isMarked: boolean
  /** Where it begins in the text. */
  readonly at: number
}

/** The words of a term that a text has not. */
export const missingWords = (text: string, term: string): string => {
  const folded = fold(text)
  return searchWords(term)
    .filter(word => placeOfWord(folded, word).quality === ABSENT)
    .join(' ')
}

/** A text in pieces: where each word of the term is found, as it is written there with its case and accents. */
export const markedParts = (text: string, term: string): MarkedPart[] => {
  const { folded, origins } = foldedWithOrigins(text)
  const isMarked = new Array<boolean>(text.length).fill(false)
  for (const word of searchWords(term)) {
    const { quality, at, length } = placeOfWord(folded, word)
    if (quality === ABSENT) continue
    isMarked.fill(true, origins[at] ?? 0, origins[at + length] ?? text.length)
  }
  const parts: MarkedPart[] = []
  for (let at = 0; at < text.length; ) {
    let end = at + 1
    while (end < text.length && isMarked[end] === isMarked[at]) end += 1
    parts.push({ text: text.slice(at, end), isMarked: isMarked[at] === true, at })
    at = end
  }
  return parts
}

/** The folded text, and for each of its characters where it comes from: « œ » becomes two, an accent none. */
const foldedWithOrigins = (text: string): { readonly folded: string; readonly origins: readonly number[] } => {
  let folded = ''
  const origins: number[] = []
  let at = 0
  for (const char of text) {
    // Between two letters, so that spaces are kept.
    const own = fold(`x${char}x`).slice(1, -1)
    for (let index = 0; index < own.length; index += 1) origins.push(at)
    folded += own
    at += char.length
  }
  return { folded, origins }
}
