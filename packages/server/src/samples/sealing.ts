import type { ChunkFile, ChunkFiles } from './chunk-files.ts'
import { createRollupTable, encodeRollup } from './codec/rollup-chunk.ts'
import { encodeSamples, reserveSamples, type SampleSink } from './codec/sample-chunk.ts'
import type { Failpoints } from './failpoints.ts'
import type { Heads } from './heads.ts'
import type { Journal } from './journal.ts'
import type { LastValues } from './last-values.ts'
import { createSink, normalise } from './merge.ts'
import { letOthersWork } from './pause.ts'
import {
  CHUNK_MS,
  chunkId,
  chunkStart,
  DAY_MS,
  dayStart,
  FIVE_MINUTES_A_CHUNK,
  FIVE_MINUTES_A_DAY,
  type FileKind,
  HOURS_A_DAY,
  slotOf,
  WHOLE_DAY,
} from './periods.ts'
import { lowerBound, rollUp, rollUpHours } from './rollup.ts'
import { appendStored, loadRollup } from './stored-series.ts'
import type { Unsealed } from './unsealed.ts'

export interface SealingParts {
  readonly files: ChunkFiles
  readonly journal: Journal
  readonly unsealed: Unsealed
  readonly lastValues: LastValues
  readonly forgotten: ReadonlySet<number>
  readonly failpoints: Failpoints
}

/** Contiguous series share pages: strided slices wrote sixty times as much. */
const SLICE_SERIES = 1500
/** A batch that comes meanwhile waits so long. */
const SLICE_MS = 12
const HOURS_A_CHUNK = 2

/**
 * Moves what is in the heads into chunks, slice by slice, other work going on between them. Interrupted or failed at any
 * place it loses nothing and is simply done again: the journal only advances once all of it is on disk. Days that ended
 * before `keepFromMs` are already gone and stay so. Gives true when everything was sealed.
 */
export async function seal(parts: SealingParts, keepFromMs: number, isStopping: () => boolean): Promise<boolean> {
  const { journal, unsealed, lastValues, failpoints } = parts
  const frozen = unsealed.freeze(journal.lastPosition)
  if (frozen === null) return true
  failpoints.hit('seal.begin')
  const ids = frozen.heads.seriesIds()
  const slicer = createSlicer(parts, frozen.heads, keepFromMs)
  for (let from = 0; from < ids.length; ) {
    if (isStopping()) return false
    from = slicer.seal(ids, from)
    await letOthersWork()
  }
  if (isStopping()) return false
  failpoints.hit('seal.before-advance')
  journal.sealed(frozen.through)
  for (const id of ids) {
    const newest = frozen.heads.newest(id)
    if (newest !== null) lastValues.note(id, newest.atMs, newest.value)
  }
  unsealed.dropFrozen()
  failpoints.hit('seal.after-advance')
  for (const { kind, dayMs } of slicer.days()) {
    parts.files.existing(kind, dayMs)?.checkpoint()
    await letOthersWork()
  }
  return true
}

/** The files that a slice writes to, each in one transaction: raw samples are committed before the roll-ups made from them. */
function createTransaction(files: ChunkFiles, failpoints: Failpoints) {
  const touched = new Map<ChunkFile, FileKind>()
  const days = new Map<string, { readonly kind: FileKind; readonly dayMs: number }>()
  const commitKinds = (isRaw: boolean): void => {
    for (const [file, kind] of touched) if ((kind === 'raw') === isRaw) file.commit()
  }
  return {
    file(kind: FileKind, dayMs: number): ChunkFile {
      const file = files.ensure(kind, dayMs)
      if (!touched.has(file)) {
        file.begin()
        touched.set(file, kind)
        days.set(file.name, { kind, dayMs })
      }
      return file
    },
    days: () => days.values(),
    commit(): void {
      failpoints.hit('seal.before-raw')
      commitKinds(true)
      failpoints.hit('seal.after-raw')
      commitKinds(false)
      failpoints.hit('seal.after-rollup')
      touched.clear()
    },
    rollback(): void {
      for (const file of touched.keys()) file.rollback()
      touched.clear()
    },
  }
}

interface Slicer {
  /** Seals one slice from an index on; gives where the next one starts. */
  seal(ids: Int32Array, from: number): number
  /** The files written to, by a day that they hold. */
  days(): Iterable<{ readonly kind: FileKind; readonly dayMs: number }>
}

function createSlicer(parts: SealingParts, heads: Heads, keepFromMs: number): Slicer {
  const transaction = createTransaction(parts.files, parts.failpoints)
  const incoming = createSink()
  const merged = createSink()
  const fiveMinutes = createRollupTable(FIVE_MINUTES_A_DAY)
  const hours = createRollupTable(HOURS_A_DAY)

  function sealSeries(series: number): void {
    incoming.length = 0
    heads.read(series, incoming)
    normalise(incoming)
    for (let i = 0; i < incoming.length; ) {
      const chunkMs = chunkStart(incoming.at[i] ?? 0)
      const end = lowerBound(incoming, chunkMs + CHUNK_MS)
      if (dayStart(chunkMs) + DAY_MS > keepFromMs) sealChunk(series, chunkMs, i, end)
      i = end
    }
  }

  function sealChunk(series: number, chunkMs: number, first: number, end: number): void {
    const dayMs = dayStart(chunkMs)
    const slot = slotOf(chunkMs)
    const raw = transaction.file('raw', dayMs)
    merged.length = 0
    appendStored(parts.files, series, chunkMs, chunkMs + CHUNK_MS, merged)
    appendSamples(merged, incoming, first, end)
    normalise(merged)
    clip(merged, chunkMs, chunkMs + CHUNK_MS)
    raw.put(chunkId('raw', dayMs, slot, series), encodeSamples(merged.at, merged.value, merged.length))

    const from = slot * FIVE_MINUTES_A_CHUNK
    rollUp(merged, dayMs, from, from + FIVE_MINUTES_A_CHUNK, fiveMinutes)
    putRollup('fiveMinutes', dayMs, slot, series, encodeRollup(fiveMinutes, from, from + FIVE_MINUTES_A_CHUNK))
    loadRollup(transaction.file('hours', dayMs), 'hours', dayMs, series, hours)
    rollUpHours(fiveMinutes, slot * HOURS_A_CHUNK, (slot + 1) * HOURS_A_CHUNK, hours)
    putRollup('hours', dayMs, WHOLE_DAY, series, encodeRollup(hours, 0, HOURS_A_DAY))
  }

  function putRollup(kind: FileKind, dayMs: number, slot: number, series: number, body: Uint8Array | null): void {
    if (body !== null) transaction.file(kind, dayMs).put(chunkId(kind, dayMs, slot, series), body)
  }

  function sealSlice(ids: Int32Array, from: number): number {
    const startedMs = performance.now()
    let next = from
    try {
      while (next < ids.length && next - from < SLICE_SERIES && performance.now() - startedMs < SLICE_MS) {
        const series = ids[next++] ?? 0
        if (!parts.forgotten.has(series)) sealSeries(series)
      }
      transaction.commit()
    } catch (error) {
      transaction.rollback()
      throw error
    }
    return next
  }
  return { seal: sealSlice, days: transaction.days }
}

function appendSamples(into: SampleSink, from: SampleSink, first: number, end: number): void {
  reserveSamples(into, end - first)
  into.at.set(from.at.subarray(first, end), into.length)
  into.value.set(from.value.subarray(first, end), into.length)
  into.length += end - first
}

/** Keeps the samples of [from, to). */
function clip(samples: SampleSink, fromMs: number, toMs: number): void {
  const first = lowerBound(samples, fromMs)
  const end = lowerBound(samples, toMs)
  if (first > 0) {
    samples.at.copyWithin(0, first, end)
    samples.value.copyWithin(0, first, end)
  }
  samples.length = end - first
}
