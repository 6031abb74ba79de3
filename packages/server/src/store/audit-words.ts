import { FIELD_PREFIX, fold, LOG_OBJECTS, logActionText } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** Words of one entry that its search knows. */
const WORDS_MAX = 200
/** Characters of a word that count; PostgreSQL refuses words of 2 kB. */
const LONGEST = 100
/** What only some may read is found by nobody: values of custom fields, and formulas that name them. */
const HIDDEN = (name: string): boolean =>
  name.startsWith(FIELD_PREFIX) || name.startsWith('formulas') || name.startsWith('definition') || name === 'overrides'

/** The words by which an entry is found, each once, without case and accents, parted by blanks. */
export const auditWords = (entry: {
  readonly actor: string | null
  readonly address: string
  readonly action: string
  readonly object: string
  readonly detail: string
}): string => {
  const texts = [entry.actor ?? '', entry.address, entry.action, logActionText(entry.action), entry.object]
  texts.push(LOG_OBJECTS[entry.object.split(' ', 1)[0] ?? ''] ?? '')
  if (!entry.action.startsWith('field-value')) collect(JSON.parse(entry.detail), texts)
  return wordsOf(texts.join(' ')).slice(0, WORDS_MAX).join(' ')
}

/** The words of a text, as they are searched. */
export const wordsOf = (text: string): string[] => [
  ...new Set(Array.from(fold(text).matchAll(/[\p{L}\p{N}]+/gu), ([word]) => [...word].slice(0, LONGEST).join(''))),
]

const collect = (value: unknown, into: string[]): void => {
  if (into.length > WORDS_MAX * 2) return
  if (typeof value === 'string' || typeof value === 'number') into.push(String(value).slice(0, 500))
  else if (Array.isArray(value)) for (const one of value) collect(one, into)
  else if (value !== null && typeof value === 'object')
    for (const [name, inner] of Object.entries(value)) if (!HIDDEN(name)) collect(inner, into)
}

/** Words of a search beyond which the others are not looked at. */
const ASKED_MAX = 12

/** Entries in which each word of a text begins some word. */
export const findsWords = (dialect: Dialect, term: string): RawBuilder<boolean> => {
  const words = wordsOf(term).slice(0, ASKED_MAX)
  if (words.length === 0) return sql<boolean>`1 = 0`
  if (dialect === 'sqlite') {
    const match = words.map(word => `"${word}"*`).join(' AND ')
    return sql<boolean>`audit.id in (select rowid from audit_words where audit_words match ${match})`
  }
  const query = words.map(word => `'${word}':*`).join(' & ')
  return sql<boolean>`array_to_tsvector(string_to_array(audit.words, ' ')) @@ cast(${query} as tsquery)`
}
