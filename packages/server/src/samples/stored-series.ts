import type { ChunkFile, ChunkFiles } from './chunk-files.ts'
import { ChunkCorrupt } from './codec/bits.ts'
import { decodeRollup, type RollupTable } from './codec/rollup-chunk.ts'
import { decodeSamples, type SampleSink } from './codec/sample-chunk.ts'
import { SampleStoreCorrupt } from './faults.ts'
import {
  CHUNKS_A_DAY,
  chunkId,
  DAY_MS,
  DAYS_A_MONTH,
  endDayOfThird,
  firstDayOfThird,
  HOURS_A_DAY,
  hoursId,
  slotOf,
  THIRDS_A_MONTH,
  thirdId,
  WHOLE_DAY,
} from './periods.ts'

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
  if (body !== undefined) appendBody(file, body, sink)
}

/** Appends the samples of a chunk's body; the fault of a damaged one names its file. */
export function appendBody(file: ChunkFile, body: Uint8Array, sink: SampleSink): void {
  decoding(file, () => decodeSamples(body, sink))
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

/** Loads the hours of [from, to) of a month, or more of them: its thirds, then the days written since over them. */
export function loadMonth(
  file: ChunkFile | undefined,
  monthMs: number,
  series: number,
  fromMs: number,
  toMs: number,
  table: RollupTable,
): void {
  table.count.fill(0)
  if (file === undefined) return
  const first = Math.max(0, Math.floor((fromMs - monthMs) / DAY_MS))
  const end = Math.min(DAYS_A_MONTH, Math.ceil((toMs - monthMs) / DAY_MS))
  for (let third = 0; third < THIRDS_A_MONTH; third++) {
    if (firstDayOfThird(third) >= end || endDayOfThird(third) <= first) continue
    const body = file.get(thirdId(third, series))
    if (body !== undefined) decoding(file, () => decodeRollup(body, table))
  }
  for (let day = first; day < end; day++) {
    const body = file.get(hoursId(day, series))
    const row = day * HOURS_A_DAY
    if (body !== undefined) decoding(file, () => decodeRollup(body, table, row, row + HOURS_A_DAY))
  }
}

function decoding(file: ChunkFile, decode: () => void): void {
  try {
    decode()
  } catch (error) {
    if (error instanceof ChunkCorrupt) throw new SampleStoreCorrupt(file.name, error.message)
    throw error
  }
}
