import { RE2JS } from 're2js'

/** Steps of a compiled pattern times characters of a text: some 70 ms of one core, whatever the pattern (S41). */
const BUDGET = 4_000_000
/** Steps beyond which a pattern is refused. */
const MAX_STEPS = 1_000
/** Patterns kept compiled. */
const KEPT = 500
const known = new Map<string, RE2JS | null>()

export interface Search {
  /** The first match and its groups; null when there is none. */
  readonly match: readonly (string | null)[] | null
  /** Characters that were looked at: fewer than the text has when it is too long for the pattern. */
  readonly looked: number
}

/**
 * Looks for a person's pattern in a text, in bounded time: no look-around, no back-reference (RE2). Null when the pattern
 * can't be used.
 */
export const searchPattern = (pattern: string, text: string): Search | null => {
  const compiled = compile(pattern)
  if (compiled === null) return null
  const looked = Math.min(text.length, Math.floor(BUDGET / compiled.programSize()))
  const matcher = compiled.matcher(text.slice(0, looked))
  if (!matcher.find()) return { match: null, looked }
  return { match: Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group)), looked }
}

const compile = (pattern: string): RE2JS | null => {
  const held = known.get(pattern)
  if (held !== undefined) return held
  if (known.size >= KEPT) known.clear()
  const made = make(pattern)
  known.set(pattern, made)
  return made
}

const make = (pattern: string): RE2JS | null => {
  try {
    const compiled = RE2JS.compile(pattern)
    return compiled.programSize() > MAX_STEPS ? null : compiled
  } catch {
    return null
  }
}
