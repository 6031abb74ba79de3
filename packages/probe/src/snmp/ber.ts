/** Tags of the BER subset that SNMP uses (RFC 3416, RFC 2578). */
export const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  ipAddress: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  timeTicks: 0x43,
  opaque: 0x44,
  counter64: 0x46,
  unsigned32: 0x47,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
} as const

/** Bytes that are not what they should be; never shown to people as it is. */
export class BerError extends Error {}

/** Sub-identifiers of an OID, at most (RFC 2578, 3.5). */
const OID_MAX = 128

/**
 * Reads elements one after the other between two bounds. Every length is checked against the bounds before it is used; what is
 * wrong throws a BerError.
 */
export interface BerReader {
  readonly atEnd: () => boolean
  readonly position: () => number
  readonly peek: () => number
  /** Goes into an element: a reader of its content; this one is then after it. */
  readonly enter: (tag?: number) => BerReader
  /** Signed, of 1 to 9 bytes; the last has room for a Counter64. */
  readonly integer: (tag?: number) => number
  /** A view of the bytes, not a copy. */
  readonly octets: (tag?: number) => Buffer
  readonly oid: () => string
}

export const berReader = (bytes: Buffer, start = 0, end = bytes.length): BerReader => {
  let at = start
  /** Passes over a tag and its length; gives where the content ends. */
  const open = (tag?: number): number => {
    if (at + 2 > end) throw new BerError('truncated')
    if (tag !== undefined && bytes[at] !== tag) throw new BerError(`tag ${bytes[at]} instead of ${tag}`)
    let length = bytes[at + 1] ?? 0
    at += 2
    if (length >= 0x80) {
      const size = length & 0x7f
      // Indefinite lengths are not SNMP, and no datagram needs more than 3 bytes of length.
      if (size === 0 || size > 4 || at + size > end) throw new BerError('length')
      length = bytes.readUIntBE(at, size)
      at += size
    }
    if (length > end - at) throw new BerError('length beyond its container')
    return at + length
  }
  const content = (tag?: number): readonly [number, number] => {
    const to = open(tag)
    const from = at
    at = to
    return [from, to]
  }
  return {
    atEnd: () => at >= end,
    position: () => at,
    peek: () => {
      const tag = bytes[at]
      if (at >= end || tag === undefined) throw new BerError('truncated')
      return tag
    },
    enter: tag => berReader(bytes, ...content(tag)),
    integer: tag => signed(bytes, ...content(tag ?? TAG.integer)),
    octets: tag => bytes.subarray(...content(tag ?? TAG.octets)),
    oid: () => readOid(bytes, ...content(TAG.oid)),
  }
}

const signed = (bytes: Buffer, from: number, to: number): number => {
  const size = to - from
  if (size < 1 || size > 9) throw new BerError('integer')
  if (size <= 6) return bytes.readIntBE(from, size)
  let value = bytes.readInt8(from)
  for (let at = from + 1; at < to; at += 1) value = value * 256 + (bytes[at] ?? 0)
  return value
}

/** An unsigned value of up to 9 bytes; agents that forget the leading zero are understood. */
export const unsigned = (bytes: Buffer): number => {
  if (bytes.length < 1 || bytes.length > 9) throw new BerError('integer')
  let value = 0
  for (const byte of bytes) value = value * 256 + byte
  return value
}

const readOid = (bytes: Buffer, from: number, to: number): string => {
  if (from === to) throw new BerError('empty OID')
  let text = ''
  let [value, count] = [0, 0]
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (value > 0xffff_ffff) throw new BerError('sub-identifier')
    if (byte >= 0x80) continue
    if (count === 0) {
      const first = Math.min(2, Math.floor(value / 40))
      text = `${first}.${value - first * 40}`
    } else text += `.${value}`
    count += 1
    if (count >= OID_MAX) throw new BerError('OID too long')
    value = 0
  }
  if ((bytes[to - 1] ?? 0) >= 0x80) throw new BerError('truncated OID')
  return text
}

export const berElement = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, (length >> 8) & 0xff, length & 0xff]
  return Buffer.concat([Buffer.from(head), ...parts])
}

/** A signed 32-bit integer in its shortest form. */
export const berInteger = (value: number, tag: number = TAG.integer): Buffer => {
  const bytes = Buffer.alloc(5)
  bytes.writeIntBE(value, 0, 5)
  let from = 0
  while (from < 4 && isRedundant(bytes[from] ?? 0, bytes[from + 1] ?? 0)) from += 1
  return berElement(tag, bytes.subarray(from))
}

const isRedundant = (byte: number, next: number): boolean =>
  (byte === 0 && next < 0x80) || (byte === 0xff && next >= 0x80)

export const berOctets = (value: Buffer | string): Buffer =>
  berElement(TAG.octets, typeof value === 'string' ? Buffer.from(value) : value)

export const berOid = (oid: string): Buffer => {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  const bytes: number[] = []
  for (const part of [first * 40 + second, ...rest]) {
    const groups = [part % 128]
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left % 128) | 0x80)
    bytes.push(...groups)
  }
  return berElement(TAG.oid, Buffer.from(bytes))
}
