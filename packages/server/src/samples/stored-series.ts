import type { ChunkFile, ChunkFiles } from './chunk-files.ts'
import { ChunkCorrupt } from './codec/bits.ts'
import { decodeRollup, type RollupTable } from './codec/rollup-chunk.ts'
import { decodeSamples, type SampleSink } from './codec/sample-chunk.ts'
import { SampleStoreCorrupt } from './faults.ts'
import { CHUNKS_A_DAY, chunkId, DAY_MS, slotOf, WHOLE_DAY } from './periods.ts'
import type { Newest } from './unsealed.ts'

/** Appends what the chunks of [from, to) hold of a series: whole chunks, day by day, the day's chunk before the later two-hour ones. */
export function appendStored(files: ChunkFiles, series: number, fromMs: number, toMs: number, sink: SampleSink): void {
  for (const span of files.list()) {
    if (span.kind !== 'raw' || span.toMs <= fromMs || span.fromMs >= toMs) continue
    const file = files.existing('raw', span.fromMs)
    if (file !== undefined) appendDay(file, span.fromMs, series, fromMs, toMs, sink)
  }
}

function appendDay(
  file: ChunkFile,
  dayMs: number,
  series: number,
  fromMs: number,
  toMs: number,
  sink: SampleSink,
): void {
  const firstSlot = fromMs <= dayMs ? 0 : slotOf(fromMs)
  const lastSlot = toMs >= dayMs + DAY_MS ? CHUNKS_A_DAY - 1 : slotOf(toMs - 1)
  appendChunk(file, chunkId('raw', dayMs, WHOLE_DAY, series), sink)
  for (let slot = firstSlot; slot <= lastSlot; slot++) appendChunk(file, chunkId('raw', dayMs, slot, series), sink)
}

function appendChunk(file: ChunkFile, id: number, sink: SampleSink): void {
  const body = file.get(id)
  if (body !== undefined) decoding(file, () => decodeSamples(body, sink))
}

/** Loads a day's rows of a series: all absent where nothing is stored. */
export function loadRollup(
  file: ChunkFile | undefined,
  kind: 'fiveMinutes' | 'hours',
  dayMs: number,
  series: number,
  table: RollupTable,
): void {
  table.count.fill(0)
  if (file === undefined) return
  const load = (slot: number): void => {
    const body = file.get(chunkId(kind, dayMs, slot, series))
    if (body !== undefined) decoding(file, () => decodeRollup(body, table))
  }
  load(WHOLE_DAY)
  if (kind === 'fiveMinutes') for (let slot = 0; slot < CHUNKS_A_DAY; slot++) load(slot)
}

function decoding(file: ChunkFile, decode: () => void): void {
  try {
    decode()
  } catch (error) {
    if (error instanceof ChunkCorrupt) throw new SampleStoreCorrupt(file.name, error.message)
    throw error
  }
}

/** The newest stored sample of a series, null when there is none since a time: looks from the newest file back to it. */
export function newestStored(files: ChunkFiles, series: number, sinceMs: number, sink: SampleSink): Newest | null {
  for (const span of files.list().toReversed()) {
    if (span.kind !== 'raw' || span.toMs <= sinceMs) continue
    const file = files.existing('raw', span.fromMs)
    const newest = file === undefined ? null : newestOfDay(file, span.fromMs, series, sink)
    if (newest !== null) return newest
  }
  return null
}

function newestOfDay(file: ChunkFile, dayMs: number, series: number, sink: SampleSink): Newest | null {
  sink.length = 0
  appendChunk(file, chunkId('raw', dayMs, WHOLE_DAY, series), sink)
  for (let slot = CHUNKS_A_DAY - 1; slot >= 0; slot--) {
    const before = sink.length
    appendChunk(file, chunkId('raw', dayMs, slot, series), sink)
    if (sink.length > before) break
  }
  let best = -1
  for (let i = 0; i < sink.length; i++) if (best < 0 || (sink.at[i] ?? 0) >= (sink.at[best] ?? 0)) best = i
  return best < 0 ? null : { atMs: sink.at[best] ?? 0, value: sink.value[best] ?? 0 }
}
