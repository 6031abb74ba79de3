import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  LATE_TOLERANCE_MS,
  nextOnGrid,
  type ScheduleRule,
  type ScheduleState,
  scheduleChanged,
  scheduleFinished,
  scheduleNew,
  scheduleRecheck,
  scheduleStarted,
  scheduleTick,
  spreadOffset,
} from './schedule.ts'

const rule: ScheduleRule = { scanner: 7, intervalMs: 60_000, retryIntervalMs: 20_000, attempts: 3 }
const T0 = 1_700_000_000_000
const idle = (dueMs: number): ScheduleState => ({ dueMs, runningSinceMs: null, failuresInRow: 0, again: false })

/** Runs the check at its due time for `runMs` and gives the state after. */
const run = (state: ScheduleState, failed: boolean, runMs = 50): ScheduleState =>
  scheduleFinished(scheduleStarted(state, state.dueMs).state, rule, failed, state.dueMs + runMs).state

describe('spread', () => {
  it.each([100, 10_000])('%i consecutive ids are spread evenly over the interval', count => {
    const slots = Array.from({ length: 20 }, () => 0)
    for (let scanner = 1; scanner <= count; scanner += 1) {
      const slot = Math.floor(spreadOffset(scanner, 60_000) / 3_000)
      slots[slot] = (slots[slot] ?? 0) + 1
    }
    const mean = count / 20
    for (const slot of slots) expect(Math.abs(slot - mean)).toBeLessThan(5 * Math.sqrt(mean) + 1)
  })

  it('an offset is inside the interval, whatever the id', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), fc.integer({ min: 1, max: 86_400_000 }), (id, ms) => {
        const offset = spreadOffset(id, ms)
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThan(ms)
      }),
    )
  })

  it('the next place of the grid is after now and at most one interval away', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1000, max: 1e7 }), fc.nat(1e9), (id, ms, t) => {
        const due = nextOnGrid(id, ms, T0 + t)
        expect(due).toBeGreaterThan(T0 + t)
        expect(due).toBeLessThanOrEqual(T0 + t + ms)
        expect(nextOnGrid(id, ms, due)).toBe(due + ms)
      }),
    )
  })
})

describe('normal interval', () => {
  it('never drifts: after a thousand runs of any length the due time is still on the grid', () => {
    let state = scheduleNew(rule, T0, 60_000)
    for (let n = 0; n < 1000; n += 1) state = run(state, false, (n * 37) % 59_000)
    expect((state.dueMs - spreadOffset(rule.scanner, rule.intervalMs)) % rule.intervalMs).toBe(0)
  })

  it('a new check runs within its window, and within its interval whatever the window', () => {
    expect(scheduleNew(rule, T0, 500).dueMs).toBeLessThan(T0 + 500)
    expect(scheduleNew(rule, T0, 1e9).dueMs).toBe(nextOnGrid(rule.scanner, rule.intervalMs, T0))
  })

  it('starts when due, not before', () => {
    expect(scheduleTick(idle(T0), rule, T0 - 1).events).toEqual([])
    expect(scheduleTick(idle(T0), rule, T0).events).toEqual([{ kind: 'start' }])
  })

  it('never overlaps itself: a check that runs is neither due nor started again', () => {
    const running = scheduleStarted(idle(T0), T0).state
    expect(scheduleTick(running, rule, T0 + 600_000)).toEqual({ state: running, events: [] })
    expect(scheduleStarted(running, T0 + 600_000)).toEqual({ state: running, events: [] })
  })
})

describe('failures', () => {
  it('retries at the retry interval until the attempts are reached, then the grid again', () => {
    const first = run(idle(T0), true)
    expect(first.dueMs).toBe(T0 + 20_000)
    const second = run(first, true)
    expect(second.dueMs).toBe(T0 + 40_000)
    const third = run(second, true)
    expect(third.dueMs).toBe(nextOnGrid(rule.scanner, rule.intervalMs, T0 + 40_050))
    expect(run(third, true).dueMs).toBe(third.dueMs + 60_000)
  })

  it('a success in between starts the attempts anew', () => {
    const recovered = run(run(idle(T0), true), false)
    expect(recovered.failuresInRow).toBe(0)
    expect(run(recovered, true).dueMs).toBe(recovered.dueMs + 20_000)
  })

  it('one attempt means no retry', () => {
    const single = { ...rule, attempts: 1 }
    const after = scheduleFinished(scheduleStarted(idle(T0), T0).state, single, true, T0 + 10).state
    expect(after.dueMs).toBe(nextOnGrid(rule.scanner, rule.intervalMs, T0 + 10))
  })

  it('a run longer than the retry interval is followed at once, not in the past', () => {
    expect(run(idle(T0), true, 30_000).dueMs).toBe(T0 + 30_000)
  })

  it('a retry interval longer than the interval is cut to it', () => {
    const slow = { ...rule, retryIntervalMs: 900_000 }
    const after = scheduleFinished(scheduleStarted(idle(T0), T0).state, slow, true, T0 + 10).state
    expect(after.dueMs).toBe(T0 + 60_000)
  })
})

describe('what could not start in time', () => {
  it('a late start is counted once', () => {
    expect(scheduleStarted(idle(T0), T0 + LATE_TOLERANCE_MS).events).toEqual([])
    expect(scheduleStarted(idle(T0), T0 + LATE_TOLERANCE_MS + 1).events).toEqual([{ kind: 'late', count: 1 }])
  })

  it('after a freeze of several intervals the missed runs are counted and the check goes on at its place', () => {
    const due = nextOnGrid(rule.scanner, rule.intervalMs, T0)
    const { state, events } = scheduleTick(idle(due), rule, due + 150_000)
    expect(events).toEqual([{ kind: 'late', count: 3 }])
    expect(state.dueMs).toBe(due + 180_000)
  })

  it('places of the grid that a long run covers are counted', () => {
    const due = nextOnGrid(rule.scanner, rule.intervalMs, T0)
    const { state, events } = scheduleFinished(scheduleStarted(idle(due), due).state, rule, false, due + 130_000)
    expect(events).toEqual([{ kind: 'late', count: 2 }])
    expect(state.dueMs).toBe(due + 180_000)
  })

  it('every due time is either run or counted, whatever the delays', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200_000), { minLength: 1, maxLength: 40 }), delays => {
        const first = nextOnGrid(rule.scanner, rule.intervalMs, T0)
        let state = idle(first)
        let runs = 0
        let missed = 0
        for (const delay of delays) {
          const now = state.dueMs + delay
          const tick = scheduleTick(state, rule, now)
          state = tick.state
          for (const event of tick.events) {
            if (event.kind === 'late') missed += event.count
            else {
              runs += 1
              state = scheduleFinished(scheduleStarted(state, now).state, rule, false, now).state
            }
          }
        }
        expect(runs + missed).toBe((state.dueMs - first) / rule.intervalMs)
      }),
    )
  })
})

describe('orders and changes', () => {
  it('a recheck runs now and leaves the grid where it was', () => {
    const state = scheduleRecheck(idle(T0 + 50_000), T0)
    expect(state.dueMs).toBe(T0)
    expect(run(state, false).dueMs).toBe(nextOnGrid(rule.scanner, rule.intervalMs, T0 + 50))
  })

  it('a recheck during a run is one more run right after it', () => {
    const running = scheduleRecheck(scheduleStarted(idle(T0), T0).state, T0 + 10)
    const after = scheduleFinished(running, rule, false, T0 + 500).state
    expect(after).toEqual(idle(T0 + 500))
  })

  it('a changed rule does not interrupt the run and is applied right after', () => {
    const running = scheduleStarted(idle(T0), T0).state
    const changed = scheduleChanged(running, { ...rule, intervalMs: 10_000 }, T0 + 5, 100)
    expect(changed.runningSinceMs).toBe(T0)
    expect(scheduleChanged(idle(T0 + 50_000), { ...rule, intervalMs: 10_000 }, T0, 100).dueMs).toBeLessThan(T0 + 100)
  })
})
