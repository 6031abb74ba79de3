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

const VERSION = 1
/** No chunk holds more: a day at a sample every 5 ms. */
export const MAX_CHUNK_SAMPLES = 2 ** 24

const writer = createBitWriter()

/**
 * Encodes `count` samples, ascending by time: whole milliseconds and finite values, given back exactly.
 * The bytes are a view that the next call overwrites: millions of them a sealing must not be garbage.
 */
export function encodeSamples(at: Float64Array, value: Float64Array, count: number): Uint8Array {
  if (count > MAX_CHUNK_SAMPLES) throw new RangeError(`a chunk holds at most ${MAX_CHUNK_SAMPLES} samples`)
  resetBits(writer)
  putBits(writer, VERSION, 4)
  putSigned(writer, count)
  encodeColumn(writer, at, count)
  encodeColumn(writer, value, count)
  return takeBytes(writer)
}

/** Where decoded samples go: `reserve` makes room for so many and says where they start. */
export interface SampleSink {
  at: Float64Array
  value: Float64Array
  length: number
}

/** Makes room for `extra` more samples. */
export function reserveSamples(sink: SampleSink, extra: number): void {
  const needed = sink.length + extra
  if (needed <= sink.at.length) return
  const size = Math.max(needed, sink.at.length * 2)
  const at = new Float64Array(size)
  const value = new Float64Array(size)
  at.set(sink.at.subarray(0, sink.length))
  value.set(sink.value.subarray(0, sink.length))
  sink.at = at
  sink.value = value
}

/** Appends the chunk's samples to the sink; throws {@link ChunkCorrupt} when the bytes are not a whole chunk. */
export function decodeSamples(bytes: Uint8Array, sink: SampleSink): void {
  const reader = createBitReader(bytes)
  const version = getBits(reader, 4)
  if (version !== VERSION) throw new ChunkCorrupt(`unknown chunk version ${version}`)
  const count = getSigned(reader)
  if (count < 0 || count > MAX_CHUNK_SAMPLES) throw new ChunkCorrupt(`impossible count ${count}`)
  reserveSamples(sink, count)
  decodeColumn(reader, sink.at.subarray(sink.length), count)
  decodeColumn(reader, sink.value.subarray(sink.length), count)
  assertEnd(reader)
  sink.length += count
}
