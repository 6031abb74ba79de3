import type { ChunkFile, ChunkFiles } from './chunk-files.ts'
import { createRollupTable, encodeRollup } from './codec/rollup-chunk.ts'
import type { CompactionParts } from './compaction.ts'
import { SampleStoreCorrupt } from './faults.ts'
import { createPause, letOthersWork } from './pause.ts'
import {
  DAY_MS,
  endDayOfThird,
  firstDayOfThird,
  HOURS_A_DAY,
  HOURS_A_MONTH,
  hoursId,
  SERIES_SPAN,
  SETTLED_MS,
  seriesOfId,
  THIRDS_A_MONTH,
  thirdId,
} from './periods.ts'
import { loadMonth } from './stored-series.ts'

/** Contiguous series share pages: so many are read, then written in one transaction of some 10 ms. */
const GROUP_SERIES = 150
const SHRINK_PAGES = 64

/**
 * Rewrites the days of hours of ended thirds of months as one chunk a third and series, newest first: a year is then read in 36
 * pieces. Works for about `forMs`, other work going on meanwhile; gives true when nothing is left to do. Days that late samples
 * write afterwards lie over their third until the next time. A damaged third is left as it is, and thrown once the others are done.
 */
export async function mergeThirds(
  parts: CompactionParts,
  nowMs: number,
  forMs: number,
  isStopping: () => boolean,
): Promise<boolean> {
  const untilMs = performance.now() + forMs
  const isEnough = (): boolean => isStopping() || performance.now() > untilMs
  let damage: SampleStoreCorrupt | null = null
  for (const third of endedThirds(parts.files, nowMs)) {
    if (isEnough()) return false
    try {
      const isMerged = await mergeThird(parts, third, isEnough)
      if (!isMerged) return false
    } catch (error) {
      if (!(error instanceof SampleStoreCorrupt)) throw error
      damage ??= error
    }
  }
  if (damage !== null) throw damage
  return true
}

function endedThirds(files: ChunkFiles, nowMs: number): Third[] {
  const thirds: Third[] = []
  for (const span of files.list().toReversed()) {
    if (span.kind !== 'hours') continue
    for (let third = THIRDS_A_MONTH - 1; third >= 0; third--) {
      const [firstDay, endDay] = [firstDayOfThird(third), endDayOfThird(third)]
      const endMs = Math.min(span.toMs, span.fromMs + endDay * DAY_MS)
      if (endMs + SETTLED_MS <= nowMs) thirds.push({ monthMs: span.fromMs, third, firstDay, endDay })
    }
  }
  return thirds
}

interface Third {
  readonly monthMs: number
  readonly third: number
  readonly firstDay: number
  /** Exclusive. */
  readonly endDay: number
}

async function mergeThird(parts: CompactionParts, of: Third, isEnough: () => boolean): Promise<boolean> {
  const { files } = parts
  for (let from = 0; ; ) {
    const series = seriesWithDays(files, of, from)
    if (series.length === 0) break
    write(parts, of, await encodeThirds(parts, of, series))
    from = (series.at(-1) ?? from) + 1
    await letOthersWork()
    if (isEnough()) return false
  }
  while (files.existing('hours', of.monthMs)?.shrink(SHRINK_PAGES) === true) {
    await letOthersWork()
    if (isEnough()) return false
  }
  return true
}

/** The next series from one on that have a day of their own in the third, ascending: all those up to the last one given. */
function seriesWithDays(files: ChunkFiles, { monthMs, firstDay, endDay }: Third, from: number): number[] {
  const file = files.existing('hours', monthMs)
  const found = new Set<number>()
  let through = SERIES_SPAN
  for (let day = firstDay; day < endDay; day++) {
    const ids = file?.ids(hoursId(day, from), hoursId(day, SERIES_SPAN), GROUP_SERIES) ?? []
    for (const id of ids) found.add(seriesOfId(id))
    if (ids.length === GROUP_SERIES) through = Math.min(through, seriesOfId(ids.at(-1) ?? 0))
  }
  return [...found].filter(series => series <= through).sort((a, b) => a - b)
}

interface Encoded {
  readonly series: number
  /** Null for nothing: a series forgotten. */
  readonly body: Uint8Array | null
}

const table = createRollupTable(HOURS_A_MONTH)

async function encodeThirds(
  { files, forgotten }: CompactionParts,
  { monthMs, firstDay, endDay }: Third,
  ids: readonly number[],
): Promise<Encoded[]> {
  const thirds: Encoded[] = []
  const pause = createPause()
  const encode = (series: number): Uint8Array | null => {
    // Got anew each time: other work may have had the file closed meanwhile.
    const file = files.existing('hours', monthMs)
    loadMonth(file, monthMs, series, monthMs + firstDay * DAY_MS, monthMs + endDay * DAY_MS, table)
    return encodeRollup(table, firstDay * HOURS_A_DAY, endDay * HOURS_A_DAY)?.slice() ?? null
  }
  for (const series of ids) {
    thirds.push({ series, body: forgotten.has(series) ? null : encode(series) })
    await pause()
  }
  return thirds
}

/** Puts the thirds and takes their days away, in one transaction. */
function write({ files, failpoints }: CompactionParts, of: Third, thirds: readonly Encoded[]): void {
  const file = files.ensure('hours', of.monthMs)
  file.begin()
  try {
    for (const { series, body } of thirds) {
      if (body === null) file.remove(thirdId(of.third, series))
      else file.put(thirdId(of.third, series), body)
    }
    removeDays(file, of, thirds[0]?.series ?? 0, thirds.at(-1)?.series ?? 0)
    failpoints.hit('third.before-commit')
    file.commit()
    failpoints.hit('third.after-commit')
  } catch (error) {
    file.rollback()
    throw error
  }
}

function removeDays(file: ChunkFile, { firstDay, endDay }: Third, first: number, last: number): void {
  for (let day = firstDay; day < endDay; day++) file.removeRange(hoursId(day, first), hoursId(day, last + 1))
}
