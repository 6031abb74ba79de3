/** Addresses of one family, both ends included. */
export interface AddressInterval {
  readonly family: 4 | 6
  readonly from: bigint
  readonly to: bigint
}

/** Most addresses of one discovery: a /16. */
export const RANGE_MAX_ADDRESSES = 65_536
/** IPv6 is given as lists: nobody goes through a network of it. */
export const RANGE_MAX_V6_ADDRESSES = 1_024
/** Entries of one text: addresses, networks, from–to. */
export const RANGE_MAX_ENTRIES = 256

export interface ParsedRanges {
  /** In order, joined where they touch. */
  readonly intervals: readonly AddressInterval[]
  /** French sentences, one for each entry that is wrong. */
  readonly errors: readonly string[]
}

/**
 * Reads `10.0.0.0/24, 10.0.1.5-10.0.1.9, 10.0.1.20-30, 2001:db8::5`, by commas, semicolons or lines. Of an IPv4 network
 * its own address and that of broadcast are left out, but for /31 and /32. What no probe may be aimed at is refused.
 */
export const parseRanges = (text: string): ParsedRanges => {
  const entries = text
    .replace(/\s*[-–—]\s*/g, '-')
    .replace(/\s+à\s+/giu, '-')
    .split(/[\s,;]+/)
    .filter(entry => entry !== '')
  if (entries.length > RANGE_MAX_ENTRIES)
    return { intervals: [], errors: [`Au plus ${RANGE_MAX_ENTRIES} adresses, réseaux et plages sont acceptés`] }
  const intervals: AddressInterval[] = []
  const errors: string[] = []
  for (const entry of entries) {
    const read = readEntry(entry)
    const why = typeof read === 'string' ? read : refusalOf(read)
    if (typeof read === 'string' || why !== null) errors.push(`« ${short(entry)} » : ${why}`)
    else intervals.push(read)
  }
  return { intervals: joined(intervals), errors }
}

/** The intervals without what is left out. */
export const subtractRanges = (
  intervals: readonly AddressInterval[],
  without: readonly AddressInterval[],
): AddressInterval[] => {
  let left = joined(intervals)
  for (const hole of without) {
    left = left.flatMap(one => {
      if (one.family !== hole.family || hole.to < one.from || hole.from > one.to) return [one]
      return [
        ...(hole.from > one.from ? [{ ...one, to: hole.from - 1n }] : []),
        ...(hole.to < one.to ? [{ ...one, from: hole.to + 1n }] : []),
      ]
    })
  }
  return left
}

/** How many addresses intervals hold; beyond 2^53 the exact number matters to nobody. */
export const countAddresses = (intervals: readonly AddressInterval[]): number =>
  Number(intervals.reduce((sum, { from, to }) => sum + (to - from + 1n), 0n))

/** Each address of the intervals, in order, in its canonical spelling. */
export function* eachAddress(intervals: readonly AddressInterval[]): Generator<string> {
  for (const { family, from, to } of intervals)
    for (let value = from; value <= to; value += 1n) yield formatAddress(family, value)
}

export const holdsAddress = (intervals: readonly AddressInterval[], address: string): boolean => {
  const read = parseAddress(address)
  return (
    read !== null && intervals.some(one => one.family === read.family && one.from <= read.value && read.value <= one.to)
  )
}

export interface ParsedAddress {
  readonly family: 4 | 6
  readonly value: bigint
}

/** Null when the text is not one whole address; octets with leading zeros, zones and IPv4 inside IPv6 are refused. */
export const parseAddress = (text: string): ParsedAddress | null => {
  if (V4.test(text))
    return { family: 4, value: text.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n) }
  if (!/^[0-9a-f:]{2,39}$/i.test(text) || !text.includes(':')) return null
  const groups = groupsOf(text)
  if (groups === null) return null
  return { family: 6, value: groups.reduce((value, group) => value * 65_536n + BigInt(group), 0n) }
}

/** The canonical spelling of an address. */
export const formatAddress = (family: 4 | 6, value: bigint): string => {
  if (family === 4) return [24n, 16n, 8n, 0n].map(shift => String((value >> shift) & 255n)).join('.')
  const groups = Array.from({ length: 8 }, (_, n) => ((value >> BigInt(112 - 16 * n)) & 65_535n).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
}

/** 32 hex digits that sort as addresses do, IPv4 first; null when the text is no address. */
export const addressKey = (text: string): string | null => {
  const read = parseAddress(text)
  if (read === null) return null
  const value = read.family === 4 ? 0xffff_0000_0000n + read.value : read.value
  return value.toString(16).padStart(32, '0')
}

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const BITS = { 4: 32, 6: 128 } as const

const groupsOf = (text: string): readonly number[] | null => {
  try {
    const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::')
    const numbers = (part: string): number[] =>
      part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))
    const [left, right] = [numbers(head), tail === undefined ? [] : numbers(tail)]
    return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
  } catch {
    return null
  }
}

const short = (text: string): string => (text.length > 45 ? `${text.slice(0, 44)}…` : text)

/** An interval, or why it is none. */
const readEntry = (entry: string): AddressInterval | string => {
  const slash = entry.indexOf('/')
  if (slash >= 0) return readNetwork(entry.slice(0, slash), entry.slice(slash + 1))
  const dash = entry.indexOf('-')
  if (dash < 0) {
    const one = parseAddress(entry)
    return one === null ? NOT_AN_ENTRY : { family: one.family, from: one.value, to: one.value }
  }
  return readFromTo(entry.slice(0, dash), entry.slice(dash + 1))
}

const NOT_AN_ENTRY = 'ni une adresse (10.0.0.5), ni un réseau (10.0.0.0/24), ni une plage (10.0.0.10-10.0.0.50)'

const readNetwork = (address: string, prefix: string): AddressInterval | string => {
  const base = parseAddress(address)
  if (base === null) return NOT_AN_ENTRY
  const bits = BITS[base.family]
  const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  if (length < 0 || length > bits) return `le préfixe d’un réseau va de 0 à ${bits}`
  const size = 1n << BigInt(bits - length)
  const from = (base.value / size) * size
  const to = from + size - 1n
  return base.family === 4 && length < 31
    ? { family: 4, from: from + 1n, to: to - 1n }
    : { family: base.family, from, to }
}

const readFromTo = (first: string, last: string): AddressInterval | string => {
  const from = parseAddress(first)
  if (from === null) return NOT_AN_ENTRY
  const isLastOctet = from.family === 4 && /^\d{1,3}$/.test(last)
  const to = parseAddress(isLastOctet ? first.replace(/\d+$/, last) : last)
  if (to === null) return NOT_AN_ENTRY
  if (to.family !== from.family) return 'le début et la fin doivent être de la même famille'
  if (to.value < from.value) return 'la fin précède le début'
  return { family: from.family, from: from.value, to: to.value }
}

interface Forbidden {
  readonly family: 4 | 6
  readonly from: bigint
  readonly to: bigint
  readonly why: string
}
const block = (address: string, length: number, why: string): Forbidden => {
  const base = parseAddress(address) ?? { family: 4 as const, value: 0n }
  return {
    family: base.family,
    from: base.value,
    to: base.value + (1n << BigInt(BITS[base.family] - length)) - 1n,
    why,
  }
}
const FORBIDDEN: readonly Forbidden[] = [
  block('0.0.0.0', 8, 'le réseau 0.0.0.0/8 ne peut être exploré'),
  block('169.254.0.0', 16, 'les adresses de lien local (169.254.0.0/16) ne peuvent être explorées'),
  block('224.0.0.0', 4, 'les adresses de multidiffusion ne peuvent être explorées'),
  block('240.0.0.0', 4, 'les adresses réservées (240.0.0.0/4) ne peuvent être explorées'),
  block('::', 8, 'les adresses réservées d’IPv6 ne peuvent être explorées'),
  block('fe80::', 10, 'les adresses de lien local (fe80::/10) ne peuvent être explorées'),
  block('ff00::', 8, 'les adresses de multidiffusion ne peuvent être explorées'),
]

const refusalOf = (interval: AddressInterval): string | null => {
  const hit = FORBIDDEN.find(one => overlaps(one, interval))
  // Too large a network is said to be so, whatever it runs into.
  const most = interval.family === 4 ? RANGE_MAX_ADDRESSES : RANGE_MAX_V6_ADDRESSES
  if (interval.to - interval.from >= BigInt(most))
    return interval.family === 4
      ? `trop large : au plus ${grouped(most)} adresses (un /16)`
      : `trop large : au plus ${grouped(most)} adresses IPv6`
  return hit?.why ?? null
}

const overlaps = (a: AddressInterval, b: AddressInterval): boolean =>
  a.family === b.family && a.from <= b.to && b.from <= a.to
const grouped = (value: number): string => value.toLocaleString('fr-FR')

const joined = (intervals: readonly AddressInterval[]): AddressInterval[] => {
  const sorted = intervals.toSorted((a, b) => a.family - b.family || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const out: AddressInterval[] = []
  for (const one of sorted) {
    const last = out.at(-1)
    if (last !== undefined && last.family === one.family && one.from <= last.to + 1n)
      out[out.length - 1] = { ...last, to: one.to > last.to ? one.to : last.to }
    else out.push(one)
  }
  return out
}
