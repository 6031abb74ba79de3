import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { ChunkFiles } from './chunk-files.ts'
import type { LastValues } from './last-values.ts'
import { dayStart } from './periods.ts'

/**
 * The newest stored samples, kept beside the files that they come from, so that a start need not look through these. A shortcut
 * alone: where it is missing, damaged or of another journal position than the files, they are looked through.
 */
export interface LastFile {
  /** Takes over what was saved at this journal position, but for days whose file is gone; gives how many series. */
  load(through: number, files: ChunkFiles, lastValues: LastValues): number
  /** Writes what has changed since the last time, for the files as they are at this journal position. */
  save(through: number, lastValues: LastValues): void
}

const NAME = 'last.bin'
const MAGIC = 0x4e564c31
/** Magic, checksum of what follows, journal position, number of series; then their ids, times and values. */
const [CHECKED_FROM, HEADER_BYTES, ENTRY_BYTES] = [8, 24, 20]

export function openLastFile(folder: string): LastFile {
  let saved = ''
  const stateOf = (through: number, lastValues: LastValues): string => `${through} ${lastValues.changes}`
  return {
    load(through, files, lastValues) {
      const rows = decode(readIfThere(join(folder, NAME)), through)
      const days = new Set(files.list().flatMap(span => (span.kind === 'raw' ? [span.fromMs] : [])))
      let count = 0
      for (const { series, atMs, value } of rows) {
        if (atMs !== null && !days.has(dayStart(atMs))) continue
        lastValues.complete(series, atMs === null ? null : { atMs, value })
        count++
      }
      if (count > 0) saved = stateOf(through, lastValues)
      return count
    },
    save(through, lastValues) {
      const state = stateOf(through, lastValues)
      if (state === saved || lastValues.size === 0) return
      const path = join(folder, NAME)
      writeFileSync(`${path}.new`, encode(through, lastValues))
      renameSync(`${path}.new`, path)
      saved = state
    },
  }
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

function encode(through: number, lastValues: LastValues): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + lastValues.size * ENTRY_BYTES)
  bytes.writeDoubleLE(through, 8)
  bytes.writeUInt32LE(lastValues.size, 16)
  for (let place = 0, at = HEADER_BYTES; place < lastValues.size; place++, at += ENTRY_BYTES) {
    bytes.writeUInt32LE(lastValues.series(place), at)
    bytes.writeDoubleLE(lastValues.atMs(place), at + 4)
    bytes.writeDoubleLE(lastValues.value(place), at + 12)
  }
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 4)
  return bytes
}

interface LastRow {
  readonly series: number
  /** Null: no file has a sample of it. */
  readonly atMs: number | null
  readonly value: number
}

/** Nothing when it is not whole, or not of this position. */
function* decode(bytes: Buffer, through: number): Generator<LastRow> {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) return
  const count = bytes.readUInt32LE(16)
  const isWhole =
    bytes.length === HEADER_BYTES + count * ENTRY_BYTES &&
    bytes.readUInt32LE(4) === crc32(bytes.subarray(CHECKED_FROM)) &&
    bytes.readDoubleLE(8) === through
  if (!isWhole) return
  for (let at = HEADER_BYTES; at < bytes.length; at += ENTRY_BYTES) {
    const atMs = bytes.readDoubleLE(at + 4)
    const series = bytes.readUInt32LE(at)
    yield { series, atMs: Number.isFinite(atMs) ? atMs : null, value: bytes.readDoubleLE(at + 12) }
  }
}
