import type { SampleSink } from './codec/sample-chunk.ts'
import { createHeads, type Heads } from './heads.ts'

/** Samples that the journal holds and no chunk is sure to hold: those being sealed, then those that came since. */
export interface Unsealed {
  add(series: number, atMs: number, value: number): void
  /** All of the series' samples, older batches first. */
  read(series: number, sink: SampleSink): void
  touches(series: number, fromMs: number, toMs: number): boolean
  /** Sets what is there aside for sealing, up to a journal position; what was set aside before and failed stays first. */
  freeze(through: number): Frozen | null
  /** What was set aside is in chunks and the journal knows it. */
  dropFrozen(): void
  readonly isEmpty: boolean
  readonly samples: number
  readonly bytes: number
}

export interface Frozen {
  readonly heads: Heads
  readonly through: number
}

export function createUnsealed(): Unsealed {
  let current = createHeads()
  let frozen: Frozen | null = null
  return {
    add: (series, atMs, value) => current.add(series, atMs, value),
    read(series, sink) {
      frozen?.heads.read(series, sink)
      current.read(series, sink)
    },
    touches: (series, fromMs, toMs) =>
      current.touches(series, fromMs, toMs) || frozen?.heads.touches(series, fromMs, toMs) === true,
    freeze(through) {
      if (frozen === null) {
        frozen = { heads: current, through }
        current = createHeads()
      }
      return frozen
    },
    dropFrozen() {
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
