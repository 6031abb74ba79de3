import { RE2JS } from 're2js'

/** Steps of a compiled pattern beyond which it is refused: a text of 8,000 characters is then matched within 100 ms. */
const MAX_STEPS = 1_000
/** Patterns kept compiled, the last used. */
const KEPT = 200
const known = new Map<string, RE2JS>()

/**
 * A pattern given by a person, matched in a time that grows with the text alone (S41): no look-around, no back-reference.
 * @returns null when it can't be used.
 */
export const compilePattern = (pattern: string): { matches(text: string): boolean } | null => {
  const compiled = known.get(pattern) ?? compile(pattern)
  if (compiled === null) return null
  known.delete(pattern)
  known.set(pattern, compiled)
  if (known.size > KEPT) known.delete(known.keys().next().value ?? pattern)
  // The whole text must match, as says the contract.
  return { matches: text => compiled.matches(text) }
}

const compile = (pattern: string): RE2JS | null => {
  try {
    const compiled = RE2JS.compile(pattern)
    return compiled.programSize() > MAX_STEPS ? null : compiled
  } catch {
    return null
  }
}
