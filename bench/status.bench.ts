import { join } from 'node:path'
import { statusRoutes } from '@narval/contracts'
import Database from 'better-sqlite3'
import type { ApiClient } from '../e2e/kit/client.ts'
import { quantile, say, timed } from './kit.ts'
import { createFleet, METRICS_PER_HOST } from './kit-fleet.ts'
import { measuredServer } from './kit-server.ts'

/**
 * What states there were, at 1,000 and 10,000 hosts of 11 metrics on a site for every ten: 30 days of hours, the present one,
 * and an hour in which every metric changed, in one millisecond.
 */
type Measured = Awaited<ReturnType<typeof measuredServer>>

const SIZES = [1_000, 10_000]
const ROUNDS = 20
const HOUR_MS = 3_600_000
const DAYS = 30

const nowHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const iso = (ms: number): string => new Date(ms).toISOString()
const CUT_OFF = { from: iso(nowHour - 5 * HOUR_MS), to: iso(nowHour - 4 * HOUR_MS) }

/** A month of hours of each site, and an hour in which everything was cut off. */
const writeMonth = (folder: string): void => {
  const database = new Database(join(folder, 'narval.db'))
  const from = nowHour - DAYS * 24 * HOUR_MS
  database.transaction(() => {
    database.prepare('insert into server_run (started_at, seen_at) values (?, ?)').run(from, nowHour)
    const put =
      database.prepare(`insert or replace into status_hour (site_id, at, error_ms, warning_ms, unknown_ms, ok_ms)
      select id, ?, 3600000, 0, 3600000, 392400000 from site`)
    for (let at = from; at < nowHour; at += HOUR_MS) put.run(at)
    database
      .prepare(`insert or replace into metric_change (metric_id, at, severity_rank, cause, before_rank)
      select id, ?, 2, 'probe-offline', 3 from metric`)
      .run(Date.parse(CUT_OFF.from) + 1_000)
  })()
  database.close()
}

/** By the wall, and the CPU of the server, which a busy machine does not change. */
const sayTimes = async ({ server, inside }: Measured, what: string, work: () => Promise<unknown>): Promise<void> => {
  const times: number[] = []
  await inside.look(server)
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(work))
  const { cpuMs } = await inside.look(server)
  const [p50, p95] = [0.5, 0.95].map(share => quantile(times, share).toFixed(1))
  say(`  ${what}, p50 / p95`, `${p50} / ${p95} ms`, `${(cpuMs / ROUNDS).toFixed(1)} ms of CPU each`)
}
const sayFirst = async ({ server, inside }: Measured, what: string, work: () => Promise<unknown>): Promise<void> => {
  await inside.look(server)
  const ms = await timed(work)
  const { cpuMs, max } = await inside.look(server)
  say(`  ${what}, first`, `${ms.toFixed(0)} ms`, `${cpuMs.toFixed(0)} ms of CPU, longest turn ${max.toFixed(0)} ms`)
}

const hours = (api: ApiClient, days: number) =>
  api.call(statusRoutes.hours, { query: { from: iso(nowHour - days * 24 * HOUR_MS), to: iso(nowHour + HOUR_MS) } })
const present = (api: ApiClient) =>
  api.call(statusRoutes.hours, { query: { from: iso(nowHour), to: iso(nowHour + HOUR_MS) } })
const page = (api: ApiClient) => api.call(statusRoutes.changes.put, { body: { filters: CUT_OFF } })

for (const size of SIZES) {
  const measured = await measuredServer()
  const { server, api, end } = measured
  await createFleet(server, api, size)
  writeMonth(server.folder)
  console.log(`${size} hosts`)
  await sayFirst(measured, '30 days of hours', () => hours(api, DAYS - 1))
  await sayTimes(measured, '30 days of hours, again', () => hours(api, DAYS - 1))
  await sayTimes(measured, '24 hours', () => hours(api, 1))
  await sayTimes(measured, 'the present hour', () => present(api))
  await sayFirst(measured, `the ${size * METRICS_PER_HOST} changes of a cut-off, in groups`, () =>
    api.call(statusRoutes.changeGroups, { query: CUT_OFF }),
  )
  await sayTimes(measured, 'a page of them', () => page(api))
  await end()
}
