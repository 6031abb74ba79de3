import { join } from 'node:path'
import { fold } from '@narval/contracts'
import { openChunkFiles } from '../packages/server/src/samples/chunk-files.ts'
import { createRollupTable, encodeRollup, type RollupTable } from '../packages/server/src/samples/codec/rollup-chunk.ts'
import { encodeSamples } from '../packages/server/src/samples/codec/sample-chunk.ts'
import { createSink } from '../packages/server/src/samples/merge.ts'
import {
  chunkId,
  DAY_MS,
  endDayOfThird,
  FIVE_MINUTES_A_DAY,
  type FileKind,
  fileName,
  firstDayOfThird,
  HOURS_A_DAY,
  HOURS_A_MONTH,
  MINUTE_MS,
  monthStart,
  THIRDS_A_MONTH,
  thirdId,
  WHOLE_DAY,
} from '../packages/server/src/samples/periods.ts'
import { rollUp, rollUpHours } from '../packages/server/src/samples/rollup.ts'
import { openSqlite } from '../packages/server/src/store/database.ts'
import { insertScannerOnHosts } from '../packages/server/src/store/scanner-creation.ts'

/** A fleet and a year of its samples, written as the store has them once its nights have passed: seconds instead of a year. */
const RAW_DAYS = 90
const YEAR_DAYS = 365
const HOSTS_AT_ONCE = 1_000
const ROWS_AT_ONCE = 5_000

/** What the same host is given again and again: 12 metrics. */
const SCANNERS = [
  { kind: 'ping', name: 'Ping', parameters: {} },
  { kind: 'http', name: 'Site web', parameters: { url: 'http://127.0.0.1/' } },
] as const

/** Hosts at the first site of a server that has been started once and stopped. @returns the ids of all metrics, ascending. */
export const addHosts = async (folder: string, hosts: number): Promise<number[]> => {
  const database = await openSqlite(join(folder, 'narval.db'))
  const nowMs = Date.now()
  await database.db.transaction().execute(async trx => {
    const like = await trx.selectFrom('host').selectAll().limit(1).executeTakeFirstOrThrow()
    for (let from = 0; from < hosts; from += HOSTS_AT_ONCE) {
      const ids: number[] = []
      for (let host = from; host < Math.min(hosts, from + HOSTS_AT_ONCE); host++) {
        const name = `srv-${host}`
        const address = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
        const own = { name, name_folded: fold(name), address, address_folded: address, life_scanner_id: null }
        const { id: _, ...rest } = like
        const row = await trx
          .insertInto('host')
          .values({ ...rest, ...own })
          .returning('id')
          .executeTakeFirstOrThrow()
        ids.push(row.id)
      }
      for (const scanner of SCANNERS) await insertScannerOnHosts(trx, ids, scanner, null, nowMs)
    }
  })
  const rows = await database.db.selectFrom('metric').select('id').orderBy('id').execute()
  await database.close()
  return rows.map(row => row.id)
}

export interface Span {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
}

/** The year up to `endMs`, a midnight: every 5 minutes, then every minute in the last 30 days. */
export const spansOfYear = (endMs: number): Span[] => [
  { fromMs: endMs - YEAR_DAYS * DAY_MS, toMs: endMs - 30 * DAY_MS, stepMs: 5 * MINUTE_MS },
  { fromMs: endMs - 30 * DAY_MS, toMs: endMs, stepMs: MINUTE_MS },
]

/** When the series has its sample of a step, and what it is. */
export const sampleTime = (id: number, stepStartMs: number): number => stepStartMs + (id % 50) * 1_000
export const sampleValue = (id: number, atMs: number): number =>
  Math.round((50 + 30 * Math.sin(atMs / 7_200_000 + id) + noise(id, atMs)) * 1_000) / 1_000
const noise = (id: number, atMs: number): number =>
  ((Math.imul(Math.floor(atMs / 1_000) ^ id, 2_654_435_761) >>> 0) % 4_000) / 1_000

interface Row {
  readonly kind: FileKind
  readonly dayMs: number
  readonly id: number
  readonly body: Uint8Array
}
type Files = ReturnType<typeof openChunkFiles>

/**
 * Fills an empty store: `read` with their own year, each other series with a copy of what one of those has in hours and in its
 * last day of samples, so that files are as large as they are with all of them. @returns how many rows.
 */
export const fillStore = (folder: string, ids: readonly number[], read: readonly number[], endMs: number): number => {
  const files = openChunkFiles(join(folder, 'samples'))
  const years = read.map(series => ({ series, rows: yearOf(series, endMs) }))
  let count = 0
  for (const rows of Map.groupBy(
    years.flatMap(year => year.rows),
    row => fileName(row.kind, row.dayMs),
  ).values())
    count += putRows(files, rows)
  const copied = years.map(({ series, rows }) => ({
    series,
    rows: rows.filter(row => row.kind === 'hours' || (row.kind === 'raw' && row.dayMs === endMs - DAY_MS)),
  }))
  const own = new Set(read)
  const others = ids.filter(id => !own.has(id))
  for (let place = 0; place < (copied[0]?.rows.length ?? 0); place++) {
    const copies: Row[] = []
    for (const [i, series] of others.entries()) {
      const from = copied[i % copied.length]
      const row = from?.rows[place]
      if (from === undefined || row === undefined) throw new Error('years of different lengths')
      copies.push({ ...row, id: row.id - from.series + series })
    }
    count += putRows(files, copies)
  }
  files.close()
  return count
}

/** Rows of one file. */
const putRows = (files: Files, rows: readonly Row[]): number => {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    const file = files.ensure(some[0]?.kind ?? 'raw', some[0]?.dayMs ?? 0)
    file.begin()
    for (const { id, body } of some) file.put(id, body)
    file.commit()
  }
  return rows.length
}

/** All the rows of one series: days of samples and of 5 minutes, ended months of hours, days of hours of the last one. */
const yearOf = (series: number, endMs: number): Row[] => {
  const rows: Row[] = []
  const sink = createSink()
  const five = createRollupTable(FIVE_MINUTES_A_DAY)
  const day = createRollupTable(HOURS_A_DAY)
  const month = createRollupTable(HOURS_A_MONTH)
  const put = (kind: FileKind, dayMs: number, id: number, body: Uint8Array | null): void => {
    if (body !== null) rows.push({ kind, dayMs, id, body: body.slice() })
  }
  for (const { fromMs, toMs, stepMs } of spansOfYear(endMs))
    for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
      sink.length = 0
      for (let at = dayMs; at < dayMs + DAY_MS; at += stepMs) {
        sink.at[sink.length] = sampleTime(series, at)
        sink.value[sink.length++] = sampleValue(series, at)
      }
      const id = (kind: FileKind): number => chunkId(kind, dayMs, WHOLE_DAY, series)
      if (dayMs >= endMs - RAW_DAYS * DAY_MS)
        put('raw', dayMs, id('raw'), encodeSamples(sink.at, sink.value, sink.length))
      rollUp(sink, dayMs, 0, FIVE_MINUTES_A_DAY, five)
      put('fiveMinutes', dayMs, id('fiveMinutes'), encodeRollup(five, 0, FIVE_MINUTES_A_DAY))
      rollUpHours(five, 0, HOURS_A_DAY, day)
      const dayOfMonth = (dayMs - monthStart(dayMs)) / DAY_MS
      const third = Math.min(THIRDS_A_MONTH - 1, Math.floor(dayOfMonth / 10))
      const [first, end] = [firstDayOfThird(third), endDayOfThird(third)]
      copyRows(day, month, dayOfMonth * HOURS_A_DAY)
      // A third that has not ended is still in days.
      const isLast = dayOfMonth + 1 === end || monthStart(dayMs + DAY_MS) !== monthStart(dayMs)
      const endsAt = monthStart(dayMs) + end * DAY_MS
      if (Math.min(endsAt, monthStart(monthStart(dayMs) + 32 * DAY_MS)) >= endMs) {
        put('hours', dayMs, id('hours'), encodeRollup(day, 0, HOURS_A_DAY))
        continue
      }
      if (!isLast) continue
      put('hours', dayMs, thirdId(third, series), encodeRollup(month, first * HOURS_A_DAY, end * HOURS_A_DAY))
      month.count.fill(0)
    }
  return rows
}

const copyRows = (from: RollupTable, to: RollupTable, row: number): void => {
  for (const column of ['count', 'min', 'max', 'sum', 'last'] as const) to[column].set(from[column], row)
}
