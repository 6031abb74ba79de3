import type { CheckResult, ProbeCheck } from '@narval/contracts'
import { nextOnGrid } from '@narval/engine/schedule'
import { describe, expect, it } from 'vitest'
import type { CheckContext } from './checks/check.ts'
import { createRegistry, type RegisteredChecks } from './checks/registry.ts'
import type { Clock } from './clock.ts'
import { type CheckOutcome, failed } from './failure.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

const T0 = 1_700_000_000_000

/** A clock that moves only when told, and runs what falls due on the way. */
const createTestClock = () => {
  let nowMs = T0
  let wallAheadMs = 0
  let timers: { atMs: number; callback: () => void }[] = []
  const settle = async () => {
    for (let n = 0; n < 6; n += 1) await Promise.resolve()
  }
  const clock: Clock = {
    steadyMs: () => nowMs,
    wallMs: () => nowMs + wallAheadMs,
    after: (delayMs, callback) => {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter(one => one !== timer)
      }
    },
  }
  const advance = async (ms: number) => {
    const endMs = nowMs + ms
    await settle()
    for (;;) {
      const next = timers.filter(one => one.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      timers = timers.filter(one => one !== next)
      nowMs = Math.max(nowMs, next.atMs)
      next.callback()
      await settle()
    }
    nowMs = endMs
  }
  /** Time passes without a timer running: the process was frozen. */
  const freeze = (ms: number) => {
    nowMs += ms
  }
  /** Somebody sets the wall clock. */
  const setAhead = (ms: number) => {
    wallAheadMs = ms
  }
  return { clock, advance, freeze, setAhead, timers: () => timers.length }
}

const context: CheckContext = {
  onStop: () => () => undefined,
  vetting: { refusal: () => null },
  resolver: { resolve: async address => ({ address, failure: null }) },
  pinger: null,
  fping: null,
  nowMs: () => 0,
}
const check = (scanner: number, more: Partial<ProbeCheck> = {}): ProbeCheck => ({
  scanner,
  kind: 'tcp',
  address: '10.0.0.1',
  intervalMs: 60_000,
  retryIntervalMs: 20_000,
  attempts: 3,
  timeoutMs: 2_000,
  parameters: { port: 80 },
  loopback: false,
  ...more,
})

const setUp = (
  run: (check: ProbeCheck, clock: Clock) => Promise<CheckOutcome> = async () => ok,
  concurrency = 10_000,
) => {
  const test = createTestClock()
  const results: CheckResult[] = []
  const starts: { scanner: number; atMs: number }[] = []
  const one = {
    concurrency,
    run: (due: ProbeCheck) => {
      starts.push({ scanner: due.scanner, atMs: test.clock.steadyMs() })
      return run(due, test.clock)
    },
  }
  const registry: RegisteredChecks = { ...createRegistry(), ping: one, tcp: one, http: one, system: one }
  const scheduler: Scheduler = createScheduler({
    clock: test.clock,
    registry,
    context,
    onResult: result => results.push(result),
  })
  return { ...test, scheduler, results, starts }
}
const ok: CheckOutcome = { values: { connect_time: 1 }, failure: null }
const lasting =
  (ms: number, outcome: CheckOutcome = ok) =>
  (_: ProbeCheck, clock: Clock) =>
    new Promise<CheckOutcome>(resolve => clock.after(ms, () => resolve(outcome)))

describe('schedule', () => {
  it('each check runs once an interval, on its grid, spread over it', async () => {
    const { scheduler, advance, starts } = setUp()
    scheduler.configure(Array.from({ length: 6_000 }, (_, n) => check(n + 1)))
    await advance(60_000)
    starts.length = 0
    await advance(600_000)
    expect(starts.length).toBe(60_000)
    const perSecond = Array.from({ length: 600 }, () => 0)
    for (const { atMs } of starts) {
      const second = Math.floor((atMs - T0 - 60_000) / 1_000)
      perSecond[second] = (perSecond[second] ?? 0) + 1
    }
    expect(Math.max(...perSecond)).toBeLessThan(150)
    expect(scheduler.stats().late).toBe(0)
  })

  it('a few new checks run almost at once', async () => {
    const { scheduler, advance, starts } = setUp()
    scheduler.configure([check(1), check(2), check(3)])
    await advance(100)
    expect(starts.map(start => start.scanner).sort()).toEqual([1, 2, 3])
  })

  it('failures are retried at the retry interval up to the attempts, then at the interval', async () => {
    const { scheduler, advance, starts } = setUp(async () => failed('refused', 'refusée'))
    scheduler.configure([check(1)])
    await advance(200_000)
    const times = starts.map(start => start.atMs)
    const [first = 0] = times
    expect(times.slice(1, 3)).toEqual([first + 20_000, first + 40_000])
    const grid = nextOnGrid(1, 60_000, first + 40_000)
    expect(times[3]).toBe(Math.ceil(grid))
    expect(times[4]).toBe(Math.ceil(grid + 60_000))
  })

  it('one timer is armed whatever the number of checks', async () => {
    const { scheduler, timers } = setUp()
    scheduler.configure(Array.from({ length: 10_000 }, (_, n) => check(n + 1)))
    expect(timers()).toBe(1)
  })
})

describe('R25: the wall clock is set', () => {
  it('10 min either way in the middle of runs: durations and intervals are as before, results bear the new time', async () => {
    const { scheduler, advance, setAhead, starts, results } = setUp(lasting(1_500))
    scheduler.configure([check(1)])
    await advance(60_000)
    for (const ahead of [600_000, -600_000, 0]) {
      starts.length = results.length = 0
      while (starts.length === 0) await advance(500)
      setAhead(ahead)
      await advance(119_000)
      expect(starts.length).toBe(2)
      expect((starts[1]?.atMs ?? 0) - (starts[0]?.atMs ?? 0)).toBe(60_000)
      expect(results.map(result => result.durationMs)).toEqual([1_500, 1_500])
      expect(results.map(result => result.at)).toEqual(starts.map(({ atMs }) => atMs + 1_500 + ahead))
    }
    expect(scheduler.stats().late).toBe(0)
  })
})

describe('bounds', () => {
  it('never more runs at once than the kind allows; those that wait are counted late, and none is starved', async () => {
    let [atOnce, most] = [0, 0]
    const { scheduler, advance, starts } = setUp(async (due, clock) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      const outcome = await lasting(1_500)(due, clock)
      atOnce -= 1
      return outcome
    }, 2)
    scheduler.configure(Array.from({ length: 20 }, (_, n) => check(n + 1, { intervalMs: 10_000 })))
    await advance(120_000)
    expect(most).toBe(2)
    expect(scheduler.stats().late).toBeGreaterThan(0)
    const byScanner = Map.groupBy(starts, start => start.scanner)
    expect(byScanner.size).toBe(20)
    const counts = [...byScanner.values()].map(list => list.length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  it('a check never overlaps itself, and the places that it covers are counted late', async () => {
    const { scheduler, advance, starts } = setUp(lasting(2_500))
    scheduler.configure([check(1, { intervalMs: 1_000 })])
    await advance(20_000)
    for (let n = 1; n < starts.length; n += 1) {
      expect((starts[n]?.atMs ?? 0) - (starts[n - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(2_500)
    }
    expect(scheduler.stats().late).toBeGreaterThanOrEqual(12)
  })

  it('a runner that never ends is given up after its time limit, and one that throws is a failed check', async () => {
    const { scheduler, advance, results } = setUp(due =>
      due.scanner === 1 ? new Promise(() => undefined) : Promise.reject(new Error('oh')),
    )
    scheduler.configure([check(1), check(2)])
    await advance(8_000)
    expect(results.map(result => result.failure?.code)).toEqual(['internal', 'internal'])
  })

  it('R24: after a freeze of minutes the missed runs are counted and do not all start at once', async () => {
    const { scheduler, advance, freeze, starts } = setUp()
    scheduler.configure(Array.from({ length: 1_000 }, (_, n) => check(n + 1)))
    await advance(60_000)
    freeze(180_000)
    starts.length = 0
    await advance(500)
    expect(starts.length).toBeLessThan(100)
    expect(scheduler.stats().late).toBeGreaterThanOrEqual(2_900)
    await advance(60_000)
    expect(new Set(starts.map(start => start.scanner)).size).toBe(1_000)
  })
})

describe('changes and orders', () => {
  it('a new configuration does not disturb unchanged checks, and drops removed ones', async () => {
    const { scheduler, advance, starts } = setUp()
    scheduler.configure([check(1), check(2)])
    await advance(120_000)
    const before = starts.filter(start => start.scanner === 1).map(start => start.atMs)
    scheduler.configure([check(1), check(3)])
    await advance(120_000)
    const after = starts.filter(start => start.scanner === 1).map(start => start.atMs)
    const last = before.at(-1) ?? 0
    expect(after.slice(before.length)).toEqual([last + 60_000, last + 120_000])
    expect(starts.filter(start => start.scanner === 2 && start.atMs > T0 + 120_000)).toEqual([])
    expect(starts.some(start => start.scanner === 3)).toBe(true)
  })

  it('a changed check runs soon with its new parameters, and the result of the old ones is not kept', async () => {
    const { scheduler, advance, results } = setUp(async (due, clock) => {
      await lasting(1_000)(due, clock)
      return { values: { port: Number(due.parameters.port) }, failure: null }
    })
    scheduler.configure([check(1)])
    await advance(500)
    scheduler.configure([check(1, { parameters: { port: 81 } })])
    await advance(5_000)
    expect(results.length).toBeGreaterThan(0)
    for (const result of results) expect(result.values).toEqual({ port: 81 })
  })

  it('a recheck runs at once, once, and the grid stays', async () => {
    const { scheduler, advance, starts } = setUp()
    scheduler.configure([check(1)])
    await advance(60_000)
    const due = nextOnGrid(1, 60_000, T0 + 60_000)
    starts.length = 0
    scheduler.recheck([1, 99])
    await advance(0)
    expect(starts).toEqual([{ scanner: 1, atMs: T0 + 60_000 }])
    await advance(60_000)
    expect(starts[1]?.atMs).toBe(due)
    expect(starts.length).toBe(2)
  })

  it('nothing starts and no result comes after the stop', async () => {
    const { scheduler, advance, starts, results } = setUp(lasting(100))
    scheduler.configure([check(1)])
    await advance(50)
    scheduler.stop()
    await advance(600_000)
    expect(starts.length).toBe(1)
    expect(results).toEqual([])
  })

  it('values that are not finite are not kept', async () => {
    const { scheduler, advance, results } = setUp(async () => ({ values: { a: Number.NaN, b: 1 }, failure: null }))
    scheduler.configure([check(1)])
    await advance(100)
    expect(results[0]?.values).toEqual({ b: 1 })
  })
})
