import { ChunkCorrupt, unzigzag, zigzag } from './codec/bits.ts'
import { exponentOf, mantissaOf, POWERS_OF_TEN } from './codec/decimals.ts'
import { LATEST_MS } from './periods.ts'
import type { SampleColumns } from './sample-store.ts'
import { MAX_SERIES } from './slots.ts'

/**
 * A batch as one run of bytes, some 6 a sample: what travels to the worker and lies in the journal.
 * attachment length, attachment, sample count, then per sample: series and time as differences, value as a decimal or whole.
 */
const WORST_SAMPLE_BYTES = 5 + 8 + 9
const HEADER_BYTES = 16
const WHOLE_DOUBLE = 0xf0
const DOUBLE_BYTES = 8

let scratch = new Uint8Array(1 << 16)
let view = new DataView(scratch.buffer)

/** Packs and checks: throws RangeError for a NaN, an infinity, a time that is no whole millisecond, a series out of range. */
export function packBatch(samples: SampleColumns, attachment: Uint8Array): Uint8Array<ArrayBuffer> {
  const { series, atMs, value } = samples
  const count = series.length
  if (atMs.length !== count || value.length !== count) throw new RangeError('columns of different lengths')
  reserve(HEADER_BYTES + attachment.length + count * WORST_SAMPLE_BYTES)
  let place = putVarint(0, attachment.length)
  scratch.set(attachment, place)
  place = putVarint(place + attachment.length, count)
  let lastSeries = 0
  let lastAt = 0
  let exponent = 0
  for (let i = 0; i < count; i++) {
    const id = series[i] ?? 0
    const at = atMs[i] ?? 0
    const sample = value[i] ?? 0
    assertSample(id, at, sample)
    place = putVarint(place, zigzag(id - lastSeries))
    place = putVarint(place, zigzag(at - lastAt))
    lastSeries = id
    lastAt = at
    let mantissa = mantissaOf(sample, exponent)
    if (Number.isNaN(mantissa)) {
      exponent = Math.max(0, exponentOf(sample, 0))
      mantissa = mantissaOf(sample, exponent)
    }
    place = putValue(place, sample, mantissa, exponent)
  }
  return scratch.slice(0, place)
}

function reserve(bytes: number): void {
  if (scratch.length >= bytes) return
  scratch = new Uint8Array(bytes * 2)
  view = new DataView(scratch.buffer)
}

function assertSample(series: number, atMs: number, value: number): void {
  if (series < 1 || series > MAX_SERIES) throw new RangeError(`series ${series} out of 1 … ${MAX_SERIES}`)
  if (!(atMs >= 0 && atMs < LATEST_MS) || Math.floor(atMs) !== atMs)
    throw new RangeError(`${atMs} is no whole millisecond of 1970 … 2199`)
  if (!Number.isFinite(value)) throw new RangeError(`series ${series}: ${value} is no finite value`)
}

function putVarint(at: number, value: number): number {
  let place = at
  let rest = value
  while (rest >= 2147483648) {
    const high = Math.floor(rest / 128)
    scratch[place++] = (rest - high * 128) | 128
    rest = high
  }
  while (rest >= 128) {
    scratch[place++] = (rest & 127) | 128
    rest >>>= 7
  }
  scratch[place++] = rest
  return place
}

function putValue(at: number, value: number, mantissa: number, exponent: number): number {
  if (Number.isNaN(mantissa)) {
    scratch[at] = WHOLE_DOUBLE
    view.setFloat64(at + 1, value)
    return at + 1 + DOUBLE_BYTES
  }
  let rest = zigzag(mantissa)
  let place = at + 1
  while (rest >= 4294967296) {
    const high = Math.floor(rest / 256)
    scratch[place++] = rest - high * 256
    rest = high
  }
  while (rest > 0) {
    scratch[place++] = rest & 255
    rest >>>= 8
  }
  scratch[at] = ((place - at - 1) << 4) | exponent
  return place
}

export interface BatchContent {
  readonly samples: SampleColumns
  readonly attachment: Uint8Array
}

interface Reader {
  readonly bytes: Uint8Array
  readonly view: DataView
  place: number
}

/** Reads a packed batch back; throws {@link ChunkCorrupt} when the bytes are not one. The attachment is copied. */
export function unpackBatch(bytes: Uint8Array): BatchContent {
  const reader = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), place: 0 }
  const attachmentLength = getVarint(reader)
  const start = reader.place
  reader.place += attachmentLength
  const count = getVarint(reader)
  if (reader.place > bytes.length || count > bytes.length) throw new ChunkCorrupt('impossible batch')
  const samples = { series: new Int32Array(count), atMs: new Float64Array(count), value: new Float64Array(count) }
  let series = 0
  let at = 0
  for (let i = 0; i < count; i++) {
    series += unzigzag(getVarint(reader))
    at += unzigzag(getVarint(reader))
    samples.series[i] = series
    samples.atMs[i] = at
    samples.value[i] = getValue(reader)
  }
  if (reader.place !== bytes.length) throw new ChunkCorrupt('batch with another length than its content')
  return { samples, attachment: bytes.slice(start, start + attachmentLength) }
}

function getByte(reader: Reader): number {
  if (reader.place >= reader.bytes.length) throw new ChunkCorrupt('batch shorter than its content')
  return reader.bytes[reader.place++] ?? 0
}

function getVarint(reader: Reader): number {
  let byte = getByte(reader)
  if (byte < 128) return byte
  let value = byte & 127
  let scale = 128
  do {
    byte = getByte(reader)
    value += (byte & 127) * scale
    scale *= 128
  } while (byte >= 128 && scale < 2 ** 60)
  return value
}

function getValue(reader: Reader): number {
  const tag = getByte(reader)
  if (tag === WHOLE_DOUBLE) {
    const place = reader.place
    reader.place += DOUBLE_BYTES
    if (reader.place > reader.bytes.length) throw new ChunkCorrupt('batch shorter than its content')
    return reader.view.getFloat64(place)
  }
  let folded = 0
  let scale = 1
  for (let i = tag >>> 4; i > 0; i--) {
    folded += getByte(reader) * scale
    scale *= 256
  }
  return unzigzag(folded) / (POWERS_OF_TEN[tag & 15] ?? 1)
}
