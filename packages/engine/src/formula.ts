/** Longest formula, and how deep parentheses, signs and functions may lie in each other. */
export const FORMULA_MAX_LENGTH = 200
export const FORMULA_MAX_DEPTH = 20

export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'variable'; readonly key: string }
  | { readonly kind: 'negative'; readonly of: Formula }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'choice'; readonly pick: Extreme; readonly left: Formula; readonly right: Formula }
export type Operator = '+' | '-' | '*' | '/'
export type Extreme = 'min' | 'max'

export const FORMULA_FAULTS = ['empty', 'too-long', 'too-deep', 'unexpected', 'unfinished', 'number-too-large'] as const
export type FormulaFaultCode = (typeof FORMULA_FAULTS)[number]
/** `at` counts characters from 0: where reading stopped. */
export interface FormulaFault {
  readonly code: FormulaFaultCode
  readonly at: number
}
export type ParsedFormula = { readonly formula: Formula } | { readonly fault: FormulaFault }

interface Token {
  readonly text: string
  readonly kind: 'number' | 'variable' | 'word' | 'sign'
  readonly at: number
}
const TOKEN = /\s*(?:(\d+(?:[.,]\d+)?)|(champ\.[a-z][a-z0-9_]*)|(min|max)(?![a-z0-9_.])|([-+*/();]))/y
const PREFIX = 'champ.'

/**
 * Reads a formula such as `min(champ.debit * 0,9; 100)`: numbers with a comma or a point, + - * / with their usual
 * order, parentheses, a minus sign, `champ.key`, min and max of two. Bounded in length and depth.
 */
export const parseFormula = (text: string): ParsedFormula => {
  if (text.trim() === '') return { fault: { code: 'empty', at: 0 } }
  if (text.length > FORMULA_MAX_LENGTH) return { fault: { code: 'too-long', at: FORMULA_MAX_LENGTH } }
  const tokens = tokensOf(text)
  if ('fault' in tokens) return tokens
  const reader: Reader = { tokens: tokens.all, end: text.length, next: 0 }
  const sum = readSum(reader, 0)
  if ('fault' in sum) return sum
  const left = reader.tokens[reader.next]
  return left === undefined ? sum : { fault: { code: 'unexpected', at: left.at } }
}

const tokensOf = (text: string): { readonly all: readonly Token[] } | { readonly fault: FormulaFault } => {
  const all: Token[] = []
  const end = text.trimEnd().length
  let at = 0
  while (at < end) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null)
      return { fault: { code: 'unexpected', at: at + (text.slice(at).length - text.slice(at).trimStart().length) } }
    const [whole, number, variable, word, sign] = match
    const found = number ?? variable ?? word ?? sign ?? ''
    const kind =
      number !== undefined ? 'number' : variable !== undefined ? 'variable' : word !== undefined ? 'word' : 'sign'
    all.push({ text: found, kind, at: at + whole.length - found.length })
    at += whole.length
  }
  return { all }
}

interface Reader {
  readonly tokens: readonly Token[]
  readonly end: number
  next: number
}

const accept = (reader: Reader, ...signs: readonly string[]): Token | null => {
  const token = reader.tokens[reader.next]
  if (token === undefined || token.kind !== 'sign' || !signs.includes(token.text)) return null
  reader.next += 1
  return token
}
const stopped = (reader: Reader): { readonly fault: FormulaFault } => {
  const token = reader.tokens[reader.next]
  return { fault: token === undefined ? { code: 'unfinished', at: reader.end } : { code: 'unexpected', at: token.at } }
}

const isOperator = (text: string): text is Operator => ['+', '-', '*', '/'].includes(text)
const readChain = (reader: Reader, operators: readonly Operator[], readPart: () => ParsedFormula): ParsedFormula => {
  let left = readPart()
  while (!('fault' in left)) {
    const operator = accept(reader, ...operators)?.text
    if (operator === undefined || !isOperator(operator)) return left
    const right = readPart()
    if ('fault' in right) return right
    left = { formula: { kind: 'operation', operator, left: left.formula, right: right.formula } }
  }
  return left
}

const readSum = (reader: Reader, depth: number): ParsedFormula =>
  readChain(reader, ['+', '-'], () => readChain(reader, ['*', '/'], () => readOne(reader, depth)))

const readOne = (reader: Reader, depth: number): ParsedFormula => {
  const token = reader.tokens[reader.next]
  if (token === undefined) return stopped(reader)
  if (depth > FORMULA_MAX_DEPTH) return { fault: { code: 'too-deep', at: token.at } }
  if (accept(reader, '-') !== null) {
    const of = readOne(reader, depth + 1)
    return 'fault' in of ? of : { formula: { kind: 'negative', of: of.formula } }
  }
  if (accept(reader, '(') !== null) {
    const inside = readSum(reader, depth + 1)
    if ('fault' in inside) return inside
    return accept(reader, ')') === null ? stopped(reader) : inside
  }
  if (token.kind === 'sign') return stopped(reader)
  reader.next += 1
  if (token.kind === 'number') {
    const value = Number(token.text.replace(',', '.'))
    return Number.isFinite(value)
      ? { formula: { kind: 'number', value } }
      : { fault: { code: 'number-too-large', at: token.at } }
  }
  if (token.kind === 'variable') return { formula: { kind: 'variable', key: token.text.slice(PREFIX.length) } }
  return readChoice(reader, token.text === 'min' ? 'min' : 'max', depth)
}

const readChoice = (reader: Reader, pick: Extreme, depth: number): ParsedFormula => {
  if (accept(reader, '(') === null) return stopped(reader)
  const left = readSum(reader, depth + 1)
  if ('fault' in left) return left
  if (accept(reader, ';') === null) return stopped(reader)
  const right = readSum(reader, depth + 1)
  if ('fault' in right) return right
  if (accept(reader, ')') === null) return stopped(reader)
  return { formula: { kind: 'choice', pick, left: left.formula, right: right.formula } }
}

/** The figure of a formula; null when a variable has none, or when the result is not finite (a division by zero). */
export const evaluateFormula = (formula: Formula, variables: (key: string) => number | null): number | null => {
  const result = figureOf(formula, variables)
  // No negative zero: it would be written and compared as another threshold.
  return result === null || !Number.isFinite(result) ? null : result + 0
}

const figureOf = (formula: Formula, variables: (key: string) => number | null): number | null => {
  if (formula.kind === 'number') return formula.value
  if (formula.kind === 'variable') return variables(formula.key)
  if (formula.kind === 'negative') {
    const of = figureOf(formula.of, variables)
    return of === null ? null : -of
  }
  const left = figureOf(formula.left, variables)
  const right = figureOf(formula.right, variables)
  if (left === null || right === null) return null
  if (formula.kind === 'choice') return formula.pick === 'min' ? Math.min(left, right) : Math.max(left, right)
  return OPERATIONS[formula.operator](left, right)
}
const OPERATIONS: Readonly<Record<Operator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
}

/** Keys of the fields that a formula uses, each once. */
export const formulaKeys = (formula: Formula): readonly string[] => [...new Set(keysIn(formula))]
const keysIn = (formula: Formula): readonly string[] => {
  switch (formula.kind) {
    case 'number':
      return []
    case 'variable':
      return [formula.key]
    case 'negative':
      return keysIn(formula.of)
    default:
      return [...keysIn(formula.left), ...keysIn(formula.right)]
  }
}
