/** Which series of an exporter are meant, as Prometheus writes it. Pure. */
export interface Selector {
  /** Null: any name that the matchers on `__name__` accept. */
  readonly name: string | null
  readonly matchers: readonly Matcher[]
}

export interface Matcher {
  readonly label: string
  readonly operator: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/u
const MATCHER = /^([a-zA-Z_][a-zA-Z0-9_]*|"(?:[^"\\]|\\.)*")\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*")\s*/u
const MATCHERS_MAX = 20
const ESCAPES: Readonly<Record<string, string>> = { n: '\n' }

/** Reads `name{label="value",other=~"…"}`; null when it is none. Without a name at least one matcher must be there. */
export const parseSelector = (text: string): Selector | null => {
  let rest = text.trim()
  const name = NAME.exec(rest)?.[0] ?? null
  rest = rest.slice(name?.length ?? 0).trim()
  if (rest === '') return name === null ? null : { name, matchers: [] }
  if (!rest.startsWith('{') || !rest.endsWith('}')) return null
  rest = rest.slice(1, -1).trim()
  const matchers: Matcher[] = []
  while (rest !== '') {
    const match = MATCHER.exec(rest)
    if (match === null || matchers.length >= MATCHERS_MAX) return null
    const [whole, label = '', operator = '', value = ''] = match
    matchers.push({ label: unquoted(label), operator: operatorOf(operator), value: unquoted(value) })
    rest = rest.slice(whole.length)
    if (rest !== '' && !rest.startsWith(',')) return null
    rest = rest.slice(1).trim()
  }
  return name === null && matchers.length === 0 ? null : { name, matchers }
}

const operatorOf = (text: string): Matcher['operator'] => (text === '=~' || text === '!~' || text === '!=' ? text : '=')

const unquoted = (text: string): string =>
  text.startsWith('"')
    ? text.slice(1, -1).replace(/\\(.)/gsu, (_, escaped: string) => ESCAPES[escaped] ?? escaped)
    : text
