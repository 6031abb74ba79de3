import type { Varbind } from './pdu.ts'

/** A number as it is, whatever its type; null for texts and what is absent. */
export const numberOf = (cell: Varbind | undefined): number | null =>
  typeof cell?.value === 'number' && Number.isFinite(cell.value) ? cell.value : null

/** Longest text taken from equipment, in characters. */
const TEXT_MAX = 1_000
/** Control characters, marks that turn the direction of a line, and line separators: never text of a name. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu

/** What equipment says, as one line of text; empty when it says nothing. Markup stays text: the console never reads it. */
export const textOf = (cell: Varbind | undefined): string => {
  const value = cell?.value
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? decoded(value) : String(value)
  return text.slice(0, TEXT_MAX).replace(UNSAFE, ' ').replace(/ {2,}/g, ' ').trim()
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })
const decoded = (bytes: Buffer): string => {
  // Windows ends its texts with a NUL.
  const end = bytes.indexOf(0)
  const text = bytes.subarray(0, Math.min(TEXT_MAX * 4, end < 0 ? bytes.length : end))
  try {
    return UTF8.decode(text)
  } catch {
    return text.toString('latin1')
  }
}

/** What an OID holds, for a person who looks at a raw answer: bytes that are no text are hexadecimal. */
export const shownValue = (cell: Varbind): string => {
  const { value } = cell
  if (cell.type === 'absent' || cell.type === 'end') return '(absent)'
  if (value === null || typeof value !== 'object') return String(value)
  const isText = value.every(byte => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13 || byte === 0)
  return isText
    ? textOf(cell)
    : value
        .subarray(0, 64)
        .toString('hex')
        .replace(/(..)(?=.)/g, '$1 ')
}

/** Whether a bit of a BITS is set: bit 0 is the first of the first byte. */
export const hasBit = (cell: Varbind | undefined, bit: number): boolean =>
  typeof cell?.value === 'object' && cell.value !== null && ((cell.value[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0

const NAME_MAX = 80
const NUMBER_MAX = 24
/** A text as the instance of a metric, of at most 80 characters; no character is cut in two. */
export const instanceName = (text: string): string => {
  const cut = text.slice(0, NAME_MAX)
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim()
}

/**
 * One name for each thing, none twice: those whose name is taken, or who have none, get their number. `number` is what
 * tells them apart on the equipment (the index of their row), of which the end is kept when it is long.
 */
export const uniqueNames = (things: readonly { readonly name: string; readonly number: string }[]): string[] => {
  const taken = new Set<string>()
  return things.map(({ name, number }) => {
    const wanted = instanceName(name)
    const mark = `#${number.slice(-NUMBER_MAX)}`
    const own = wanted === '' ? mark : taken.has(wanted) ? `${wanted} ${mark}` : wanted
    let free = own
    for (let turn = taken.size; taken.has(free); turn += 1) free = `${own} (${turn})`
    taken.add(free)
    return free
  })
}

/** Whether a text is as a pattern with `*` and `?` says, whatever the case. Time is at most length × length. */
export const matches = (pattern: string, text: string): boolean => {
  const [glob, name] = [pattern.toLowerCase(), text.toLowerCase()]
  let [g, n, star, from] = [0, 0, -1, 0]
  while (n < name.length) {
    if (glob[g] === '*') {
      star = g
      from = n
      g += 1
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === name[n])) {
      g += 1
      n += 1
    } else if (star >= 0) {
      from += 1
      n = from
      g = star + 1
    } else return false
  }
  while (glob[g] === '*') g += 1
  return g === glob.length
}

/** Whether one of the names is among those to take and none among those to leave; no pattern to take: all are. */
export const isWanted = (names: readonly string[], include: readonly string[], exclude: readonly string[]): boolean => {
  const isOf = (patterns: readonly string[]) => patterns.some(pattern => names.some(name => matches(pattern, name)))
  return (include.length === 0 || isOf(include)) && !isOf(exclude)
}
