import {
  assertEnd,
  ChunkCorrupt,
  createBitReader,
  createBitWriter,
  getBits,
  getSigned,
  putBits,
  putSigned,
  resetBits,
  takeBytes,
} from './bits.ts'
import { decodeColumn, encodeColumn } from './column.ts'
import { commonExponent, mantissaOf, POWERS_OF_TEN } from './decimals.ts'
import { decodeIntegers, encodeIntegers, INTEGER_LIMIT } from './integers.ts'

/** A day or a month of one series at one width of period: a row a period, absent when its count is 0. Columns are parallel. */
export interface RollupTable {
  readonly periods: number
  readonly count: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  readonly sum: Float64Array
  readonly last: Float64Array
}

const VERSION = 1
/** Hours of a month. */
const LARGEST = 744
const writer = createBitWriter()

export const createRollupTable = (periods: number): RollupTable => ({
  periods,
  count: new Float64Array(periods),
  min: new Float64Array(periods),
  max: new Float64Array(periods),
  sum: new Float64Array(periods),
  last: new Float64Array(periods),
})

const period = new Float64Array(LARGEST)
const rows = createRollupTable(LARGEST)
const whole = createRollupTable(LARGEST)

/** Encodes the rows present in [from, to), as a view that the next call overwrites; null when there are none. */
export function encodeRollup(table: RollupTable, from: number, to: number): Uint8Array | null {
  let count = 0
  for (let i = from; i < to; i++) {
    if ((table.count[i] ?? 0) === 0) continue
    period[count] = i
    rows.count[count] = table.count[i] ?? 0
    rows.min[count] = table.min[i] ?? 0
    rows.max[count] = table.max[i] ?? 0
    rows.sum[count] = table.sum[i] ?? 0
    rows.last[count++] = table.last[i] ?? 0
  }
  if (count === 0) return null
  resetBits(writer)
  putBits(writer, VERSION, 4)
  putSigned(writer, count)
  encodeIntegers(writer, period, count)
  encodeIntegers(writer, rows.count, count)
  encodeValues(count)
  return takeBytes(writer)
}

/** Decimals are written as distances to the last value, which are small; anything else column by column. */
function encodeValues(count: number): void {
  const exponent = sharedExponent(count)
  if (exponent < 0) {
    putBits(writer, 0, 1)
    for (const column of [rows.last, rows.min, rows.max, rows.sum]) encodeColumn(writer, column, count)
    return
  }
  putBits(writer, 1, 1)
  putBits(writer, exponent, 4)
  for (const column of [whole.last, whole.min, whole.max, whole.sum]) encodeIntegers(writer, column, count)
}

function sharedExponent(count: number): number {
  const exponent = Math.max(...[rows.last, rows.min, rows.max, rows.sum].map(column => commonExponent(column, count)))
  for (let i = 0; i < count; i++) {
    const last = mantissaOf(rows.last[i] ?? 0, exponent)
    const below = last - mantissaOf(rows.min[i] ?? 0, exponent)
    const above = mantissaOf(rows.max[i] ?? 0, exponent) - last
    const sum = mantissaOf(rows.sum[i] ?? 0, exponent)
    const expected = last * (rows.count[i] ?? 0)
    const largest = Math.max(Math.abs(last), below, above, Math.abs(sum), Math.abs(expected), Math.abs(sum - expected))
    if (!(largest <= INTEGER_LIMIT)) return -1
    whole.last[i] = last
    whole.min[i] = below
    whole.max[i] = above
    whole.sum[i] = sum - expected
  }
  return exponent
}

/**
 * Puts the rows of the chunk over those of the table, its first period at row `from`, its last before row `to`; throws
 * {@link ChunkCorrupt} when the bytes are not a whole chunk.
 */
export function decodeRollup(bytes: Uint8Array, table: RollupTable, from = 0, to = table.periods): void {
  const reader = createBitReader(bytes)
  const version = getBits(reader, 4)
  if (version !== VERSION) throw new ChunkCorrupt(`unknown roll-up version ${version}`)
  const count = getSigned(reader)
  if (count < 0 || count > to - from) throw new ChunkCorrupt(`impossible count ${count}`)
  decodeIntegers(reader, period, count)
  decodeIntegers(reader, rows.count, count)
  const columns = [rows.last, rows.min, rows.max, rows.sum]
  if (getBits(reader, 1) === 0) for (const column of columns) decodeColumn(reader, column, count)
  else {
    const exponent = getBits(reader, 4)
    for (const column of columns) decodeIntegers(reader, column, count)
    restoreDecimals(count, POWERS_OF_TEN[exponent] ?? 1)
  }
  assertEnd(reader)
  for (let i = 0; i < count; i++) placeRow(table, i, from, to)
}

function restoreDecimals(count: number, power: number): void {
  for (let i = 0; i < count; i++) {
    const last = rows.last[i] ?? 0
    rows.min[i] = (last - (rows.min[i] ?? 0)) / power
    rows.max[i] = (last + (rows.max[i] ?? 0)) / power
    rows.sum[i] = ((rows.sum[i] ?? 0) + last * (rows.count[i] ?? 0)) / power
    rows.last[i] = last / power
  }
}

function placeRow(table: RollupTable, i: number, from: number, to: number): void {
  const place = from + (period[i] ?? -1)
  if (!(place >= from && place < to)) throw new ChunkCorrupt('period outside its chunk')
  table.count[place] = rows.count[i] ?? 0
  table.min[place] = rows.min[i] ?? 0
  table.max[place] = rows.max[i] ?? 0
  table.sum[place] = rows.sum[i] ?? 0
  table.last[place] = rows.last[i] ?? 0
}
