import { fold } from './fold.ts'

/** How well a word is found in a text, best first: it is all of it, begins it, begins a word of it, stands inside, or nearly so. */
export const MATCH_QUALITIES = ['exact', 'start', 'word', 'inside', 'close'] as const
export type MatchQuality = (typeof MATCH_QUALITIES)[number]

/** Their places in `MATCH_QUALITIES`; one more is a word that is not there. */
export const EXACT = 0
export const START = 1
export const WORD = 2
export const INSIDE = 3
export const CLOSE = 4
export const ABSENT = 5

/** Longer terms are cut; more words are not looked for. */
export const SEARCH_TERM_MAX = 100
const WORDS_MAX = 8
/** Words of fewer letters are taken as they are typed. */
const FORGIVEN_LETTERS = 5

/** The words of a term as they are looked for: without case and accents, in any order, each once. */
export const searchWords = (term: string): string[] => {
  const words = fold(term.slice(0, SEARCH_TERM_MAX)).split(' ').filter(Boolean)
  return [...new Set(words)].slice(0, WORDS_MAX)
}

/** Where a word is in a text, or what is taken for it. */
export interface WordPlace {
  /** Place in `MATCH_QUALITIES`, or `ABSENT`. */
  readonly quality: number
  readonly at: number
  readonly length: number
}

const NOWHERE: WordPlace = { quality: ABSENT, at: 0, length: 0 }

/**
 * The best place of a word in a text, both folded. A word of five letters or more may have one fault: a letter too many, one
 * missing, another one, or two in the wrong order; it is then looked for where words begin. Digits are never guessed.
 */
export const placeOfWord = (text: string, word: string): WordPlace => {
  const first = text.indexOf(word)
  if (first === 0) return { quality: text.length === word.length ? EXACT : START, at: 0, length: word.length }
  if (first > 0) {
    for (let at = first; at > 0; at = text.indexOf(word, at + 1))
      if (isStart(text, at)) return { quality: WORD, at, length: word.length }
    return { quality: INSIDE, at: first, length: word.length }
  }
  return isForgiven(word) ? closePlace(text, word) : NOWHERE
}

/** The same without its place, where many texts are looked at. */
export const qualityOf = (text: string, word: string, isForgiving: boolean): number => {
  const first = text.indexOf(word)
  if (first === 0) return text.length === word.length ? EXACT : START
  if (first > 0) {
    for (let at = first; at > 0; at = text.indexOf(word, at + 1)) if (isStart(text, at)) return WORD
    return INSIDE
  }
  return isForgiving && closePlace(text, word).quality === CLOSE ? CLOSE : ABSENT
}

/** Whether a word may have one fault. */
export const isForgiven = (word: string): boolean => {
  let letters = 0
  for (const char of word) if (LETTER.test(char)) letters += 1
  return letters >= FORGIVEN_LETTERS
}

const LETTER = /\p{L}/u
const [SPACE, ZERO, NINE, SMALL_A, SMALL_Z, BEYOND_ASCII] = [32, 48, 57, 97, 122, 128]
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE
/** Letters and digits of folded text; what is beyond ASCII counts as a letter. */
const isInWord = (code: number): boolean =>
  (code >= SMALL_A && code <= SMALL_Z) || isDigit(code) || code >= BEYOND_ASCII
const isStart = (text: string, at: number): boolean => at === 0 || !isInWord(text.charCodeAt(at - 1))

const closePlace = (text: string, word: string): WordPlace => {
  const [first, second] = [word.charCodeAt(0), word.charCodeAt(1)]
  let isInside = false
  for (let at = 0; at + word.length <= text.length + 1; at += 1) {
    const begins = !isInside
    const code = text.charCodeAt(at)
    isInside = isInWord(code)
    if (!begins || !isInside) continue
    // One of its first two letters must stand among the first two there: most places are left at this.
    const next = text.charCodeAt(at + 1)
    if (code !== first && code !== second && next !== first && next !== second) continue
    const length = closeLength(text, at, word)
    if (length > 0) return { quality: CLOSE, at, length }
  }
  return NOWHERE
}

/**
 * How long what begins there is, if one change makes it the word; else 0. Where the two first differ is where the fault is:
 * before, one would change what is alike; after, this difference would stay.
 */
const closeLength = (text: string, at: number, word: string): number => {
  let same = 0
  while (same < word.length && word.charCodeAt(same) === text.charCodeAt(at + same)) same += 1
  const [typed, meant] = [word.charCodeAt(same), text.charCodeAt(at + same)]
  const after = at + same
  const rest = (from: number, where: number): boolean => isRest(word, from, text, where)
  // A letter too many; the text may end there.
  if (!isDigit(typed) && rest(same + 1, after)) return word.length - 1
  // What is meant is one word.
  if (Number.isNaN(meant) || isDigit(meant) || meant === SPACE) return 0
  if (!isDigit(typed) && rest(same + 1, after + 1)) return word.length
  if (rest(same, after + 1)) return word.length + 1
  const isSwapped = typed === text.charCodeAt(after + 1) && meant === word.charCodeAt(same + 1)
  return isSwapped && !isDigit(typed) && rest(same + 2, after + 2) ? word.length : 0
}

/** Whether the text goes on from `where` as the word does from `from`. */
const isRest = (word: string, from: number, text: string, where: number): boolean => {
  for (let ahead = 0; from + ahead < word.length; ahead += 1)
    if (word.charCodeAt(from + ahead) !== text.charCodeAt(where + ahead)) return false
  return true
}
