import { describe, expect, it } from 'vitest'
import {
  daysOf,
  HOUR_MS,
  highest,
  hoursOf,
  joined,
  roundAbove,
  type StatusColumn,
  shareOf,
  spanOf,
  stackOf,
  unwatchedMs,
} from './status-columns.ts'

const at = (text: string) => Date.parse(text)
const hour = (fromMs: number, sums: Partial<StatusColumn['sums']> = {}, watchedMs = HOUR_MS): StatusColumn => ({
  ...{ fromMs, untilMs: fromMs + HOUR_MS, watchedMs },
  sums: { error: 0, warning: 0, unknown: 0, ok: 0, ...sums },
})
const span = (from: string, hours: number) =>
  Array.from({ length: hours }, (_, index) => hour(at(from) + index * HOUR_MS, { ok: HOUR_MS }))

describe('columns of statuses', () => {
  it('make days of 23 and 25 hours where summer time begins and ends', () => {
    const spring = daysOf(span('2026-03-27T23:00:00Z', 72), 'Europe/Paris')
    expect(spring.map(day => (day.untilMs - day.fromMs) / HOUR_MS)).toEqual([24, 23, 24, 1])
    expect(new Date(spring[1]?.fromMs ?? 0).toISOString()).toBe('2026-03-28T23:00:00.000Z')
    const autumn = daysOf(span('2026-10-23T22:00:00Z', 73), 'Europe/Paris')
    expect(autumn.map(day => day.sums.ok / HOUR_MS)).toEqual([24, 25, 24])
    expect(daysOf(span('2026-03-08T05:00:00Z', 23), 'America/New_York')).toHaveLength(1)
  })

  it('take what is known anew of the last hours', () => {
    const told = (ok: number) => ({
      hour: '2026-11-20T08:00:00.000Z',
      watched: ok,
      error: 0,
      warning: 0,
      unknown: 0,
      ok,
    })
    expect(hoursOf([told(1)], [told(5)]).map(({ sums }) => sums.ok)).toEqual([5])
  })

  it('span whole hours, the present one included', () => {
    const now = at('2026-11-20T14:20:00Z')
    expect(spanOf('24h', now)).toEqual({ fromMs: at('2026-11-19T15:00:00Z'), untilMs: at('2026-11-20T15:00:00Z') })
    const { fromMs, untilMs } = spanOf('30d', now)
    expect(Math.round((untilMs - fromMs) / (24 * HOUR_MS))).toBeGreaterThanOrEqual(29)
    expect(new Date(fromMs).getHours()).toBe(0)
  })

  it('say how long nothing was watched, but not of what is not told yet', () => {
    const start = at('2026-11-20T08:00:00Z')
    expect(unwatchedMs(hour(start, {}, HOUR_MS / 2), start + 2 * HOUR_MS)).toBe(HOUR_MS / 2)
    expect(unwatchedMs(hour(start, {}, 60_000), start + 120_000)).toBe(0)
    expect(unwatchedMs(hour(start, {}, 0), start + 600_000)).toBe(600_000)
    expect(unwatchedMs(hour(start, {}, 0), start - 1)).toBe(0)
  })

  it('never say 100 % good where something was not, nor 0 % of what there was', () => {
    const column = hour(0, { ok: 99_999, error: 1 })
    expect([shareOf(column, 'ok'), shareOf(column, 'error'), shareOf(column, 'warning')]).toEqual([0.999, 0.001, 0])
    expect(shareOf(hour(0, { ok: 5 }), 'ok')).toBe(1)
  })

  it('stand upon each other, worst at the bottom, and what there is some of is seen', () => {
    const column = hour(0, { ok: 50 * HOUR_MS, error: 1 })
    const stack = stackOf(column, ['error', 'warning', 'unknown', 'ok'], 100, 200)
    expect(stack.map(({ severity, height }) => [severity, height])).toEqual([
      ['error', 2],
      ['ok', 100],
    ])
    expect(stack[0]?.y).toBe(198)
    expect(highest([column, joined([column, hour(HOUR_MS)])], ['ok'])).toBe(50)
  })

  it('end at a round figure', () => {
    expect([0, 1, 3, 6, 50, 51, 660, 110_000].map(roundAbove)).toEqual([1, 1, 3, 6, 50, 60, 800, 120_000])
  })
})
