import type { CheckParameters } from '@narval/contracts'
import { type CheckFailure, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { searchPattern } from '../pattern.ts'
import { BODY_MAX_BYTES, type Exchanged } from './http-exchange.ts'

type Parameters = CheckParameters<'http'>
type Answer = NonNullable<Exchanged['answer']>

/** What the body of an answer says: the number at the JSON path, and the first expectation that it does not meet. */
export const readBody = (
  answer: Answer,
  parameters: Parameters,
): { readonly values: Readonly<Record<string, number>>; readonly failure: CheckFailure | null } => {
  const { contains, pattern, jsonPath, jsonValue } = parameters
  const text = contains === '' && pattern === '' && jsonPath === '' ? '' : answer.body.toString('utf8')
  const json = jsonPath === '' ? null : readJson(text, jsonPath, jsonValue)
  const problem = textFailure(text, contains, answer) ?? patternFailure(text, pattern) ?? json?.failure ?? null
  return { values: json?.values ?? {}, failure: problem }
}

const textFailure = (text: string, contains: string, { truncated }: Answer): CheckFailure | null => {
  if (contains === '' || text.includes(contains)) return null
  const said = truncated ? fr.http.textInPart(contains, BODY_MAX_BYTES / 1024 / 1024) : fr.http.text(contains)
  return failure('mismatch', said)
}

const patternFailure = (text: string, pattern: string): CheckFailure | null => {
  if (pattern === '') return null
  const search = searchPattern(pattern, text)
  if (search === null) return failure('internal', words.badPattern)
  if (search.match !== null) return null
  const part = search.looked < text.length ? words.within(search.looked) : ''
  return failure('mismatch', `${words.noMatch(pattern)}${part}`)
}

const readJson = (text: string, path: string, expected: string) => {
  const parsed = parse(text)
  if (parsed === undefined) return { values: {}, failure: failure('protocol', words.noJson) }
  const found = at(parsed, path)
  if (found === undefined) return { values: {}, failure: failure('mismatch', words.nothingAt(path)) }
  const number = typeof found === 'boolean' ? Number(found) : found
  const values: Record<string, number> =
    typeof number === 'number' && Number.isFinite(number) ? { json_value: number } : {}
  const said = textOf(found)
  if (expected === '' || said === expected) return { values, failure: null }
  return { values, failure: failure('mismatch', words.otherValue(path, said.slice(0, 100), expected)) }
}

/** As JSON, but a text as it is; what is nested too deep to be written has no text. */
const textOf = (found: unknown): string => {
  if (typeof found === 'string') return found
  try {
    return JSON.stringify(found)
  } catch {
    return '…'
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What stands at `disks[0].free`; own properties only; undefined when nothing does. */
const at = (root: unknown, path: string): unknown => {
  let current: unknown = root
  for (const [, name, rank] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const key = name ?? rank ?? ''
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Object.entries(current).find(([own]) => own === key)?.[1]
  }
  return current
}

const words = {
  badPattern: 'motif attendu incorrect ou trop complexe',
  noMatch: (pattern: string) => `la réponse ne vérifie pas le motif « ${pattern} »`,
  within: (count: number) => ` (cherché dans les ${count.toLocaleString('fr-FR')} premiers caractères)`,
  noJson: 'la réponse n’est pas du JSON',
  nothingAt: (path: string) => `rien au chemin ${path} de la réponse JSON`,
  otherValue: (path: string, found: string, expected: string) => `${path} vaut « ${found} », attendu « ${expected} »`,
} as const
