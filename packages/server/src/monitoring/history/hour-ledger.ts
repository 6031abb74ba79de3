/** Hours are those of UTC, epoch ms. */
export const HOUR_MS = 3_600_000
export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS

/** A time in which the server is known to have run; beyond the last one nothing is known. */
export interface ServerRun {
  readonly startedMs: number
  readonly seenMs: number
}

/** How long the server ran between two moments. */
export const watchedMs = (runs: readonly ServerRun[], fromMs: number, untilMs: number): number => {
  let total = 0
  for (const { startedMs, seenMs } of runs)
    total += Math.max(0, Math.min(seenMs, untilMs) - Math.max(startedMs, fromMs))
  // Runs overlap when the clock was set back.
  return Math.min(total, Math.max(0, untilMs - fromMs))
}

/** Place of a severity in `SEVERITIES`; null: the metric does not count. */
export type Rank = number | null
/** A figure for each severity, worst first. */
export type ByRank = [number, number, number, number]
const none = (): ByRank => [0, 0, 0, 0]

/** What an hour adds up to, by site: metric-ms in each severity. */
export interface LedgerHour {
  readonly at: number
  readonly watchedMs: number
  readonly sites: ReadonlyMap<number, ByRank>
}

interface SiteHour {
  /** Metrics that came to each severity less those that left it. */
  readonly net: ByRank
  /** The time before each change, for what was; less it, for what is. */
  readonly moment: ByRank
}

export interface HourLedger {
  /** A metric counts from now on, `by` 1, or no more, -1. */
  count(siteId: number, rank: Rank, by: 1 | -1): void
  /** A metric of this site changed at this time; of hours that are closed nothing is kept. */
  move(siteId: number, before: Rank, after: Rank, atMs: number): void
  /** Every open hour until now, the newest first. */
  hours(nowMs: number): LedgerHour[]
  /** Hours before this one are written elsewhere. */
  close(untilMs: number): void
  openFrom(): number
}

/**
 * Metric-time by severity, exact and without looking at any metric: with W(t) the time watched since the start of an hour,
 * what is in a severity at its end counts W(end), each change adds W(at) to what was and takes it from what is. An end is
 * what is now less what changed since. `watched`: time that the server ran between two moments.
 */
export const createHourLedger = (
  openFromMs: number,
  watched: (fromMs: number, untilMs: number) => number,
): HourLedger => {
  const present = new Map<number, ByRank>()
  const changes = new Map<number, Map<number, SiteHour>>()
  let openFrom = openFromMs

  return {
    count: (siteId, rank, by) => add(held(present, siteId, none), rank, by),
    move(siteId, before, after, atMs) {
      const hour = hourOf(atMs)
      held(present, siteId, none)
      if (hour < openFrom) return
      const sites = held(changes, hour, () => new Map<number, SiteHour>())
      const { net, moment } = held(sites, siteId, () => ({ net: none(), moment: none() }))
      const time = watched(hour, atMs)
      add(net, before, -1)
      add(net, after, 1)
      add(moment, before, time)
      add(moment, after, -time)
    },
    hours(nowMs) {
      const counts = new Map([...present].map(([id, own]) => [id, own.slice()]))
      const found: LedgerHour[] = []
      for (let hour = hourOf(nowMs); hour >= openFrom; hour -= HOUR_MS) {
        const own = changes.get(hour)
        const time = watched(hour, Math.min(nowMs, hour + HOUR_MS))
        const sites = new Map<number, ByRank>()
        for (const [id, ends] of counts) {
          const moment = own?.get(id)?.moment
          const sums = none()
          for (const rank of RANKS) sums[rank] = Math.max(0, (ends[rank] ?? 0) * time + (moment?.[rank] ?? 0))
          sites.set(id, sums)
        }
        found.push({ at: hour, watchedMs: time, sites })
        for (const [id, { net }] of own ?? []) {
          const ends = counts.get(id)
          if (ends !== undefined) for (const rank of RANKS) ends[rank] = (ends[rank] ?? 0) - net[rank]
        }
      }
      return found
    },
    close(untilMs) {
      openFrom = Math.max(openFrom, untilMs)
      for (const hour of [...changes.keys()]) if (hour < openFrom) changes.delete(hour)
    },
    openFrom: () => openFrom,
  }
}

const RANKS = [0, 1, 2, 3] as const

const add = (to: ByRank, rank: Rank, by: number): void => {
  if (rank !== null) to[rank] = (to[rank] ?? 0) + by
}

const held = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
