import { hoursOn, type OpeningRange, type SiteService, siteHoliday } from '@narval/contracts'
import type { MaintenanceSpan } from '@narval/engine'
import { instantOf, wallOf } from '../../store/wall-time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * When a site is in service within a period, on the clocks of its zone: a night that a change of time shortens or lengthens
 * counts as long as it lasted. Null: at any time. In order, those that touch joined. `holidays`: what it does on those of its
 * region.
 */
export const serviceSpans = (
  ranges: readonly OpeningRange[],
  timeZone: string,
  { fromMs, toMs }: MaintenanceSpan,
  holidays: Pick<SiteService, 'holidays' | 'region'> = NO_HOLIDAYS,
): MaintenanceSpan[] | null => {
  const site = { openingHours: ranges, ...holidays }
  if (ranges.length === 0 && (site.holidays === null || site.region === null)) return null
  const spans: { fromMs: number; toMs: number }[] = []
  for (let day = dayOf(wallOf(fromMs, timeZone)); instantOf(day, timeZone) < toMs; day += DAY_MS) {
    const instant = instantsOf(day, timeZone)
    const date = new Date(day)
    const holiday = siteHoliday(site, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
    const open = hoursOn(site, date.getUTCDay() || 7, holiday !== null)
    for (const { from, to } of open.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
      const start = Math.max(instant(minutesOf(from)), fromMs)
      const end = Math.min(instant(minutesOf(to)), toMs)
      if (end <= start) continue
      const last = spans.at(-1)
      if (last !== undefined && start <= last.toMs) last.toMs = Math.max(last.toMs, end)
      else spans.push({ fromMs: start, toMs: end })
    }
  }
  return spans
}

const NO_HOLIDAYS = { holidays: null, region: null }

const dayOf = (wallMs: number): number => Math.floor(wallMs / DAY_MS) * DAY_MS
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The instants of a day by its minutes on the clocks; a day of 24 hours needs no clock for each. */
const instantsOf = (day: number, timeZone: string): ((minute: number) => number) => {
  const start = instantOf(day, timeZone)
  if (instantOf(day + DAY_MS, timeZone) - start === DAY_MS) return minute => start + minute * MINUTE_MS
  return minute => firstAt(day + minute * MINUTE_MS, timeZone)
}

/** The first instant at which the clocks show this time or a later one: where they leave it out, the one at which they jump. */
const firstAt = (wallMs: number, timeZone: string): number => {
  const found = instantOf(wallMs, timeZone)
  const leftOutMs = wallOf(found, timeZone) - wallMs
  if (leftOutMs <= 0) return found
  let [before, after] = [found - leftOutMs, found]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (wallOf(middle, timeZone) >= wallMs) after = middle
    else before = middle
  }
  return after
}
