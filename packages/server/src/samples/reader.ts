import type { ChunkFiles } from './chunk-files.ts'
import { createRollupTable, type RollupTable } from './codec/rollup-chunk.ts'
import type { LastValues } from './last-values.ts'
import { createSink, normalise } from './merge.ts'
import { findNewest } from './newest-stored.ts'
import { createPause, letOthersWork } from './pause.ts'
import {
  CHUNK_MS,
  chunkStart,
  DAY_MS,
  dayStart,
  FIVE_MINUTES_A_CHUNK,
  FIVE_MINUTES_A_DAY,
  FIVE_MINUTES_MS,
  HOUR_MS,
  HOURS_A_MONTH,
  LATEST_MS,
  monthStart,
  slotOf,
} from './periods.ts'
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
import type { RangeAnswer, RangeQuery, Retention, SampleColumns, SeriesRange } from './sample-store.ts'
import { appendStored, loadMonth, loadRollup } from './stored-series.ts'
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
/** Enough that each file is seldom opened again, few enough that others wait some 50 ms at most. */
const LOOKED_UP_AT_ONCE = 2_000

/** Answers from chunks and heads together, one sample per series and time. */
export function createReader(parts: ReaderParts): Reader {
  const { files, unsealed, lastValues, forgotten, retention } = parts
  const samples = createSink()
  const fiveMinutes = createRollupTable(FIVE_MINUTES_A_DAY)
  const fresh = createRollupTable(FIVE_MINUTES_A_DAY)
  const hours = createRollupTable(HOURS_A_MONTH)

  /** All samples of [from, to) into `samples`; says where they start and end in it. */
  function collect(series: number, fromMs: number, toMs: number): Held {
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
  function refresh(series: number, chunkMs: number, table: RollupTable): void {
    collect(series, chunkMs, chunkMs + CHUNK_MS)
    const from = slotOf(chunkMs) * FIVE_MINUTES_A_CHUNK
    rollUp(samples, dayStart(chunkMs), from, from + FIVE_MINUTES_A_CHUNK, table)
  }

  function groupFiveMinutes(series: number, fromMs: number, toMs: number, groups: Groups): void {
    const chunks = unsealedChunks(series, fromMs, toMs)
    const days = new Set([...chunks].map(dayStart))
    for (const span of files.list()) {
      if (span.kind !== 'fiveMinutes') continue
      for (let day = Math.max(span.fromMs, dayStart(fromMs)); day < Math.min(span.toMs, toMs); day += DAY_MS)
        days.add(day)
    }
    for (const day of ascending(days)) {
      loadRollup(files.existing('fiveMinutes', day), 'fiveMinutes', day, series, fiveMinutes)
      for (const chunk of chunks) if (dayStart(chunk) === day) refresh(series, chunk, fiveMinutes)
      groupRows(groups, fiveMinutes, day, FIVE_MINUTES_MS, fromMs, toMs)
    }
  }

  function groupHours(series: number, fromMs: number, toMs: number, groups: Groups): void {
    const chunks = unsealedChunks(series, fromMs, toMs)
    const months = new Set([...chunks].map(monthStart))
    for (const span of files.list())
      if (span.kind === 'hours' && span.fromMs < toMs && span.toMs > fromMs) months.add(span.fromMs)
    for (const month of ascending(months)) {
      loadMonth(files.existing('hours', month), month, series, fromMs, toMs, hours)
      for (const chunk of chunks) {
        if (monthStart(chunk) !== month) continue
        refresh(series, chunk, fresh)
        const hour = slotOf(chunk) * HOURS_A_CHUNK
        rollUpHours(fresh, hour, hour + HOURS_A_CHUNK, hours, (dayStart(chunk) - month) / HOUR_MS)
      }
      groupRows(groups, hours, month, HOUR_MS, fromMs, toMs)
    }
  }

  async function rawRange(query: RangeQuery, stepMs: number): Promise<RangeAnswer> {
    const answer: SeriesRange[] = []
    let total = 0
    const pause = createPause()
    const isWhole = query.resolution === 'raw'
    for (const series of query.series) {
      const held = forgotten.has(series) ? { first: 0, end: 0 } : collect(series, query.fromMs, query.toMs)
      const { first, end } = held
      if (!isWhole && end - first > query.points) return regrouped(query, stepMs, answer.length === 0 ? held : null)
      total += end - first
      if (total > MAX_ANSWER_POINTS) throw new RangeError(`more than ${MAX_ANSWER_POINTS} samples`)
      answer.push(seriesOfSamples(series, samples, first, end))
      await pause()
    }
    return { stepMs: 0, series: answer }
  }

  /** `held`: where the samples of the first series already are, when these have just been collected. */
  async function regrouped(query: RangeQuery, stepMs: number, held: Held | null = null): Promise<RangeAnswer> {
    // Roll-up rows are whole periods: the edges reach out to theirs.
    const width = stepMs >= HOUR_MS ? HOUR_MS : stepMs >= FIVE_MINUTES_MS ? FIVE_MINUTES_MS : 1
    const fromMs = Math.floor(query.fromMs / width) * width
    const toMs = Math.ceil(query.toMs / width) * width
    const groups = createGroups(fromMs, toMs, stepMs)
    const pause = createPause()
    const series: SeriesRange[] = []
    for (const id of query.series) {
      const edges = { width, fromMs, toMs, held: series.length === 0 ? held : null }
      series.push(forgotten.has(id) ? emptySeries(id, 0) : fillGroups(id, query, groups, edges))
      await pause()
    }
    return { stepMs, series }
  }

  function fillGroups(series: number, query: RangeQuery, groups: Groups, edges: Edges): SeriesRange {
    resetGroups(groups)
    if (edges.width > 1) {
      const group = edges.width === HOUR_MS ? groupHours : groupFiveMinutes
      group(series, edges.fromMs, edges.toMs, groups)
    } else {
      const { first, end } = edges.held ?? collect(series, query.fromMs, query.toMs)
      groupSamples(groups, samples, first, end)
    }
    return seriesOfGroups(series, groups, query.aggregate)
  }

  /** The newest of memory and files; at the same time memory, which the journal wrote later, wins. */
  function newest(series: number): Newest | null {
    if (forgotten.has(series)) return null
    const unsealedNewest = unsealed.newest(series)
    if (lastValues.find(series) < 0) complete([series])
    const place = lastValues.find(series)
    const storedAt = lastValues.atMs(place)
    if (unsealedNewest !== null && unsealedNewest.atMs >= storedAt) return unsealedNewest
    return Number.isFinite(storedAt) ? { atMs: storedAt, value: lastValues.value(place) } : null
  }

  /** Looks the series, ascending, up in the files at one go: were sealing to come between, what it seals would be missed. */
  function complete(series: readonly number[]): void {
    const wanted = series.map(id => ({ series: id, sinceMs: unsealed.newest(id)?.atMs ?? 0 }))
    findNewest(files, wanted, samples, lastValues.complete)
  }

  async function last(asked: readonly number[]): Promise<SampleColumns> {
    const found: { series: number; newest: Newest }[] = []
    const unknown = ascending(new Set(asked.filter(id => lastValues.find(id) < 0 && !forgotten.has(id))))
    for (let from = 0; from < unknown.length; from += LOOKED_UP_AT_ONCE) {
      // Another call may have looked up some of them meanwhile.
      complete(unknown.slice(from, from + LOOKED_UP_AT_ONCE).filter(id => lastValues.find(id) < 0))
      await letOthersWork()
    }
    const pause = createPause()
    for (const series of asked) {
      const sample = newest(series)
      if (sample !== null) found.push({ series, newest: sample })
      // Not awaited each time: among 100,000 series that alone would cost more than finding them.
      const others = pause()
      if (others !== undefined) await others
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

const ascending = (times: Iterable<number>): number[] => [...times].sort((a, b) => a - b)

interface Edges {
  /** Of the roll-up rows to read; 1 for samples. */
  readonly width: number
  readonly fromMs: number
  readonly toMs: number
  readonly held: Held | null
}

/** A part of the samples collected last. */
interface Held {
  readonly first: number
  readonly end: number
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
