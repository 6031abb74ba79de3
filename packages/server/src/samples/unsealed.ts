import type { SampleSink } from './codec/sample-chunk.ts'
import { createHeads, createSegmentPool, type Heads } from './heads.ts'

/** Samples that the journal holds and no chunk is sure to hold: those being sealed, then those that came since. */
export interface Unsealed {
  add(series: number, atMs: number, value: number): void
  /** All of the series' samples, older batches first. */
  read(series: number, sink: SampleSink): void
  /** Whether the series may have a sample at or after a time. */
  reaches(series: number, fromMs: number): boolean
  /** The series' newest sample by time; null when it has none here. */
  newest(series: number): Newest | null
  /** Sets what is there aside for sealing, up to a journal position; what was set aside before and failed stays first. */
  freeze(through: number): Frozen | null
  /** What was set aside is in chunks and the journal knows it. */
  dropFrozen(): void
  readonly isEmpty: boolean
  readonly samples: number
  readonly bytes: number
}

export interface Newest {
  readonly atMs: number
  readonly value: number
}

export interface Frozen {
  readonly heads: Heads
  readonly through: number
}

export function createUnsealed(): Unsealed {
  const pool = createSegmentPool()
  let current = createHeads(pool)
  let frozen: Frozen | null = null
  return {
    add: (series, atMs, value) => current.add(series, atMs, value),
    read(series, sink) {
      frozen?.heads.read(series, sink)
      current.read(series, sink)
    },
    reaches: (series, fromMs) => current.reaches(series, fromMs) || frozen?.heads.reaches(series, fromMs) === true,
    newest(series) {
      const older = frozen?.heads.newest(series) ?? null
      const newer = current.newest(series)
      return older === null || (newer !== null && newer.atMs >= older.atMs) ? newer : older
    },
    freeze(through) {
      if (frozen === null) {
        frozen = { heads: current, through }
        current = createHeads(pool)
      }
      return frozen
    },
    dropFrozen() {
      frozen?.heads.release()
      frozen = null
    },
    get isEmpty() {
      return current.samples === 0 && frozen === null
    },
    get samples() {
      return current.samples + (frozen?.heads.samples ?? 0)
    },
    get bytes() {
      return current.bytes + (frozen?.heads.bytes ?? 0)
    },
  }
}
