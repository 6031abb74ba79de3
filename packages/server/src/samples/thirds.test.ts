import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openChunkFiles } from './chunk-files.ts'
import type { EmbeddedCore } from './embedded-core.ts'
import { SampleStoreCorrupt } from './faults.ts'
import { createSink } from './merge.ts'
import { findNewest } from './newest-stored.ts'
import { DAY_MS, HOUR_MS, HOURS_A_MONTH, hoursId, SERIES_SPAN, thirdId } from './periods.ts'
import { DAY_0 } from './sample-store.contract.ts'
import { openTest } from './testing-core.ts'

const ALWAYS_DUE = { sealAfterMs: Number.NEGATIVE_INFINITY }
const KEPT = { ...ALWAYS_DUE, retention: { rawDays: 900, fiveMinutesDays: 900, hourDays: 900 } }
/** The first of the month of DAY_0, and of the two after. */
const [MARCH, APRIL, MAY] = [Date.UTC(2026, 2), Date.UTC(2026, 3), Date.UTC(2026, 4)]
const FILE = 'rollup-1h-2026-03.db'

const hoursOf = async (core: EmbeddedCore, series: number, nowMs = MAY) => {
  const query = { series: [series], fromMs: MARCH, toMs: MAY, points: 61 * 24, aggregate: 'avg' as const }
  const { stepMs, series: found } = await core.reader.range(query, nowMs)
  expect(stepMs).toBe(HOUR_MS)
  return found
}

/** How many days and thirds of the month the file holds of a series. */
const storedRows = (folder: string, series: number): { days: number; thirds: number } => {
  const db = new Database(join(folder, FILE), { readonly: true })
  const ids = db.prepare<[], number>('SELECT id FROM chunk').pluck().all()
  db.close()
  const own = ids.filter(id => id % SERIES_SPAN === series)
  const thirds = own.filter(id => id >= thirdId(0, 0)).length
  return { days: own.length - thirds, thirds }
}

/** Days of the month that have samples: as many files of raw ones. */
const DAYS = [0, 1, 14, 28, 29]
/** On the first of the next month, and a day later. */
const [BEFORE, AFTER] = [
  { days: 2, thirds: 2 },
  { days: 0, thirds: 3 },
]
const march = ({ add }: ReturnType<typeof openTest>, series: number): void => {
  for (const day of DAYS)
    add(
      Array.from({ length: 48 }, (_, i) => [series, DAY_0 + day * DAY_MS + i * 1_800_000, day + i / 10] as const),
      DAY_0 + day * DAY_MS,
    )
}

test('an ended month is three rows a series; what comes late lies over them until the next night', async () => {
  const one = openTest(KEPT)
  march(one, 5)
  march(one, 6)
  await one.core.maintain(APRIL)
  expect(storedRows(one.folder, 5)).toEqual(BEFORE)
  const before = await hoursOf(one.core, 5)
  await one.core.maintain(APRIL + 3 * HOUR_MS)
  expect(storedRows(one.folder, 5)).toEqual(BEFORE)
  await one.core.maintain(APRIL + DAY_MS)
  expect(storedRows(one.folder, 5)).toEqual(AFTER)
  expect(storedRows(one.folder, 6)).toEqual(AFTER)
  expect(await hoursOf(one.core, 5)).toEqual(before)

  one.add([[5, DAY_0 + 60_000, 900]], APRIL)
  for (const nowMs of [APRIL + DAY_MS, APRIL + 2 * DAY_MS]) {
    const [late] = await hoursOf(one.core, 5)
    expect([late?.max[0], late?.count[0], late?.count[1]]).toEqual([900, 3, 2])
    await one.core.maintain(nowMs)
  }
  expect(storedRows(one.folder, 5)).toEqual(AFTER)
  const [late] = await hoursOf(one.core, 5)
  expect([late?.max[0], late?.count[0], late?.count[1]]).toEqual([900, 3, 2])
})

test('the days of a series forgotten are not kept at the next night', async () => {
  const one = openTest(KEPT)
  march(one, 5)
  march(one, 6)
  await one.core.maintain(APRIL)
  one.core.forget([5])
  await one.core.maintain(APRIL + DAY_MS)
  expect([storedRows(one.folder, 5), storedRows(one.folder, 6)]).toEqual([{ days: 0, thirds: 2 }, AFTER])
})

test('R05 a disk that is full while days are merged: nothing is lost, and the next pass does it', async () => {
  const one = openTest({ ...KEPT, failpoints: 'third.before-commit=full:1' })
  march(one, 5)
  await one.core.maintain(MARCH)
  const before = await hoursOf(one.core, 5)
  await one.core.maintain(APRIL + DAY_MS)
  expect(one.core.stats().lastError).not.toBeNull()
  expect(storedRows(one.folder, 5)).toEqual({ days: DAYS.length, thirds: 0 })
  expect(await hoursOf(one.core, 5)).toEqual(before)
  await one.core.maintain(APRIL + DAY_MS)
  expect(one.core.stats().lastError).toBeNull()
  expect(storedRows(one.folder, 5)).toEqual(AFTER)
  expect(await hoursOf(one.core, 5)).toEqual(before)
})

test('R06 a damaged third is refused by its file, never read in silence', async () => {
  const one = openTest(KEPT)
  march(one, 5)
  await one.core.maintain(APRIL)
  await one.core.maintain(APRIL + DAY_MS)
  const db = new Database(join(one.folder, FILE))
  db.exec('UPDATE chunk SET body = substr(body, 1, 20)')
  db.close()
  const refused = await hoursOf(one.core, 5).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SampleStoreCorrupt)
  expect(String(refused)).toContain(FILE)
})

test('R06 a damaged day of hours is said and left as it is, the other thirds are merged', async () => {
  const one = openTest(KEPT)
  march(one, 5)
  await one.core.maintain(MARCH)
  const db = new Database(join(one.folder, FILE))
  db.prepare('UPDATE chunk SET body = substr(body, 1, 20) WHERE id = ?').run(hoursId(30, 5))
  db.close()
  await one.core.maintain(APRIL + DAY_MS)
  expect(one.core.stats().lastError).toContain(FILE)
  expect(storedRows(one.folder, 5)).toEqual(BEFORE)
})

test('a month has room for its hours, and its thirds come after its last day', () => {
  expect(HOURS_A_MONTH).toBe(744)
  expect(thirdId(0, 1)).toBeGreaterThan(hoursId(30, SERIES_SPAN - 1))
  expect(thirdId(2, SERIES_SPAN - 1) + 1).toBe(thirdId(3, 0))
})

test('the newest samples of many series are found with each file opened once, and series that no file has passed over', async () => {
  const one = openTest(KEPT)
  march(one, 5)
  one.add([[7, DAY_0 + HOUR_MS, 1]], APRIL)
  one.add([[7, DAY_0, 2]], APRIL)
  await one.core.maintain(APRIL)
  await one.core.close()
  const files = openChunkFiles(one.folder)
  const opened: number[] = []
  let reads = 0
  const counted = {
    ...files,
    existing: (kind: 'raw' | 'fiveMinutes' | 'hours', dayMs: number) => {
      opened.push(dayMs)
      const file = files.existing(kind, dayMs)
      if (file === undefined) return undefined
      const get = (id: number): Uint8Array | undefined => {
        reads++
        return file.get(id)
      }
      return { ...file, get }
    },
  }
  const told = new Map<number, unknown>()
  const wanted = Array.from({ length: 2_000 }, (_, i) => ({ series: i + 1, sinceMs: 0 }))
  findNewest(counted, wanted, createSink(), (series, newest) => told.set(series, newest))
  files.close()
  expect(opened.length).toBe(DAYS.length)
  expect(reads).toBeLessThan(200)
  expect(told.size).toBe(2_000)
  expect(told.get(5)).toEqual({ atMs: DAY_0 + 29 * DAY_MS + 47 * 1_800_000, value: 29 + 4.7 })
  expect(told.get(7)).toEqual({ atMs: DAY_0 + HOUR_MS, value: 1 })
  expect([...told.values()].filter(newest => newest !== null).length).toBe(2)
})
