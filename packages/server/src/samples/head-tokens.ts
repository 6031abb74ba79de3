import { unzigzag } from './codec/bits.ts'
import { mantissaOf, POWERS_OF_TEN } from './codec/decimals.ts'
import type { SampleSink } from './codec/sample-chunk.ts'

/** Most series are polled each minute: the first step is then free. */
export const USUAL_DELTA_MS = 60_000
const MANTISSA_LIMIT = 2 ** 46

/** Token: 2 bits of time, 2 bits of value, 4 bits of value's low bits or its subtype; then time, then value. */
export const TIME_SAME = 0
export const TIME_BYTE = 1
export const TIME_SHORT = 2
export const TIME_WHOLE = 3
export const VALUE_4 = 0
export const VALUE_12 = 1
export const VALUE_20 = 2
export const VALUE_OTHER = 3
/** Subtypes of VALUE_OTHER: 0 … 7 carry three low bits of 27; then wider ones. */
export const WIDE_27 = 8
export const OTHER_EXPONENT = 8
export const OTHER_DOUBLE = 9

/** Where a reading of tokens stands. */
export interface Cursor {
  offset: number
  at: number
  delta: number
  mantissa: number
  exponent: number
}

/** The whole number that heads keep for a value, NaN when there is none small enough. */
export function headMantissa(value: number, exponent: number): number {
  const mantissa = mantissaOf(value, exponent)
  return mantissa < MANTISSA_LIMIT && mantissa > -MANTISSA_LIMIT ? mantissa : Number.NaN
}

/** Reads the token at the cursor of a block into the sink. */
export function readToken(view: DataView, start: number, cursor: Cursor, sink: SampleSink, isFirst: boolean): void {
  let place = start + cursor.offset
  const token = view.getUint8(place++)
  const before = cursor.at
  switch (token & 3) {
    case TIME_SAME:
      cursor.at += cursor.delta
      break
    case TIME_BYTE:
      cursor.at += cursor.delta + view.getInt8(place)
      place += 1
      break
    case TIME_SHORT:
      cursor.at += cursor.delta + view.getInt16(place)
      place += 2
      break
    default:
      cursor.at = view.getFloat64(place)
      place += 8
  }
  cursor.delta = isFirst ? USUAL_DELTA_MS : cursor.at - before
  cursor.offset = place - start
  sink.value[sink.length] = readValue(view, start, token, cursor)
  sink.at[sink.length++] = cursor.at
}

function readValue(view: DataView, start: number, token: number, cursor: Cursor): number {
  const place = start + cursor.offset
  const low = token >>> 4
  switch ((token >>> 2) & 3) {
    case VALUE_4:
      cursor.mantissa += unzigzag(low)
      break
    case VALUE_12:
      cursor.mantissa += unzigzag((view.getUint8(place) << 4) | low)
      cursor.offset += 1
      break
    case VALUE_20:
      cursor.mantissa += unzigzag((view.getUint16(place) << 4) | low)
      cursor.offset += 2
      break
    default:
      if (low < WIDE_27) {
        cursor.mantissa += unzigzag((view.getUint8(place) << 19) | (view.getUint16(place + 1) << 3) | low)
        cursor.offset += 3
      } else if (low === OTHER_EXPONENT) {
        cursor.exponent = view.getUint8(place)
        cursor.mantissa = view.getInt16(place + 1) * 4294967296 + view.getUint32(place + 3)
        cursor.offset += 7
      } else {
        cursor.offset += 8
        const whole = view.getFloat64(place)
        if (low === OTHER_DOUBLE) return whole
        cursor.mantissa = whole
      }
  }
  return cursor.mantissa / (POWERS_OF_TEN[cursor.exponent] ?? 1)
}
