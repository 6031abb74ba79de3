import type { ChunkFile, ChunkFiles } from './chunk-files.ts'
import { createRollupTable, encodeRollup } from './codec/rollup-chunk.ts'
import { encodeSamples } from './codec/sample-chunk.ts'
import type { Failpoints } from './failpoints.ts'
import { createSink, normalise } from './merge.ts'
import { letOthersWork } from './pause.ts'
import {
  CHUNKS_A_DAY,
  chunkId,
  DAY_MS,
  dayStart,
  FIVE_MINUTES_A_DAY,
  type FileKind,
  SETTLED_MS,
  seriesOfId,
  WHOLE_DAY,
} from './periods.ts'
import type { Retention } from './sample-store.ts'
import { appendStored, loadRollup } from './stored-series.ts'

export interface CompactionParts {
  readonly files: ChunkFiles
  readonly forgotten: ReadonlySet<number>
  readonly failpoints: Failpoints
}

const SLICE_SERIES = 500
const SLICE_MS = 12
const IDS_AT_ONCE = 5000
const SHRINK_PAGES = 64

/** Rewrites the two-hour chunks of ended days as one chunk a day, inside their files, other work going on between slices. */
export async function compact(parts: CompactionParts, nowMs: number, isStopping: () => boolean): Promise<void> {
  for (const span of parts.files.list()) {
    if (span.kind === 'hours') continue
    for (let day = span.fromMs; day < span.toMs && day + DAY_MS + SETTLED_MS <= nowMs; day += DAY_MS) {
      if (isStopping()) return
      await compactDay(parts, span.kind, day, isStopping)
    }
  }
}

async function compactDay(
  parts: CompactionParts,
  kind: 'raw' | 'fiveMinutes',
  dayMs: number,
  isStopping: () => boolean,
): Promise<void> {
  const series = await seriesWithSlots(parts.files, kind, dayMs)
  if (series.length === 0) return
  const rewrite = createRewriter(parts, kind, dayMs)
  for (let from = 0; from < series.length; ) {
    if (isStopping()) return
    from = rewriteSlice(parts, kind, dayMs, series, from, rewrite)
    await letOthersWork()
  }
  while (!isStopping() && parts.files.ensure(kind, dayMs).shrink(SHRINK_PAGES)) await letOthersWork()
}

/** The series that have a two-hour chunk that day, ascending. */
async function seriesWithSlots(files: ChunkFiles, kind: FileKind, dayMs: number): Promise<number[]> {
  const found = new Set<number>()
  for (let slot = 0; slot < CHUNKS_A_DAY; slot++) {
    const end = chunkId(kind, dayMs, slot + 1, 0)
    let from = chunkId(kind, dayMs, slot, 0)
    for (;;) {
      const ids = files.existing(kind, dayMs)?.ids(from, end, IDS_AT_ONCE) ?? []
      for (const id of ids) found.add(seriesOfId(id))
      if (ids.length < IDS_AT_ONCE) break
      from = (ids.at(-1) ?? from) + 1
      await letOthersWork()
    }
  }
  return [...found].sort((a, b) => a - b)
}

/** Gives the body of the day's chunk, null for none. */
type Rewrite = (file: ChunkFile, series: number) => Uint8Array | null

function createRewriter(parts: CompactionParts, kind: 'raw' | 'fiveMinutes', dayMs: number): Rewrite {
  const samples = createSink()
  const table = createRollupTable(FIVE_MINUTES_A_DAY)
  if (kind === 'fiveMinutes') {
    return (file, series) => {
      loadRollup(file, kind, dayMs, series, table)
      return encodeRollup(table, 0, FIVE_MINUTES_A_DAY)
    }
  }
  return (_, series) => {
    samples.length = 0
    appendStored(parts.files, series, dayMs, dayMs + DAY_MS, samples)
    normalise(samples)
    return samples.length === 0 ? null : encodeSamples(samples.at, samples.value, samples.length)
  }
}

function rewriteSlice(
  parts: CompactionParts,
  kind: FileKind,
  dayMs: number,
  series: readonly number[],
  from: number,
  rewrite: Rewrite,
): number {
  const file = parts.files.ensure(kind, dayMs)
  const startedMs = performance.now()
  let next = from
  file.begin()
  try {
    while (next < series.length && next - from < SLICE_SERIES && performance.now() - startedMs < SLICE_MS) {
      const id = series[next++] ?? 0
      const body = parts.forgotten.has(id) ? null : rewrite(file, id)
      for (let slot = 0; slot < CHUNKS_A_DAY; slot++) file.remove(chunkId(kind, dayMs, slot, id))
      if (body === null) file.remove(chunkId(kind, dayMs, WHOLE_DAY, id))
      else file.put(chunkId(kind, dayMs, WHOLE_DAY, id), body)
    }
    parts.failpoints.hit('compact.before-commit')
    file.commit()
    parts.failpoints.hit('compact.after-commit')
  } catch (error) {
    file.rollback()
    throw error
  }
  return next
}

/** Raw days that ended before this are deleted: a day later than samples are refused, so that none accepted loses its day. */
export const rawKeptFrom = (nowMs: number, retention: Retention): number =>
  dayStart(nowMs) - (retention.rawDays + 1) * DAY_MS

/** Deletes the files past their retention; gives their names. */
export function dropExpired(files: ChunkFiles, nowMs: number, retention: Retention): string[] {
  const keptFrom: Record<FileKind, number> = {
    raw: rawKeptFrom(nowMs, retention),
    fiveMinutes: dayStart(nowMs) - retention.fiveMinutesDays * DAY_MS,
    hours: dayStart(nowMs) - retention.hourDays * DAY_MS,
  }
  const expired = files.list().filter(file => file.toMs <= keptFrom[file.kind])
  for (const file of expired) files.deleteFile(file.name)
  return expired.map(file => file.name)
}
