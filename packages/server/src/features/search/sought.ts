import { ABSENT, INSIDE, isForgiven, qualityOf, searchWords, WORD } from '@narval/contracts'

/**
 * How well each word of a term is found in a text: their places in `MATCH_QUALITIES`, three bits a word, so that the texts
 * of an object are put together without a list for each.
 */
export type Found = number

/** A term that is looked for in texts without case and accents. */
export interface Sought {
  /** Nothing is found by it. */
  readonly isEmpty: boolean
  in(text: string): Found
  /** The same without any fault: in longer texts something like a word is soon found. */
  inProse(text: string): Found
  /** The same for texts that many objects share: each is looked at once. */
  inShared(text: string): Found
  /** The same of objects that are many; `nowhere` as soon as a word is neither there nor in what they belong to. */
  inSharedOf(text: string, around: Found): Found
  /** What is found by the whole term alone, as in values that are searched elsewhere. */
  readonly whole: Found
  /** No word is there. */
  readonly nowhere: Found
  /**
   * How well an object with this name is found: by its worst word, each by its best text; `ABSENT` where one is nowhere, or
   * all of them are but in what it belongs to (`around`), which does not make it meant.
   */
  judge(name: string, own: Found, around: Found): number
}

const BITS = 3
const MASK = 2 ** BITS - 1
/** Where every metric has a name of its own, remembering them would cost more than looking. */
const SHARED_MAX = 4_000

/** Reads a term as it was typed. */
export const soughtOf = (term: string): Sought => {
  const words = searchWords(term).map(word => ({ word, isForgiving: isForgiven(word) }))
  const whole = words.map(({ word }) => word).join(' ')
  const shared = new Map<string, Found>()
  const find = (text: string, forgives = true): Found => {
    let [found, shift] = [0, 0]
    for (const { word, isForgiving } of words) {
      found |= qualityOf(text, word, forgives && isForgiving) << shift
      shift += BITS
    }
    return found
  }
  const nowhere = packed(words.length, ABSENT)
  const findOf = (text: string, around: Found): Found => {
    let [found, shift] = [0, 0]
    for (const { word, isForgiving } of words) {
      const quality = qualityOf(text, word, isForgiving)
      if (quality === ABSENT && ((around >> shift) & MASK) === ABSENT) return nowhere
      found |= quality << shift
      shift += BITS
    }
    return found
  }
  const inShared = (text: string): Found => {
    const known = shared.get(text)
    if (known !== undefined) return known
    const found = find(text)
    shared.set(text, found)
    return found
  }
  return {
    isEmpty: words.length === 0,
    in: text => find(text),
    inProse: text => find(text, false),
    inShared,
    inSharedOf: (text, around) =>
      shared.get(text) ?? (shared.size < SHARED_MAX ? inShared(text) : findOf(text, around)),
    whole: packed(words.length, INSIDE),
    nowhere,
    judge(name, own, around) {
      if (own === nowhere) return ABSENT
      const worst = worstOf(better(own, atMost(around, WORD)), words.length)
      if (words.length === 1 || worst === ABSENT) return worst
      return Math.min(Math.max(worst, WORD), qualityOf(name, whole, false))
    },
  }
}

const packed = (words: number, quality: number): Found => {
  let found = 0
  for (let index = 0; index < words; index += 1) found |= quality << (index * BITS)
  return found
}

const worstOf = (found: Found, words: number): number => {
  let worst = 0
  for (let index = 0; index < words; index += 1) worst = Math.max(worst, (found >> (index * BITS)) & MASK)
  return worst
}

/** The better of both, word by word. */
export const better = (a: Found, b: Found): Found => {
  if (a === b) return a
  let found = 0
  for (let shift = 0; shift < 32 - BITS; shift += BITS)
    found |= Math.min((a >> shift) & MASK, (b >> shift) & MASK) << shift
  return found
}

/** No word better than `best`: of texts by which an object is found without being called so. */
export const atMost = (found: Found, best: number): Found => {
  let limited = 0
  for (let shift = 0; shift < 32 - BITS; shift += BITS) limited |= Math.max((found >> shift) & MASK, best) << shift
  return limited
}
