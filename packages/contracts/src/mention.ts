import * as z from 'zod/mini'
import { fold } from './fold.ts'

/** Somebody whom a text names by « @login ». */
export const mention = z.object({ login: z.string(), name: z.string() })
export type Mention = z.output<typeof mention>

/** Accounts that one text may name. */
export const MENTIONS_MAX = 20

/** « @ » and what may be a login, unless it stands inside a word, as in an e-mail address. */
const NAMED = /(?<![\p{L}\p{N}._@-])@([\p{L}\p{N}._@-]{1,64})/gu

/** What ends a sentence may also end a login: both are looked for. */
const readings = (named: string): string[] => [...new Set([named, named.replace(/[._@-]+$/, '')])].filter(Boolean)

/** The folded logins that a text may name, the first `MENTIONS_MAX` names of it; those that are no account are named by nobody. */
export const loginsIn = (text: string): string[] => {
  const found = [...text.matchAll(NAMED)].map(([, named = '']) => fold(named))
  return [...new Set(found)].slice(0, MENTIONS_MAX).flatMap(readings)
}

/** A piece of a text: words, or somebody who is named. */
export interface TextPart {
  readonly text: string
  readonly mention: Mention | null
}

/** A text in pieces, so that those whom it names stand out; the pieces together are the text. */
export const partsOf = (text: string, mentions: readonly Mention[]): TextPart[] => {
  const known = new Map(mentions.map(one => [fold(one.login), one]))
  const parts: TextPart[] = []
  let from = 0
  for (const { index, 1: named = '' } of text.matchAll(NAMED)) {
    const login = readings(named).find(one => known.has(fold(one)))
    const found = login === undefined ? undefined : known.get(fold(login))
    if (login === undefined || found === undefined) continue
    if (index > from) parts.push({ text: text.slice(from, index), mention: null })
    from = index + 1 + login.length
    parts.push({ text: text.slice(index, from), mention: found })
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), mention: null })
  return parts
}
