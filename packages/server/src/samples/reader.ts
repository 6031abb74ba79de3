import type { ChunkFiles } from './chunk-files.ts'
import { createRollupTable, type RollupTable } from './codec/rollup-chunk.ts'
import type { LastValues } from './last-values.ts'
import { createSink, normalise } from './merge.ts'
import { createPause } from './pause.ts'
import {
  CHUNK_MS,
  chunkStart,
  DAY_MS,
  dayStart,
  FIVE_MINUTES_A_CHUNK,
  FIVE_MINUTES_A_DAY,
  FIVE_MINUTES_MS,
  HOUR_MS,
  HOURS_A_DAY,
  LATEST_MS,
  slotOf,
} from './periods.ts'
import type { Retention } from './protocol.ts'
import {
  chooseStep,
  createGroups,
  emptySeries,
  type Groups,
  groupRows,
  groupSamples,
  resetGroups,
  seriesOfGroups,
  seriesOfSamples,
} from './regroup.ts'
import { lowerBound, rollUp, rollUpHours } from './rollup.ts'
import type { RangeAnswer, RangeQuery, SampleColumns, SeriesRange } from './sample-store.ts'
import { appendStored, loadRollup, newestStored } from './stored-series.ts'
import type { Newest, Unsealed } from './unsealed.ts'

export interface ReaderParts {
  readonly files: ChunkFiles
  readonly unsealed: Unsealed
  readonly lastValues: LastValues
  readonly forgotten: ReadonlySet<number>
  readonly retention: Retention
}

export interface Reader {
  range(query: RangeQuery, nowMs: number): Promise<RangeAnswer>
  /** One row a series that has any sample. */
  last(series: readonly number[]): Promise<SampleColumns>
}

export const MAX_POINTS = 20_000
/** One answer holds no more points than this in all: 40 bytes each. */
export const MAX_ANSWER_POINTS = 2_000_000

const HOURS_A_CHUNK = 2

/** Answers from chunks and heads together, one sample per series and time. */
export function createReader(parts: ReaderParts): Reader {
  const { files, unsealed, lastValues, forgotten, retention } = parts
  const samples = createSink()
  const fiveMinutes = createRollupTable(FIVE_MINUTES_A_DAY)
  const fresh = createRollupTable(FIVE_MINUTES_A_DAY)
  const hours = createRollupTable(HOURS_A_DAY)

  /** All samples of [from, to) into `samples`; says where they start and end in it. */
  function collect(series: number, fromMs: number, toMs: number): { first: number; end: number } {
    samples.length = 0
    appendStored(files, series, fromMs, toMs, samples)
    if (unsealed.reaches(series, fromMs)) unsealed.read(series, samples)
    normalise(samples)
    return { first: lowerBound(samples, fromMs), end: lowerBound(samples, toMs) }
  }

  /** Starts of the two-hour chunks in which the series has unsealed samples. */
  function unsealedChunks(series: number, fromMs: number, toMs: number): Set<number> {
    const chunks = new Set<number>()
    if (!unsealed.reaches(series, fromMs)) return chunks
    samples.length = 0
    unsealed.read(series, samples)
    for (let i = 0; i < samples.length; i++) {
      const at = samples.at[i] ?? 0
      if (at >= fromMs && at < toMs) chunks.add(chunkStart(at))
    }
    return chunks
  }

  /** Stored rows count no unsealed sample: those two-hour chunks are rolled up again from all their samples. */
  function refresh(series: number, chunkMs: number, kind: 'fiveMinutes' | 'hours', table: RollupTable): void {
    collect(series, chunkMs, chunkMs + CHUNK_MS)
    const dayMs = dayStart(chunkMs)
    const slot = slotOf(chunkMs)
    const from = slot * FIVE_MINUTES_A_CHUNK
    const target = kind === 'fiveMinutes' ? table : fresh
    rollUp(samples, dayMs, from, from + FIVE_MINUTES_A_CHUNK, target)
    if (kind === 'hours') rollUpHours(fresh, slot * HOURS_A_CHUNK, (slot + 1) * HOURS_A_CHUNK, table)
  }

  function groupRollups(
    series: number,
    kind: 'fiveMinutes' | 'hours',
    fromMs: number,
    toMs: number,
    groups: Groups,
  ): void {
    const chunks = unsealedChunks(series, fromMs, toMs)
    const days = new Set([...chunks].map(dayStart))
    for (const span of files.list()) {
      if (span.kind !== kind) continue
      for (let day = Math.max(span.fromMs, dayStart(fromMs)); day < Math.min(span.toMs, toMs); day += DAY_MS)
        days.add(day)
    }
    const table = kind === 'fiveMinutes' ? fiveMinutes : hours
    for (const day of [...days].sort((a, b) => a - b)) {
      loadRollup(files.existing(kind, day), kind, day, series, table)
      for (const chunk of chunks) if (dayStart(chunk) === day) refresh(series, chunk, kind, table)
      groupRows(groups, table, day, fromMs, toMs)
    }
  }

  async function rawRange(query: RangeQuery, stepMs: number): Promise<RangeAnswer> {
    const answer: SeriesRange[] = []
    let total = 0
    const pause = createPause()
    const isWhole = query.resolution === 'raw'
    for (const series of query.series) {
      const { first, end } = forgotten.has(series) ? { first: 0, end: 0 } : collect(series, query.fromMs, query.toMs)
      if (!isWhole && end - first > query.points) return regrouped(query, stepMs)
      total += end - first
      if (total > MAX_ANSWER_POINTS) throw new RangeError(`more than ${MAX_ANSWER_POINTS} samples`)
      answer.push(seriesOfSamples(series, samples, first, end))
      await pause()
    }
    return { stepMs: 0, series: answer }
  }

  async function regrouped(query: RangeQuery, stepMs: number): Promise<RangeAnswer> {
    // Roll-up rows are whole periods: the edges reach out to theirs.
    const width = stepMs >= HOUR_MS ? HOUR_MS : stepMs >= FIVE_MINUTES_MS ? FIVE_MINUTES_MS : 1
    const fromMs = Math.floor(query.fromMs / width) * width
    const toMs = Math.ceil(query.toMs / width) * width
    const groups = createGroups(fromMs, toMs, stepMs)
    const pause = createPause()
    const series: SeriesRange[] = []
    for (const id of query.series) {
      series.push(forgotten.has(id) ? emptySeries(id, 0) : fillGroups(id, query, groups, { width, fromMs, toMs }))
      await pause()
    }
    return { stepMs, series }
  }

  function fillGroups(series: number, query: RangeQuery, groups: Groups, edges: Edges): SeriesRange {
    resetGroups(groups)
    if (edges.width > 1) {
      groupRollups(series, edges.width === HOUR_MS ? 'hours' : 'fiveMinutes', edges.fromMs, edges.toMs, groups)
    } else {
      const { first, end } = collect(series, query.fromMs, query.toMs)
      groupSamples(groups, samples, first, end)
    }
    return seriesOfGroups(series, groups, query.aggregate)
  }

  /** The newest of memory and files; at the same time memory, which the journal wrote later, wins. */
  function newest(series: number): Newest | null {
    if (forgotten.has(series)) return null
    const unsealedNewest = unsealed.newest(series)
    let place = lastValues.find(series)
    if (place < 0) place = lastValues.complete(series, newestStored(files, series, unsealedNewest?.atMs ?? 0, samples))
    const storedAt = lastValues.atMs(place)
    if (unsealedNewest !== null && unsealedNewest.atMs >= storedAt) return unsealedNewest
    return Number.isFinite(storedAt) ? { atMs: storedAt, value: lastValues.value(place) } : null
  }

  async function last(asked: readonly number[]): Promise<SampleColumns> {
    const found: { series: number; newest: Newest }[] = []
    const pause = createPause()
    for (const series of asked) {
      const sample = newest(series)
      if (sample !== null) found.push({ series, newest: sample })
      await pause()
    }
    return {
      series: Int32Array.from(found, row => row.series),
      atMs: Float64Array.from(found, row => row.newest.atMs),
      value: Float64Array.from(found, row => row.newest.value),
    }
  }

  return {
    async range(query, nowMs) {
      const asked = {
        ...query,
        fromMs: Math.max(0, Math.floor(query.fromMs)),
        toMs: Math.min(LATEST_MS, Math.ceil(query.toMs)),
      }
      assertQuery(query)
      if (asked.fromMs >= asked.toMs) return { stepMs: 0, series: query.series.map(series => emptySeries(series, 0)) }
      const stepMs = chooseStep(asked.fromMs, asked.toMs, query.points, finest(asked.fromMs, nowMs, retention))
      return query.resolution === 'raw' || stepMs < FIVE_MINUTES_MS ? rawRange(asked, stepMs) : regrouped(asked, stepMs)
    },
    last,
  }
}

interface Edges {
  /** Of the roll-up rows to read; 1 for samples. */
  readonly width: number
  readonly fromMs: number
  readonly toMs: number
}

function assertQuery({ series, fromMs, toMs, points }: RangeQuery): void {
  if (!Number.isInteger(points) || points < 1 || points > MAX_POINTS)
    throw new RangeError(`points must be 1 … ${MAX_POINTS}`)
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs)) throw new RangeError('the range must be finite')
  if (series.length * points > MAX_ANSWER_POINTS) throw new RangeError(`more than ${MAX_ANSWER_POINTS} points asked`)
}

/** The finest width still kept for the start of a range. */
function finest(fromMs: number, nowMs: number, retention: Retention): number {
  if (fromMs >= nowMs - retention.rawDays * DAY_MS) return 1
  return fromMs >= nowMs - retention.fiveMinutesDays * DAY_MS ? FIVE_MINUTES_MS : HOUR_MS
}
