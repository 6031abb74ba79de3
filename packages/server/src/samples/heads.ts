import { zigzag } from './codec/bits.ts'
import { reserveSamples, type SampleSink } from './codec/sample-chunk.ts'
import {
  headMantissa,
  OTHER_DOUBLE,
  OTHER_EXPONENT,
  readToken,
  TIME_BYTE,
  TIME_SAME,
  TIME_SHORT,
  TIME_WHOLE,
  USUAL_DELTA_MS,
  VALUE_4,
  VALUE_12,
  VALUE_20,
  VALUE_OTHER,
} from './head-tokens.ts'
import { createSlots } from './slots.ts'

/**
 * The samples not yet in a chunk, per series, in the order they came: about 3 bytes each for a three-decimal gauge.
 * Blocks of 64 bytes chained per series in large shared segments; one 64-byte record per series, a cache line.
 */
export interface Heads {
  add(series: number, atMs: number, value: number): void
  /** Appends the series' samples to the sink in the order they came; nothing when it has none. */
  read(series: number, sink: SampleSink): void
  /** Whether the series may have a sample at or after a time. */
  reaches(series: number, fromMs: number): boolean
  /** The series' newest sample by time, the later one of two at the same time; null when it has none. */
  newest(series: number): { readonly atMs: number; readonly value: number } | null
  /** The series that have samples, ascending. */
  seriesIds(): Int32Array
  /** Gives the segments back to the pool: the heads are not used any more. */
  release(): void
  readonly samples: number
  readonly bytes: number
}

interface Segment {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly next: Int32Array
}

/** Segments that heads had before: memory stays what the fullest heads took. */
export interface SegmentPool {
  take(): Segment
  give(segments: readonly Segment[]): void
}

export function createSegmentPool(): SegmentPool {
  const free: Segment[] = []
  return {
    take() {
      const known = free.pop()
      if (known !== undefined) return known
      const buffer = new ArrayBuffer(SEGMENT_BYTES)
      return { bytes: new Uint8Array(buffer), view: new DataView(buffer), next: new Int32Array(buffer) }
    },
    give: segments => void free.push(...segments),
  }
}

const BLOCK = 64
/** The last four bytes of a block say which is next. */
const PAYLOAD = 60
const SEGMENT_BLOCKS = 8192
const SEGMENT_BYTES = SEGMENT_BLOCKS * BLOCK
const LONGEST_TOKEN = 18
const END_OF_BLOCK = 0xff

/** A record's places: in doubles, then in 32-bit words of the same 64 bytes. */
const DOUBLES = 8
const LAST_AT = 0
const LAST_DELTA = 1
const LAST_MANTISSA = 2
const NEWEST_AT = 3
const NEWEST_VALUE = 4
const WORDS = 16
const FIRST_BLOCK = 10
const LAST_BLOCK = 11
const OFFSET = 12
const COUNT = 13
const EXPONENT = 14
const SERIES = 15

const MAX_HEAD_EXPONENT = 9

export function createHeads(pool = createSegmentPool()): Heads {
  const slots = createSlots()
  const segments: Segment[] = []
  let records = new ArrayBuffer(1024 * BLOCK)
  let doubles = new Float64Array(records)
  let words = new Int32Array(records)
  let blocks = 0
  let samples = 0

  function newBlock(): number {
    if (blocks % SEGMENT_BLOCKS === 0) segments.push(pool.take())
    return blocks++
  }

  function newRecord(series: number): number {
    const slot = slots.add(series)
    if (slot * BLOCK >= records.byteLength) {
      const larger = new ArrayBuffer(Math.ceil((records.byteLength * 1.5) / BLOCK) * BLOCK)
      new Float64Array(larger).set(doubles)
      records = larger
      doubles = new Float64Array(records)
      words = new Int32Array(records)
    }
    const block = newBlock()
    words[slot * WORDS + FIRST_BLOCK] = block
    words[slot * WORDS + LAST_BLOCK] = block
    words[slot * WORDS + SERIES] = series
    doubles[slot * DOUBLES + LAST_DELTA] = USUAL_DELTA_MS
    doubles[slot * DOUBLES + NEWEST_AT] = Number.NEGATIVE_INFINITY
    return slot
  }

  function add(series: number, atMs: number, value: number): void {
    let slot = slots.get(series)
    if (slot < 0) slot = newRecord(series)
    const d = slot * DOUBLES
    const w = slot * WORDS
    let offset = words[w + OFFSET] ?? 0
    let block = words[w + LAST_BLOCK] ?? 0
    if (offset + LONGEST_TOKEN > PAYLOAD && offset + tokenBytes(d, w, atMs, value) > PAYLOAD) {
      const full = segments[Math.floor(block / SEGMENT_BLOCKS)]
      const next = newBlock()
      const start = (block % SEGMENT_BLOCKS) * BLOCK
      if (full !== undefined) {
        if (offset < PAYLOAD) full.bytes[start + offset] = END_OF_BLOCK
        full.next[(start + PAYLOAD) >> 2] = next
      }
      block = next
      words[w + LAST_BLOCK] = next
      offset = 0
    }
    const segment = segments[Math.floor(block / SEGMENT_BLOCKS)]
    if (segment === undefined) throw new RangeError('head without segment')
    const start = (block % SEGMENT_BLOCKS) * BLOCK
    words[w + OFFSET] = writeToken(segment.view, start + offset, d, w, atMs, value) - start
    words[w + COUNT] = (words[w + COUNT] ?? 0) + 1
    if (atMs >= (doubles[d + NEWEST_AT] ?? 0)) {
      doubles[d + NEWEST_AT] = atMs
      doubles[d + NEWEST_VALUE] = value
    }
    samples++
  }

  /** An upper bound that is exact enough near a block's end. */
  function tokenBytes(d: number, w: number, atMs: number, value: number): number {
    const dod = atMs - (doubles[d + LAST_AT] ?? 0) - (doubles[d + LAST_DELTA] ?? 0)
    const time = dod === 0 ? 0 : dod >= -128 && dod < 128 ? 1 : dod >= -32768 && dod < 32768 ? 2 : 8
    const mantissa = headMantissa(value, words[w + EXPONENT] ?? 0)
    if (Number.isNaN(mantissa)) return 1 + time + 8
    const z = zigzag(mantissa - (doubles[d + LAST_MANTISSA] ?? 0))
    return 1 + time + (z < 16 ? 0 : z < 4096 ? 1 : z < 1048576 ? 2 : z < 134217728 ? 3 : 8)
  }

  function writeToken(view: DataView, start: number, d: number, w: number, atMs: number, value: number): number {
    const delta = atMs - (doubles[d + LAST_AT] ?? 0)
    const dod = delta - (doubles[d + LAST_DELTA] ?? 0)
    let place = start + 1
    let time = TIME_SAME
    if (dod !== 0) {
      if (dod >= -128 && dod < 128) {
        time = TIME_BYTE
        view.setInt8(place, dod)
        place += 1
      } else if (dod >= -32768 && dod < 32768) {
        time = TIME_SHORT
        view.setInt16(place, dod)
        place += 2
      } else {
        time = TIME_WHOLE
        view.setFloat64(place, atMs)
        place += 8
      }
    }
    doubles[d + LAST_DELTA] = (words[w + COUNT] ?? 0) === 0 ? USUAL_DELTA_MS : delta
    doubles[d + LAST_AT] = atMs
    return writeValue(view, start, place, time, d, w, value)
  }

  function writeValue(
    view: DataView,
    start: number,
    at: number,
    time: number,
    d: number,
    w: number,
    value: number,
  ): number {
    const exponent = words[w + EXPONENT] ?? 0
    const mantissa = headMantissa(value, exponent)
    if (Number.isNaN(mantissa)) return writeOddValue(view, start, at, time, d, w, value)
    const z = zigzag(mantissa - (doubles[d + LAST_MANTISSA] ?? 0))
    doubles[d + LAST_MANTISSA] = mantissa
    if (z < 16) {
      view.setUint8(start, time | (VALUE_4 << 2) | (z << 4))
      return at
    }
    if (z < 4096) {
      view.setUint8(start, time | (VALUE_12 << 2) | ((z & 15) << 4))
      view.setUint8(at, z >>> 4)
      return at + 1
    }
    if (z < 1048576) {
      view.setUint8(start, time | (VALUE_20 << 2) | ((z & 15) << 4))
      view.setUint16(at, z >>> 4)
      return at + 2
    }
    if (z < 134217728) {
      view.setUint8(start, time | (VALUE_OTHER << 2) | ((z & 7) << 4))
      view.setUint8(at, z >>> 19)
      view.setUint16(at + 1, (z >>> 3) & 0xffff)
      return at + 3
    }
    view.setUint8(start, time | (VALUE_OTHER << 2) | ((OTHER_EXPONENT + 2) << 4))
    view.setFloat64(at, mantissa)
    return at + 8
  }

  /** No decimal with the exponent in use: a larger exponent and the whole mantissa in 7 bytes, else the double as it is. */
  function writeOddValue(
    view: DataView,
    start: number,
    at: number,
    time: number,
    d: number,
    w: number,
    value: number,
  ): number {
    for (let exponent = (words[w + EXPONENT] ?? 0) + 1; exponent <= MAX_HEAD_EXPONENT; exponent++) {
      const mantissa = headMantissa(value, exponent)
      if (Number.isNaN(mantissa)) continue
      words[w + EXPONENT] = exponent
      doubles[d + LAST_MANTISSA] = mantissa
      view.setUint8(start, time | (VALUE_OTHER << 2) | (OTHER_EXPONENT << 4))
      view.setUint8(at, exponent)
      view.setInt16(at + 1, Math.floor(mantissa / 4294967296))
      view.setUint32(at + 3, mantissa - Math.floor(mantissa / 4294967296) * 4294967296)
      return at + 7
    }
    view.setUint8(start, time | (VALUE_OTHER << 2) | (OTHER_DOUBLE << 4))
    view.setFloat64(at, value)
    return at + 8
  }

  function read(series: number, sink: SampleSink): void {
    const slot = slots.get(series)
    if (slot < 0) return
    const count = words[slot * WORDS + COUNT] ?? 0
    reserveSamples(sink, count)
    let block = words[slot * WORDS + FIRST_BLOCK] ?? 0
    const cursor = { offset: 0, at: 0, delta: USUAL_DELTA_MS, mantissa: 0, exponent: 0 }
    for (let read = 0; read < count; read++) {
      let segment = segments[Math.floor(block / SEGMENT_BLOCKS)]
      let start = (block % SEGMENT_BLOCKS) * BLOCK
      if (
        segment !== undefined &&
        (cursor.offset >= PAYLOAD || segment.bytes[start + cursor.offset] === END_OF_BLOCK)
      ) {
        block = segment.next[(start + PAYLOAD) >> 2] ?? 0
        segment = segments[Math.floor(block / SEGMENT_BLOCKS)]
        start = (block % SEGMENT_BLOCKS) * BLOCK
        cursor.offset = 0
      }
      if (segment === undefined) throw new RangeError('head without segment')
      readToken(segment.view, start, cursor, sink, read === 0)
    }
  }

  return {
    add,
    read,
    reaches(series, fromMs) {
      const slot = slots.get(series)
      return slot >= 0 && (doubles[slot * DOUBLES + NEWEST_AT] ?? 0) >= fromMs
    },
    newest(series) {
      const slot = slots.get(series)
      if (slot < 0) return null
      const d = slot * DOUBLES
      return { atMs: doubles[d + NEWEST_AT] ?? 0, value: doubles[d + NEWEST_VALUE] ?? 0 }
    },
    seriesIds() {
      const ids = new Int32Array(slots.size)
      for (let slot = 0; slot < slots.size; slot++) ids[slot] = words[slot * WORDS + SERIES] ?? 0
      return ids.sort()
    },
    release: () => pool.give(segments.splice(0)),
    get samples() {
      return samples
    },
    get bytes() {
      return segments.length * SEGMENT_BYTES + records.byteLength + slots.bytes
    },
  }
}
