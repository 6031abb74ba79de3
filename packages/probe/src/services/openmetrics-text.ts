/**
 * The text formats of Prometheus (0.0.4) and OpenMetrics (1.0), line by line. Pure. Ours because it is what Narval measures:
 * what a client library of another kind would build of it (families in memory) is what a hostile exporter aims at.
 */
export interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

export type Line =
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'type'; readonly name: string; readonly type: string }
  | { readonly kind: 'end' | 'nothing' | 'malformed' }

/** Labels of one series; no exporter that means well has as many. */
const LABELS_MAX = 64

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:.]*/uy
const LABEL = /[a-zA-Z_][a-zA-Z0-9_.]*/uy
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy
const BLANKS = /[ \t]*/uy
const TYPE = /^#[ \t]+TYPE[ \t]+("(?:[^"\\]|\\.)*"|[^ \t]+)[ \t]+([a-z]+)[ \t]*$/u
/** What follows a value: a timestamp, and an exemplar in OpenMetrics. */
const TAIL = /^(?:[ \t]+[-+]?[0-9.eE+-]+)?[ \t]*(?:#[ \t].*)?$/u
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/u
const ESCAPES: Readonly<Record<string, string>> = { n: '\n' }

export const parseLine = (line: string): Line => {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (text.trim() === '') return { kind: 'nothing' }
  if (text.startsWith('#')) return parseComment(text)
  const sample = parseSample(text)
  return sample === null ? { kind: 'malformed' } : { kind: 'sample', sample }
}

const parseComment = (text: string): Line => {
  if (/^# EOF\s*$/u.test(text)) return { kind: 'end' }
  const [, name, type] = TYPE.exec(text) ?? []
  if (name === undefined || type === undefined) return { kind: 'nothing' }
  return { kind: 'type', name: name.startsWith('"') ? unescaped(name.slice(1, -1)) : name, type }
}

/** A place in a line that only goes forward. */
interface Cursor {
  readonly text: string
  at: number
}

const take = (cursor: Cursor, pattern: RegExp): RegExpExecArray | null => {
  pattern.lastIndex = cursor.at
  const match = pattern.exec(cursor.text)
  if (match !== null) cursor.at = pattern.lastIndex
  return match
}
const takeSign = (cursor: Cursor, sign: string): boolean => {
  take(cursor, BLANKS)
  if (cursor.text[cursor.at] !== sign) return false
  cursor.at += 1
  take(cursor, BLANKS)
  return true
}

const parseSample = (text: string): Sample | null => {
  const cursor: Cursor = { text, at: 0 }
  take(cursor, BLANKS)
  let name = take(cursor, NAME)?.[0] ?? null
  const labels = new Map<string, string>()
  if (takeSign(cursor, '{')) {
    const found = parseLabels(cursor, labels)
    if (found === null) return null
    name ??= found.name
  }
  if (name === null) return null
  const value = valueAt(text.slice(cursor.at))
  return value === null ? null : { name, labels, value }
}

/** What stands between braces; the name too where it is quoted there (names of any characters). Null: malformed. */
const parseLabels = (cursor: Cursor, labels: Map<string, string>): { readonly name: string | null } | null => {
  let name: string | null = null
  while (!takeSign(cursor, '}')) {
    const quoted = take(cursor, QUOTED)?.[1]
    const label = quoted === undefined ? take(cursor, LABEL)?.[0] : unescaped(quoted)
    if (label === undefined || labels.size >= LABELS_MAX) return null
    if (takeSign(cursor, '=')) {
      const value = take(cursor, QUOTED)?.[1]
      if (value === undefined || labels.has(label)) return null
      labels.set(label, unescaped(value))
    } else if (quoted !== undefined && name === null) name = label
    else return null
    if (!takeSign(cursor, ',') && cursor.text[cursor.at] !== '}') return null
  }
  return { name }
}

const unescaped = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(.)/gsu, (_, escaped: string) => ESCAPES[escaped] ?? escaped) : text

const valueAt = (rest: string): number | null => {
  const text = rest.replace(/^[ \t]+/u, '')
  const end = text.search(/[ \t]/u)
  const word = end < 0 ? text : text.slice(0, end)
  if (end >= 0 && !TAIL.test(text.slice(end))) return null
  if (/^[+-]?Inf(?:inity)?$/iu.test(word)) return word.startsWith('-') ? -Infinity : Infinity
  if (/^NaN$/iu.test(word)) return Number.NaN
  return NUMBER.test(word) ? Number(word) : null
}

/** As exporters write a series: `name{label="value"}`. */
export const seriesText = ({ name, labels }: Sample): string => {
  if (labels.size === 0) return name
  const quoted = (value: string) => `"${value.replace(/[\\"]/gu, '\\$&').replaceAll('\n', '\\n')}"`
  return `${name}{${[...labels].map(([label, value]) => `${label}=${quoted(value)}`).join(',')}}`
}
