import { describe, expect, it } from 'vitest'
import { availabilityIntervals, type HostHistory } from './availability-intervals.ts'
import {
  type AvailabilityRules,
  availabilityFigures,
  availabilityTotals,
  DEFAULT_AVAILABILITY_RULES,
} from './availability-totals.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SUMMER_TIME = Date.UTC(2026, 2, 29, 1)

/** An instant of March 2026 by the clocks of Paris: an hour ahead of UTC, two from the 29th at 02:00 (then 03:00) on. */
const paris = (day: number, time: string): number => {
  const wall = Date.UTC(2026, 2, day, Number(time.slice(0, 2)), Number(time.slice(3)))
  return wall - HOUR < SUMMER_TIME ? wall - HOUR : wall - 2 * HOUR
}
const span = (day: number, from: string, to: string, toDay = day) => ({
  fromMs: paris(day, from),
  toMs: paris(toDay, to),
})

/** Monday to Friday 08:00 – 18:00, and Sundays 00:00 – 06:00: the 29th of these nights has five hours. */
const SERVICE = Array.from({ length: 31 }, (_, index) => index + 1).flatMap(day => {
  const weekDay = day % 7
  if (weekDay === 1) return [span(day, '00:00', '06:00')]
  return weekDay === 0 ? [] : [span(day, '08:00', '18:00')]
})

const change = (day: number, time: string, state: HostHistory['changes'][number]['state'], flapping = false) => ({
  ...{ atMs: paris(day, time), state, flapping },
})

const MONTH: HostHistory = {
  period: { fromMs: paris(1, '00:00'), toMs: Date.UTC(2026, 2, 31, 22) },
  sinceMs: paris(4, '12:00'),
  changes: [
    change(4, '12:00', 'pending'),
    change(4, '12:10', 'available'),
    // In maintenance until 12:30: half an hour counts.
    change(10, '10:15', 'down'),
    change(10, '13:00', 'available'),
    // Over a weekend: 30 min of Friday, the 6 h of Sunday, 20 min of Monday, one outage.
    change(13, '17:30', 'down'),
    change(16, '08:20', 'available'),
    change(18, '09:00', 'unreachable'),
    change(18, '09:45', 'available'),
    change(19, '14:00', 'available', true),
    change(19, '14:30', 'down', true),
    change(19, '14:40', 'available', true),
    change(19, '15:30', 'available'),
    // The probe away: what it told afterwards is below.
    change(20, '08:00', 'unknown'),
    change(20, '14:00', 'available'),
    change(29, '04:30', 'down'),
    change(29, '05:00', 'available'),
  ],
  stopped: [span(29, '01:00', '04:00')],
  late: [
    { ...span(20, '08:00', '10:00'), good: true },
    { ...span(20, '10:00', '10:30'), good: false },
    { ...span(20, '12:00', '15:00'), good: true },
    { ...span(29, '03:30', '04:00'), good: true },
    // Told of a time that was known: overrides nothing.
    { ...span(24, '09:00', '10:00'), good: false },
  ],
  maintenances: [
    { id: 1, ...span(10, '08:00', '11:00') },
    { id: 2, ...span(10, '10:00', '12:30') },
    { id: 3, ...span(14, '00:00', '23:00') },
  ],
  service: SERVICE,
}

const figuresOf = (over: Partial<AvailabilityRules> = {}, history: HostHistory = MONTH) => {
  const rules = { ...DEFAULT_AVAILABILITY_RULES, ...over }
  const totals = availabilityTotals(availabilityIntervals(history, rules.maintenance === 'ignored'), rules)
  return { ...totals, ...availabilityFigures(totals, rules) }
}

describe('March 2026 in Paris, computed by hand', () => {
  it('has 743 hours, 249 of them in service, each of which counts as one thing', () => {
    expect(MONTH.period.toMs - MONTH.period.fromMs).toBe(743 * HOUR)
    const service = SERVICE.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
    expect(service).toBe(249 * HOUR)
    expect(figuresOf()).toEqual({
      availableMs: 12_045 * MINUTE,
      downMs: 500 * MINUTE,
      unreachableMs: 45 * MINUTE,
      flappingMs: 90 * MINUTE,
      unknownMs: 190 * MINUTE,
      maintenanceMs: 270 * MINUTE,
      outOfServiceMs: 440 * HOUR,
      notMonitoredMs: 84 * HOUR,
      outages: 5,
      longestOutageMs: 410 * MINUTE,
      ratio: 0.95671,
      mttrMs: 109 * MINUTE,
      mtbfMs: 2_409 * MINUTE,
    })
  })

  it('comes to other figures by other rules, as computed by hand', () => {
    expect(figuresOf({ maintenance: 'available' })).toMatchObject({ ratio: 0.95762, maintenanceMs: 270 * MINUTE })
    expect(figuresOf({ maintenance: 'ignored' })).toMatchObject({
      ...{ ratio: 0.94712, maintenanceMs: 0, downMs: 635 * MINUTE, outages: 5, longestOutageMs: 410 * MINUTE },
    })
    expect(figuresOf({ unreachable: 'apart' })).toMatchObject({ ratio: 0.96014, outages: 4, mttrMs: 125 * MINUTE })
    expect(figuresOf({ unknown: 'down' })).toMatchObject({ ratio: 0.94248, outages: 7, mttrMs: 105 * MINUTE })
  })

  it('without service hours, each hour that it was monitored counts, the night of 23 hours too', () => {
    const all = figuresOf({}, { ...MONTH, service: null })
    expect(all).toMatchObject({
      ...{ outOfServiceMs: 0, notMonitoredMs: 84 * HOUR, maintenanceMs: 27.5 * HOUR, outages: 5 },
      // Friday 17:30 – Saturday 00:00, Saturday 23:00 – Monday 08:20: the maintenance of Saturday lies in it.
      longestOutageMs: 6.5 * HOUR + 33 * HOUR + 20 * MINUTE,
    })
    const times = Object.entries(all).filter(([name]) => /^(?!longest|mt).*Ms$/.test(name))
    expect(times.reduce((sum, [, ms]) => sum + (ms ?? 0), 0)).toBe(743 * HOUR)
  })

  it('opens down to its intervals: where each figure comes from, and how it was known', () => {
    const intervals = availabilityIntervals(MONTH)
    const of = (day: number) => {
      const [from, to] = [paris(day, '00:00'), paris(day + 1, '00:00')]
      return intervals
        .filter(({ fromMs, toMs }) => fromMs < to && toMs > from)
        .map(({ reason, state, source, maintenances }) => [reason, state, source, maintenances.join()].join(' ').trim())
    }
    expect(of(10)).toEqual([
      'out-of-service available live',
      'maintenance available live 1',
      'maintenance available live 1,2',
      'maintenance down live 1,2',
      'maintenance down live 2',
      'down down live',
      'available available live',
      'out-of-service available live',
    ])
    expect(of(20)).toEqual([
      'out-of-service available live',
      'available available late',
      'down down late',
      'unknown unknown live',
      'available available late',
      'available available live',
      'out-of-service available live',
    ])
    expect(of(29)).toEqual([
      'available available live',
      'unknown unknown stopped',
      'available available late',
      'available available live',
      'down down live',
      'available available live',
      'out-of-service available live',
    ])
  })
})
