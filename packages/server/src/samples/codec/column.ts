import { type BitReader, type BitWriter, ChunkCorrupt, getBits, getSigned, putBits, putSigned } from './bits.ts'
import { commonExponent, MAX_EXPONENT, mantissaOf, POWERS_OF_TEN } from './decimals.ts'
import { decodeFloats, encodeFloats, getDouble, putDouble } from './floats.ts'
import { decodeIntegers, encodeIntegers, INTEGER_LIMIT } from './integers.ts'

const DECIMALS = 0
const DECIMALS_WITH_EXCEPTIONS = 1
const FLOATS = 2
/** Past one exception in so many values, differing bits are cheaper than decimals. */
const EXCEPTION_SHARE = 16

let mantissas = new Float64Array(2048)

/**
 * Writes `count` doubles, any finite ones, and gives them back to the bit: as whole numbers over a power of ten where
 * nearly all of them are short decimals, else by the bits in which each differs from the one before.
 */
export function encodeColumn(writer: BitWriter, values: Float64Array, count: number): void {
  if (mantissas.length < count) mantissas = new Float64Array(count * 2)
  const exponent = commonExponent(values, count)
  const { base, exceptions } = fillMantissas(values, count, exponent)
  if (exceptions.length * EXCEPTION_SHARE > count) {
    putBits(writer, FLOATS, 2)
    encodeFloats(writer, values, count)
    return
  }
  putBits(writer, exceptions.length > 0 ? DECIMALS_WITH_EXCEPTIONS : DECIMALS, 2)
  putBits(writer, exponent, 4)
  putSigned(writer, base)
  encodeIntegers(writer, mantissas, count)
  if (exceptions.length > 0) putExceptions(writer, values, exceptions)
}

/** Mantissas less the first one, so that large counters stay within what integers can hold. */
function fillMantissas(values: Float64Array, count: number, exponent: number): { base: number; exceptions: number[] } {
  const exceptions: number[] = []
  const limit = Math.floor(count / EXCEPTION_SHARE)
  let base = Number.NaN
  let previous = 0
  for (let i = 0; i < count && exceptions.length <= limit; i++) {
    const mantissa = mantissaOf(values[i] ?? 0, exponent)
    if (Number.isNaN(base) && !Number.isNaN(mantissa)) base = mantissa
    const offset = mantissa - base
    if (offset <= INTEGER_LIMIT && offset >= -INTEGER_LIMIT) previous = offset
    else exceptions.push(i)
    mantissas[i] = previous
  }
  return { base: Number.isNaN(base) ? 0 : base, exceptions }
}

function putExceptions(writer: BitWriter, values: Float64Array, exceptions: readonly number[]): void {
  putSigned(writer, exceptions.length)
  for (const index of exceptions) {
    putSigned(writer, index)
    putDouble(writer, values[index] ?? 0)
  }
}

/** Reads `count` doubles into the start of `into`, which is long enough. */
export function decodeColumn(reader: BitReader, into: Float64Array, count: number): void {
  const kind = getBits(reader, 2)
  if (kind === FLOATS) {
    decodeFloats(reader, into, count)
    return
  }
  if (kind !== DECIMALS && kind !== DECIMALS_WITH_EXCEPTIONS) throw new ChunkCorrupt('unknown kind of column')
  const exponent = getBits(reader, 4)
  if (exponent > MAX_EXPONENT) throw new ChunkCorrupt('unknown exponent')
  const base = getSigned(reader)
  decodeIntegers(reader, into, count)
  const power = POWERS_OF_TEN[exponent] ?? 1
  for (let i = 0; i < count; i++) into[i] = ((into[i] ?? 0) + base) / power
  if (kind === DECIMALS_WITH_EXCEPTIONS) readExceptions(reader, into, count)
}

function readExceptions(reader: BitReader, into: Float64Array, count: number): void {
  const exceptions = getSigned(reader)
  if (exceptions < 0 || exceptions > count) throw new ChunkCorrupt('more exceptions than values')
  for (let i = 0; i < exceptions; i++) {
    const index = getSigned(reader)
    if (index < 0 || index >= count) throw new ChunkCorrupt('exception outside the chunk')
    into[index] = getDouble(reader)
  }
}
