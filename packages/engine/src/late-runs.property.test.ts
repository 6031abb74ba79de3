import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AvailabilityInterval,
  availabilityIntervals,
  type HostHistory,
  type HostStateChange,
} from './availability-intervals.ts'
import { addLateRun, type LateRow, type LateRun } from './late-runs.ts'
import { evaluateMetric } from './metric-evaluation.ts'
import { initialMetricState, type MetricInput, type MetricRule, type MetricState } from './metric-state.ts'
import { NO_THRESHOLDS } from './threshold.ts'

const run = (atMs: number, good: boolean, attempts = 1): LateRun => ({
  atMs,
  good,
  intervalMs: 60,
  staleMs: 180,
  attempts,
})
const keptOf = (runs: readonly LateRun[], from: readonly LateRow[] = []) => runs.reduce(addLateRun, from)
const rowsOf = (runs: readonly LateRun[], from: readonly LateRow[] = []) =>
  keptOf(runs, from).map(({ fromMs, untilMs, good }) => ({ fromMs, untilMs, good }))

describe('runs that came late', () => {
  it('follow each other as rows of one outcome, a silence leaving a hole', () => {
    const runs = [run(0, true), run(60, true), run(120, false), run(140, false), run(200, true), run(900, true)]
    expect(rowsOf(runs)).toEqual([
      { fromMs: 0, untilMs: 120, good: true },
      { fromMs: 120, untilMs: 200, good: false },
      { fromMs: 200, untilMs: 260, good: true },
      { fromMs: 900, untilMs: 960, good: true },
    ])
  })

  it('two runs that are no silence apart are one row, 180 ms are a silence', () => {
    expect(rowsOf([run(0, true), run(179, true)])).toEqual([{ fromMs: 0, untilMs: 239, good: true }])
    expect(rowsOf([run(0, true), run(180, true)])).toHaveLength(2)
  })

  it('the older one may come second: they are one row all the same', () => {
    expect(rowsOf([run(120, true), run(0, true)])).toEqual([{ fromMs: 0, untilMs: 180, good: true }])
    expect(rowsOf([run(120, false), run(0, true)])).toEqual([
      { fromMs: 0, untilMs: 120, good: true },
      { fromMs: 120, untilMs: 180, good: false },
    ])
  })

  it('one that fails within what was good is told, and the rest stays good', () => {
    expect(rowsOf([run(0, true), run(100, true), run(200, true), run(90, false)])).toEqual([
      { fromMs: 0, untilMs: 90, good: true },
      { fromMs: 90, untilMs: 150, good: false },
      { fromMs: 150, untilMs: 260, good: true },
    ])
  })

  const made = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { maxLength: 40 }).map(steps => {
    let at = 0
    return steps.map(([wait, good]) => {
      at += wait
      return run(at, good)
    })
  })

  it('given in order, each moment is that of the last run before it, or a hole after a silence', () => {
    fc.assert(
      fc.property(made, runs => {
        const rows = rowsOf(runs)
        for (const [index, { atMs, good }] of runs.entries()) {
          const next = runs[index + 1]
          const isHole = next === undefined || next.atMs - atMs >= 180
          const end = isHole ? Math.min(atMs + 60, next?.atMs ?? Number.POSITIVE_INFINITY) : next.atMs
          for (const at of [atMs, end - 1]) {
            const row = rows.find(({ fromMs, untilMs }) => fromMs <= at && at < untilMs)
            expect(row?.good).toBe(good)
          }
          if (isHole)
            expect(rows.some(({ fromMs, untilMs }) => fromMs <= end && end < untilMs)).toBe(next?.atMs === end)
        }
      }),
    )
  })

  it('in any order and given twice, rows never overlap, and what is known already changes nothing', () => {
    fc.assert(
      fc.property(made, fc.infiniteStream(fc.nat(1_000)), (runs, picks) => {
        const shuffled = runs
          .map(one => ({ one, at: picks.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one)
        for (const given of [runs, shuffled]) {
          const rows = rowsOf(given)
          for (const [index, row] of rows.entries()) {
            expect(row.untilMs).toBeGreaterThan(row.fromMs)
            expect(row.untilMs).toBeLessThanOrEqual(rows[index + 1]?.fromMs ?? row.untilMs)
          }
        }
        const inOrder = keptOf(runs)
        expect(keptOf(runs, inOrder)).toEqual(inOrder)
      }),
    )
  })

  it('a bad row is believed from the last of its attempts on, in whatever order they came', () => {
    const bad = (runs: readonly LateRun[]) => keptOf(runs).find(({ good }) => !good)
    const three = [60, 120, 180, 240].map(at => run(at, false, 3))
    for (const runs of [three, three.toReversed(), [...three, ...three]])
      expect(bad([run(0, true, 3), ...runs])).toEqual({
        ...{ fromMs: 60, untilMs: 300, good: false, failures: [60, 120, 180], confirmedMs: 180 },
      })
    expect(bad(three.slice(0, 2))).toMatchObject({ failures: [60, 120], confirmedMs: null })
    // One that answers in between begins the count again.
    expect(keptOf([...three, run(150, true, 3)]).map(row => [row.fromMs, row.confirmedMs])).toEqual([
      [60, null],
      [150, undefined],
      [210, null],
    ])
  })

  it('late and live give the same states, with any attempts, over silences, and from whatever was known before', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { maxLength: 40 })
    const before = fc.constantFrom('none', 'available', 'down')
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), before, (made, attempts, known) => {
        const runs: LateRun[] = []
        for (const [wait, good] of made) runs.push(run((runs.at(-1)?.atMs ?? 0) + wait, good, attempts))
        const period = { fromMs: 0, toMs: (runs.at(-1)?.atMs ?? 0) + 100 }
        const told = { period, sinceMs: -1_000, stopped: [], maintenances: [], service: null }
        const first = known === 'none' ? [] : [{ atMs: -100, state: known, flapping: false } as const]
        const silent = { atMs: 0, state: 'unknown', flapping: false } as const
        const late = keptOf(runs).map(({ untilMs, ...row }) => ({ ...row, toMs: untilMs }))
        const cut = (history: Pick<HostHistory, 'changes' | 'late'>) =>
          statesOf(availabilityIntervals({ ...told, ...history }))
        expect(cut({ changes: [...first, silent], late })).toEqual(
          cut({ changes: liveChanges(runs, attempts, known), late: [] }),
        )
      }),
      { numRuns: 500 },
    )
  })
})

/** Neighbours of one reason as one. */
const statesOf = (intervals: readonly AvailabilityInterval[]) => {
  const found: [reason: string, toMs: number][] = []
  for (const { reason, toMs } of intervals) {
    const last = found.at(-1)
    if (last?.[0] === reason) last[1] = toMs
    else found.push([reason, toMs])
  }
  return found
}

const stateOf = ({ hardSeverity }: MetricState) =>
  hardSeverity === 'error' ? 'down' : hardSeverity === 'unknown' ? 'unknown' : 'available'

/** What the same runs make of a host when each is judged as it comes, its probe found silent where late runs have a hole. */
const liveChanges = (runs: readonly LateRun[], attempts: number, known: string): HostHistory['changes'] => {
  const rule: MetricRule = { thresholds: NO_THRESHOLDS, attempts, noData: 'unknown', opensIncident: true }
  let state = initialMetricState(-1_000)
  const changes: HostStateChange[] = []
  const judge = (input: MetricInput, atMs: number): void => {
    state = evaluateMetric(state, input, rule, atMs).state
    changes.push({ atMs, state: stateOf(state), flapping: false })
  }
  const of = (good: boolean): MetricInput =>
    good ? { type: 'value', value: 1 } : { type: 'failed', message: 'ne répond pas' }
  const silence: MetricInput = { type: 'unknown', cause: 'probe-offline' }
  if (known !== 'none') for (let at = -100; at < attempts - 100; at += 1) judge(of(known === 'available'), at)
  judge(silence, 0)
  for (const [index, { atMs, good, intervalMs, staleMs }] of runs.entries()) {
    judge(of(good), atMs)
    const next = runs[index + 1]
    if (next === undefined || next.atMs - atMs >= staleMs) judge(silence, atMs + intervalMs)
  }
  return changes
}
