import { setImmediate } from 'node:timers/promises'
import { type HostStateName, STATUS_MAX_DAYS, type StatusHour, type StatusSite } from '@narval/contracts'
import { NO_COUNTS, sumCounts, worstOfCounts } from '@narval/engine'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { HostEntry, SiteEntry } from '../../monitoring/fleet/model.ts'
import { serverRuns } from '../../monitoring/history/history.store.ts'
import { type ByRank, HOUR_MS, hourOf, watchedMs } from '../../monitoring/history/hour-ledger.ts'
import { countSite } from '../../monitoring/live.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database, Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { seesHost, seesSome } from '../../store/visible.ts'
import { type StatusWindow, windowOf } from './status-window.ts'

type Hours = ReadonlyMap<number, ByRank>
/** Hours read at once: 4,000 rows of 1,000 sites, some ms. */
const CHUNK_MS = 4 * HOUR_MS
/** Sets of sites of which what was read is kept: hours that are over are the same for all who see the same. */
const MAX_SETS = 16

/** Told where no beginning is asked for. */
const USUAL_HOURS = 24
interface HoursQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly site?: number | undefined
}

/** What there was of each state, hour by hour, and what there is of each, site by site. */
export const createStatusHourService = ({ db }: Database, monitoring: Monitoring) => {
  const { model, history } = monitoring
  const kept = new Map<string, Map<number, Hours>>()
  const keptOf = (siteIds: readonly number[]): Map<number, Hours> => {
    const key = siteIds.join()
    const chunks = kept.get(key) ?? new Map<number, Hours>()
    kept.delete(key)
    kept.set(key, chunks)
    if (kept.size > MAX_SETS) kept.delete(kept.keys().next().value ?? key)
    return chunks
  }

  /** The written hours of a window, read in short turns, once. */
  const written = async ({ fromMs, untilMs, siteIds }: StatusWindow, openMs: number): Promise<Map<number, ByRank>> => {
    const found = new Map<number, ByRank>()
    if (hourOf(fromMs) >= openMs) return found
    const chunks = keptOf(siteIds)
    const isAll = siteIds.length === model.sites.size
    for (let at = Math.floor(fromMs / CHUNK_MS) * CHUNK_MS; at < Math.min(untilMs, openMs); at += CHUNK_MS) {
      let hours = chunks.get(at)
      if (hours === undefined) {
        hours = await readHours(db, at, Math.min(at + CHUNK_MS, openMs), isAll ? null : siteIds)
        if (at + CHUNK_MS <= openMs) chunks.set(at, hours)
        await setImmediate()
      }
      for (const [hour, sums] of hours) found.set(hour, sums)
    }
    return found
  }

  return {
    async hours(viewer: Viewer, query: HoursQuery): Promise<StatusHour[]> {
      const open = new Map(history.openHours().map(hour => [hour.at, hour]))
      const endMs = (open.size === 0 ? hourOf(Date.now()) : Math.max(...open.keys())) + HOUR_MS
      const { to = toIso(endMs), from = toIso(Date.parse(to) - USUAL_HOURS * HOUR_MS), site } = query
      const window = windowOf(model, viewer, { from, to, site }, STATUS_MAX_DAYS * 24)
      const firstMs = hourOf(window.fromMs)
      const openMs = Math.min(window.untilMs, ...open.keys())
      const [over, runs] = await Promise.all([written(window, openMs), serverRuns(db, firstMs)])
      const answer: StatusHour[] = []
      for (let at = firstMs; at < window.untilMs; at += HOUR_MS) {
        const live = open.get(at)
        const sums = live === undefined ? over.get(at) : sumOf(live.sites, window.siteIds)
        const [error, warning, unknown, ok] = (sums ?? [0, 0, 0, 0]).map(Math.round)
        const watched = live === undefined ? watchedMs(runs, at, at + HOUR_MS) : live.watchedMs
        answer.push({
          hour: toIso(at),
          watched,
          error: error ?? 0,
          warning: warning ?? 0,
          unknown: unknown ?? 0,
          ok: ok ?? 0,
        })
      }
      return answer
    },
    sites(viewer: Viewer): StatusSite[] {
      const sees = seesHost(viewer)
      return [...model.sites.values()].filter(seesSome(viewer)).map(site => siteNow(site, sees))
    },
  }
}
export type StatusHourService = ReturnType<typeof createStatusHourService>

const readHours = async (
  db: Db,
  fromMs: number,
  untilMs: number,
  siteIds: readonly number[] | null,
): Promise<Map<number, ByRank>> => {
  if (siteIds?.length === 0) return new Map()
  const ofSites = siteIds === null ? sql`1 = 1` : sql`site_id in (${sql.join(siteIds)})`
  const { rows } = await sql<{ at: number; error: number; warning: number; unknown: number; ok: number }>`select at,
    cast(sum(error_ms) as bigint) as error, cast(sum(warning_ms) as bigint) as warning,
    cast(sum(unknown_ms) as bigint) as unknown, cast(sum(ok_ms) as bigint) as ok from status_hour
    where at >= ${fromMs} and at < ${untilMs} and ${ofSites} group by at`.execute(db)
  return new Map(rows.map(({ at, error, warning, unknown, ok }) => [at, [error, warning, unknown, ok]]))
}

const sumOf = (sites: ReadonlyMap<number, ByRank>, siteIds: readonly number[]): ByRank => {
  const sums: ByRank = [0, 0, 0, 0]
  for (const id of siteIds) {
    const [error, warning, unknown, ok] = sites.get(id) ?? [0, 0, 0, 0]
    sums[0] += error
    sums[1] += warning
    sums[2] += unknown
    sums[3] += ok
  }
  return sums
}

const NO_STATES: Readonly<Record<HostStateName, number>> = {
  ...{ down: 0, unreachable: 0, unknown: 0, pending: 0, available: 0, disabled: 0 },
}

const siteNow = (site: SiteEntry, sees: (host: HostEntry) => boolean): StatusSite => {
  const states = { ...NO_STATES }
  let metrics = NO_COUNTS
  for (const host of site.hosts.values()) {
    if (!sees(host)) continue
    states[host.state] += 1
    if (host.enabled) metrics = sumCounts(metrics, host.counts)
  }
  const { hosts, counts } = countSite(site, sees)
  return {
    ...{ siteId: site.id, siteName: site.name, hosts, counts, states, metrics },
    severity: worstOfCounts(counts) ?? 'ok',
  }
}
