import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { availabilityIntervals, type HostHistory } from './availability-intervals.ts'
import {
  type AvailabilityRules,
  type AvailabilityTotals,
  addAvailability,
  availabilityFigures,
  availabilityTotals,
} from './availability-totals.ts'
import { HOST_STATES } from './host-state.ts'

const moment = fc.integer({ min: -50, max: 250 })
const spanOf = <T extends object>(more: fc.Arbitrary<T>) =>
  fc
    .tuple(moment, fc.integer({ min: 0, max: 80 }), more)
    .map(([fromMs, lengthMs, rest]) => ({ fromMs, toMs: fromMs + lengthMs, ...rest }))
const spans = <T extends object>(more: fc.Arbitrary<T>) => fc.array(spanOf(more), { maxLength: 8 })

const history: fc.Arbitrary<HostHistory> = fc.record({
  period: fc.constant({ fromMs: 0, toMs: 200 }),
  sinceMs: fc.integer({ min: -100, max: 220 }),
  changes: fc.uniqueArray(fc.record({ atMs: moment, state: fc.constantFrom(...HOST_STATES), flapping: fc.boolean() }), {
    selector: ({ atMs }) => atMs,
    maxLength: 12,
  }),
  stopped: spans(fc.constant({})),
  late: spans(fc.record({ good: fc.boolean() })),
  maintenances: spans(fc.record({ id: fc.integer({ min: 1, max: 4 }) })),
  service: fc.option(spans(fc.constant({})), { nil: null }),
})
const rules: fc.Arbitrary<AvailabilityRules> = fc.record({
  maintenance: fc.constantFrom('apart', 'ignored', 'available'),
  unreachable: fc.constantFrom('down', 'apart'),
  unknown: fc.constantFrom('apart', 'down'),
})

const timeOf = ({ outages: _, longestOutageMs: __, ...times }: AvailabilityTotals): number =>
  Object.values(times).reduce((sum, ms) => sum + ms, 0)
const reversed = (one: HostHistory): HostHistory => ({
  ...one,
  changes: one.changes.toReversed(),
  stopped: one.stopped.toReversed(),
  late: one.late.toReversed(),
  maintenances: one.maintenances.toReversed(),
  service: one.service?.toReversed() ?? null,
})

describe('availability of any history', () => {
  it('is cut without holes or overlaps into neighbours that differ, and its times add up to the period', () => {
    fc.assert(
      fc.property(history, rules, (one, by) => {
        const intervals = availabilityIntervals(one, by.maintenance === 'ignored')
        let reached = one.period.fromMs
        for (const { fromMs, toMs } of intervals) {
          expect(fromMs).toBe(reached)
          expect(toMs).toBeGreaterThan(fromMs)
          reached = toMs
        }
        expect(reached).toBe(one.period.toMs)
        expect(timeOf(availabilityTotals(intervals, by))).toBe(200)
      }),
    )
  })

  it('is the same whatever the order of what is known', () => {
    fc.assert(
      fc.property(history, one => {
        expect(availabilityIntervals(reversed(one))).toEqual(availabilityIntervals(one))
      }),
    )
  })

  it('each moment counts by the precedence, told late only where nothing was known', () => {
    const holds = (at: number) => (span: { fromMs: number; toMs: number }) => span.fromMs <= at && at < span.toMs
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 199 }), (one, at) => {
        const found = availabilityIntervals(one).find(holds(at))
        const live = one.changes.filter(({ atMs }) => atMs <= at).toSorted((a, b) => b.atMs - a.atMs)[0]
        const isKnown = !one.stopped.some(holds(at)) && live !== undefined
        const told = one.late.filter(holds(at))
        const state = isKnown ? live.state : 'unknown'
        const filled =
          (state === 'unknown' || state === 'pending') && told.length > 0
            ? told.every(({ good }) => good)
              ? 'available'
              : 'down'
            : state
        const expected =
          at < one.sinceMs || live?.state === 'disabled'
            ? 'not-monitored'
            : one.service !== null && !one.service.some(holds(at))
              ? 'out-of-service'
              : one.maintenances.some(holds(at))
                ? 'maintenance'
                : filled === 'unreachable'
                  ? 'unreachable'
                  : isKnown && live.flapping && (state === 'available' || state === 'down')
                    ? 'flapping'
                    : filled === 'pending'
                      ? 'unknown'
                      : filled
        expect(found?.reason).toBe(expected)
      }),
    )
  })

  it('where two late tellings differ, the bad one counts', () => {
    const one: HostHistory = {
      ...{ period: { fromMs: 0, toMs: 30 }, sinceMs: 0, changes: [], stopped: [], maintenances: [], service: null },
      late: [
        { fromMs: 0, toMs: 20, good: true },
        { fromMs: 10, toMs: 30, good: false },
      ],
    }
    expect(availabilityIntervals(one).map(({ toMs, reason }) => [toMs, reason])).toEqual([
      [10, 'available'],
      [30, 'down'],
    ])
  })

  it('one bad moment never shows 100 %, and of several hosts figures are those of their sum', () => {
    fc.assert(
      fc.property(history, history, rules, (one, other, by) => {
        const [a, b] = [one, other].map(each =>
          availabilityTotals(availabilityIntervals(each, by.maintenance === 'ignored'), by),
        )
        if (a === undefined || b === undefined) throw new Error('two were made')
        const sum = addAvailability(a, b)
        expect(timeOf(sum)).toBe(400)
        expect(sum).toEqual(addAvailability(b, a))
        const { ratio, mttrMs } = availabilityFigures(sum, by)
        if (sum.downMs > 0) {
          expect(ratio).toBeLessThan(1)
          expect(sum.outages).toBeGreaterThan(0)
        }
        if (sum.outages > 0)
          expect(sum.longestOutageMs).toBeGreaterThanOrEqual(mttrMs === null ? 1 : Math.floor(mttrMs))
      }),
    )
  })
})
