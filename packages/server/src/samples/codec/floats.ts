import { type BitReader, type BitWriter, ChunkCorrupt, getBits, getWide, putBits, putWide } from './bits.ts'

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
/** Which of the two words is the high one depends on the machine. */
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0
const LOW = 1 - HIGH

export function putDouble(writer: BitWriter, value: number): void {
  float[0] = value
  putWide(writer, words[HIGH] ?? 0, 32)
  putWide(writer, words[LOW] ?? 0, 32)
}

export function getDouble(reader: BitReader): number {
  words[HIGH] = getWide(reader, 32)
  words[LOW] = getWide(reader, 32)
  return float[0] ?? 0
}

const trailingZeros = (word: number): number => 31 - Math.clz32(word & -word)

/** For values that are no short decimals: each is written as the bits in which it differs from the one before. */
export function encodeFloats(writer: BitWriter, values: Float64Array, count: number): void {
  let high = 0
  let low = 0
  let leading = 64
  let trailing = 64
  for (let i = 0; i < count; i++) {
    float[0] = values[i] ?? 0
    const nextHigh = words[HIGH] ?? 0
    const nextLow = words[LOW] ?? 0
    const xorHigh = (nextHigh ^ high) >>> 0
    const xorLow = (nextLow ^ low) >>> 0
    high = nextHigh
    low = nextLow
    if (xorHigh === 0 && xorLow === 0) {
      putBits(writer, 0, 1)
      continue
    }
    const zerosBefore = xorHigh !== 0 ? Math.clz32(xorHigh) : 32 + Math.clz32(xorLow)
    const zerosAfter = xorLow !== 0 ? trailingZeros(xorLow) : 32 + trailingZeros(xorHigh)
    const fits = zerosBefore >= leading && zerosAfter >= trailing
    if (fits && leading + trailing + 12 > zerosBefore + zerosAfter) {
      putBits(writer, 2, 2)
    } else {
      leading = zerosBefore
      trailing = zerosAfter
      putBits(writer, 3, 2)
      putBits(writer, leading, 6)
      putBits(writer, 63 - leading - trailing, 6)
    }
    putWindow(writer, xorHigh, xorLow, 64 - leading - trailing, trailing)
  }
}

function putWindow(writer: BitWriter, high: number, low: number, bits: number, trailing: number): void {
  const lowBits = Math.min(bits, Math.max(0, 32 - trailing))
  const highBits = bits - lowBits
  if (highBits > 0) putWide(writer, trailing > 32 ? high >>> (trailing - 32) : high, highBits)
  if (lowBits > 0) putWide(writer, low >>> trailing, lowBits)
}

export function decodeFloats(reader: BitReader, into: Float64Array, count: number): void {
  let high = 0
  let low = 0
  let bits = 0
  let trailing = 0
  for (let i = 0; i < count; i++) {
    if (getBits(reader, 1) === 1) {
      if (getBits(reader, 1) === 1) {
        const leading = getBits(reader, 6)
        bits = getBits(reader, 6) + 1
        trailing = 64 - leading - bits
        if (trailing < 0) throw new ChunkCorrupt('window wider than a double')
      } else if (bits === 0) throw new ChunkCorrupt('no window yet')
      const lowBits = Math.min(bits, Math.max(0, 32 - trailing))
      const highBits = bits - lowBits
      if (highBits > 0) high ^= getWide(reader, highBits) * (trailing > 32 ? 2 ** (trailing - 32) : 1)
      if (lowBits > 0) low ^= getWide(reader, lowBits) * 2 ** trailing
    }
    words[HIGH] = high
    words[LOW] = low
    into[i] = float[0] ?? 0
  }
}
