/** A chunk whose bytes can't be what the encoder wrote. */
export class ChunkCorrupt extends Error {
  override readonly name = 'ChunkCorrupt'
}

export interface BitWriter {
  bytes: Uint8Array
  length: number
  pending: number
  pendingBits: number
}

export interface BitReader {
  readonly bytes: Uint8Array
  position: number
  pending: number
  pendingBits: number
}

const WORD = 24
const WORD_SIZE = 2 ** WORD
/** A quotient from here on is written whole: one outlier must not cost thousands of bits. */
const RICE_ESCAPE = 23
const ESCAPED_BITS = 54
const LENGTH_BITS = 6

export const createBitWriter = (capacity = 8192): BitWriter => ({
  bytes: new Uint8Array(capacity),
  length: 0,
  pending: 0,
  pendingBits: 0,
})

export const createBitReader = (bytes: Uint8Array): BitReader => ({ bytes, position: 0, pending: 0, pendingBits: 0 })

export function resetBits(writer: BitWriter): void {
  writer.length = 0
  writer.pending = 0
  writer.pendingBits = 0
}

/** Writes the low `bits` (0 … 24) of a value that fits in them. */
export function putBits(writer: BitWriter, value: number, bits: number): void {
  if (writer.length + 4 > writer.bytes.length) growBits(writer)
  const acc = (writer.pending << bits) | value
  let left = writer.pendingBits + bits
  while (left >= 8) {
    left -= 8
    writer.bytes[writer.length++] = acc >>> left
  }
  writer.pending = acc & ((1 << left) - 1)
  writer.pendingBits = left
}

function growBits(writer: BitWriter): void {
  const larger = new Uint8Array(writer.bytes.length * 2)
  larger.set(writer.bytes)
  writer.bytes = larger
}

/** Writes a whole number of 0 … 2⁵⁴ in `bits`. */
export function putWide(writer: BitWriter, value: number, bits: number): void {
  if (bits <= WORD) {
    putBits(writer, value, bits)
    return
  }
  const high = Math.floor(value / WORD_SIZE)
  putWide(writer, high, bits - WORD)
  putBits(writer, value - high * WORD_SIZE, WORD)
}

/** How many bits a whole number of 0 … 2⁵⁴ takes. */
export const bitLength = (value: number): number =>
  value < 4294967296 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 4294967296))

export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)

export function unzigzag(value: number): number {
  if (value < 2147483648) return (value >>> 1) ^ -(value & 1)
  const half = Math.floor(value / 2)
  return half * 2 === value ? half : -half - 1
}

/** A signed whole number up to 2⁵³ with its own length: for the few that head a column. */
export function putSigned(writer: BitWriter, value: number): void {
  const coded = zigzag(value)
  const bits = bitLength(coded)
  putBits(writer, bits, LENGTH_BITS)
  putWide(writer, coded, bits)
}

/** Golomb-Rice: the quotient by 2ᵏ in unary, then k bits; outliers are escaped. */
export function putRice(writer: BitWriter, value: number, k: number): void {
  const quotient = k < 31 && value < 2147483648 ? value >>> k : Math.floor(value / 2 ** k)
  if (quotient >= RICE_ESCAPE) {
    putBits(writer, 2 ** RICE_ESCAPE - 1, RICE_ESCAPE)
    putWide(writer, value, ESCAPED_BITS)
    return
  }
  putBits(writer, ((1 << quotient) - 1) << 1, quotient + 1)
  if (k > 0) putWide(writer, value - quotient * 2 ** k, k)
}

/** What `putRice` would write, in bits. */
export function riceBits(value: number, k: number): number {
  const quotient = Math.floor(value / 2 ** k)
  return quotient >= RICE_ESCAPE ? RICE_ESCAPE + ESCAPED_BITS : quotient + 1 + k
}

/** The bytes written so far, the last one padded with zeros: a view that the writer's next use overwrites. */
export function takeBytes(writer: BitWriter): Uint8Array {
  if (writer.pendingBits > 0) putBits(writer, 0, 8 - writer.pendingBits)
  return writer.bytes.subarray(0, writer.length)
}

/** Reads 0 … 24 bits; past the end the chunk is corrupt. */
export function getBits(reader: BitReader, bits: number): number {
  let acc = reader.pending
  let left = reader.pendingBits
  while (left < bits) {
    if (reader.position >= reader.bytes.length) throw new ChunkCorrupt('chunk shorter than its content')
    acc = (acc << 8) | (reader.bytes[reader.position++] ?? 0)
    left += 8
  }
  left -= bits
  reader.pending = acc & ((1 << left) - 1)
  reader.pendingBits = left
  return acc >>> left
}

export function getWide(reader: BitReader, bits: number): number {
  if (bits <= WORD) return getBits(reader, bits)
  const high = getWide(reader, bits - WORD)
  return high * WORD_SIZE + getBits(reader, WORD)
}

export function getSigned(reader: BitReader): number {
  const bits = getBits(reader, LENGTH_BITS)
  if (bits > ESCAPED_BITS) throw new ChunkCorrupt('number too wide')
  return unzigzag(getWide(reader, bits))
}

function getRice(reader: BitReader, k: number): number {
  let quotient = 0
  while (getBits(reader, 1) === 1) {
    quotient++
    if (quotient === RICE_ESCAPE) return getWide(reader, ESCAPED_BITS)
  }
  return quotient * 2 ** k + getWide(reader, k)
}

/** Wider numbers are rare and take the slow way. */
const QUICK_RICE = 20

/** Reads [from, to) of a block of Golomb-Rice numbers: the quotient's ones are counted at once, not bit by bit. */
export function getRiceBlock(reader: BitReader, k: number, into: Float64Array, from: number, to: number): void {
  const { bytes } = reader
  // Held apart from the reader while the quick way goes: its fields would be written for each number.
  let { position, pending, pendingBits } = reader
  for (let i = from; i < to; i++) {
    while (pendingBits < WORD && position < bytes.length) {
      pending = (pending << 8) | (bytes[position++] ?? 0)
      pendingBits += 8
    }
    const quotient = pendingBits === 0 ? 0 : Math.clz32(~(pending << (32 - pendingBits)))
    const left = pendingBits - quotient - 1 - k
    if (quotient < RICE_ESCAPE && left >= 0 && k <= QUICK_RICE) {
      into[i] = (quotient << k) + ((pending >>> left) & ((1 << k) - 1))
      pending &= (1 << left) - 1
      pendingBits = left
      continue
    }
    keep(reader, position, pending, pendingBits)
    into[i] = getRice(reader, k)
    ;({ position, pending, pendingBits } = reader)
  }
  keep(reader, position, pending, pendingBits)
}

function keep(reader: BitReader, position: number, pending: number, pendingBits: number): void {
  reader.position = position
  reader.pending = pending
  reader.pendingBits = pendingBits
}

/** Only the padding of the last byte may remain. */
export function assertEnd(reader: BitReader): void {
  const isRead = reader.position === reader.bytes.length && reader.pendingBits < 8 && reader.pending === 0
  if (!isRead) throw new ChunkCorrupt('bytes after the content')
}
