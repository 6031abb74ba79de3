import { type FilterValue, flagOf, idsOf, wordsOf } from './datatable.ts'
import type { Test } from './memory-list.ts'

/** Those whose id is among the filter's; an id may be null: none. */
export const amongIds =
  <T>(idOf: (one: T) => number | null) =>
  (value: FilterValue): Test<T> => {
    const ids = new Set<number | null>(idsOf(value))
    return one => ids.has(idOf(one))
  }

/** Those whose word is among the filter's. @throws a Refusal for a word that is not one of these. */
export const amongWords = <T, Word extends string>(words: readonly Word[], wordOf: (one: T) => Word) => {
  const known = new Map(words.map(word => [word, word]))
  return (value: FilterValue): Test<T> => {
    const wanted = new Set(wordsOf(value, known))
    return one => wanted.has(wordOf(one))
  }
}

/** Those that are so, or that are not. */
export const flagged =
  <T>(is: (one: T) => boolean) =>
  (value: FilterValue): Test<T> => {
    const wanted = flagOf(value)
    return one => is(one) === wanted
  }
