import type { ChunkFile, ChunkFiles } from './chunk-files.ts'
import type { SampleSink } from './codec/sample-chunk.ts'
import { CHUNKS_A_DAY, chunkId, slotOf, WHOLE_DAY } from './periods.ts'
import { appendBody } from './stored-series.ts'
import type { Newest } from './unsealed.ts'

export interface Wanted {
  readonly series: number
  /** Chunks that end before are not looked at. */
  readonly sinceMs: number
}

/**
 * Tells the newest stored sample of each series, null for none. Goes file by file from the newest, each opened once for all
 * series; `wanted` is ascending by series, so that runs of series that a file has not are skipped at once.
 */
export function findNewest(
  files: ChunkFiles,
  wanted: readonly Wanted[],
  sink: SampleSink,
  tell: (series: number, newest: Newest | null) => void,
): void {
  let left = wanted
  for (const span of files.list().toReversed()) {
    if (left.length === 0) return
    const file = span.kind === 'raw' ? files.existing('raw', span.fromMs) : undefined
    if (file === undefined) continue
    const day = createDay(file, span.fromMs)
    const missing: Wanted[] = []
    for (const one of left) {
      const newest = one.sinceMs < span.toMs ? day.newest(one.series, one.sinceMs, sink) : null
      if (newest === null && one.sinceMs < span.fromMs) missing.push(one)
      else tell(one.series, newest)
    }
    left = missing
  }
  for (const { series } of left) tell(series, null)
}

/** Looks up ascending series in one day's file. */
function createDay(file: ChunkFile, dayMs: number) {
  /** By slot, the next row there is: those before are known to be missing. */
  const next = new Float64Array(WHOLE_DAY + 1)

  function append(slot: number, series: number, sink: SampleSink): void {
    const id = chunkId('raw', dayMs, slot, series)
    if (id < (next[slot] ?? 0)) return
    const body = file.get(id)
    if (body !== undefined) appendBody(file, body, sink)
    else next[slot] = file.ids(id, chunkId('raw', dayMs, slot + 1, 0), 1)[0] ?? Number.POSITIVE_INFINITY
  }

  return {
    newest(series: number, sinceMs: number, sink: SampleSink): Newest | null {
      sink.length = 0
      append(WHOLE_DAY, series, sink)
      const ofDay = sink.length
      const firstSlot = sinceMs > dayMs ? slotOf(sinceMs) : 0
      for (let slot = CHUNKS_A_DAY - 1; slot >= firstSlot && sink.length === ofDay; slot--) append(slot, series, sink)
      let best = -1
      for (let i = 0; i < sink.length; i++) if (best < 0 || (sink.at[i] ?? 0) >= (sink.at[best] ?? 0)) best = i
      return best < 0 ? null : { atMs: sink.at[best] ?? 0, value: sink.value[best] ?? 0 }
    },
  }
}
