import type { DiscoveryRangeInput } from '@narval/contracts'

const HOUR_MS = 3_600_000
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/**
 * When a range is to be gone through next, after an instant (epoch ms), by the clocks of its site; null for one that
 * only people start. Where a clock change leaves its hour out, it is the next hour of that day.
 */
export const nextRunAt = (
  { recurrence, atHour, weekday, enabled }: Pick<DiscoveryRangeInput, 'recurrence' | 'atHour' | 'weekday' | 'enabled'>,
  timeZone: string,
  afterMs: number,
): number | null => {
  if (recurrence === 'manual' || !enabled) return null
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const at = (ms: number): { day: number; hour: number; minute: number } => {
    const parts = format.formatToParts(ms)
    const part = (type: string): string => parts.find(one => one.type === type)?.value ?? ''
    return { day: DAYS.indexOf(part('weekday')) + 1, hour: Number(part('hour')), minute: Number(part('minute')) }
  }
  // Zones are off by quarters of an hour: the first full hour there, then hour by hour for eight days at most.
  let ms = Math.floor(afterMs / 60_000) * 60_000 + 60_000
  while (at(ms).minute !== 0) ms += 60_000
  for (let n = 0, before = at(ms - HOUR_MS); n < 9 * 24; n += 1, ms += HOUR_MS) {
    const now = at(ms)
    const isSkipped = now.hour === (atHour + 1) % 24 && before.hour === (atHour + 23) % 24
    // An hour that comes twice counts once.
    const isThere = now.hour === atHour && before.hour !== atHour
    if ((isThere || isSkipped) && (recurrence === 'daily' || now.day === weekday)) return ms
    before = now
  }
  return null
}
