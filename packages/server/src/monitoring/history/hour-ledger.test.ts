import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHourLedger, HOUR_MS, hourOf, type Rank, type ServerRun, watchedMs } from './hour-ledger.ts'

const DAY = Date.parse('2026-11-20T00:00:00Z')
const MINUTE = 60_000

describe('time watched', () => {
  it('is what runs of the server cover, once where they overlap', () => {
    const runs = [
      { startedMs: DAY, seenMs: DAY + 10 * MINUTE },
      { startedMs: DAY + 20 * MINUTE, seenMs: DAY + 90 * MINUTE },
    ]
    expect(watchedMs(runs, DAY, DAY + HOUR_MS)).toBe(50 * MINUTE)
    expect(watchedMs(runs, DAY + HOUR_MS, DAY + 2 * HOUR_MS)).toBe(30 * MINUTE)
    expect(watchedMs([...runs, { startedMs: DAY, seenMs: DAY + HOUR_MS }], DAY, DAY + HOUR_MS)).toBe(HOUR_MS)
  })
})

describe('the hours', () => {
  it('have each metric in what it was, to the millisecond', () => {
    const ledger = createHourLedger(DAY, (from, until) => until - from)
    ledger.count(1, 3, 1)
    ledger.move(1, 3, 0, DAY + 10 * MINUTE)
    ledger.count(1, 3, -1)
    ledger.count(1, 0, 1)
    const [now, before] = ledger.hours(DAY + HOUR_MS + MINUTE)
    expect([before?.at, before?.sites.get(1)]).toEqual([DAY, [50 * MINUTE, 0, 0, 10 * MINUTE]])
    expect(now?.sites.get(1)).toEqual([MINUTE, 0, 0, 0])
    ledger.close(DAY + HOUR_MS)
    expect(ledger.hours(DAY + HOUR_MS + MINUTE)).toHaveLength(1)
  })

  it('are what looking at every metric at every moment adds up to, whatever changes, in whatever order it comes', () => {
    const [STEPS, STEP] = [3 * 60, MINUTE]
    const change = fc.record({
      metric: fc.nat({ max: 3 }),
      step: fc.nat({ max: STEPS - 1 }),
      to: fc.option(fc.nat({ max: 3 }), { nil: null }),
    })
    const gap = fc.record({ from: fc.nat({ max: STEPS }), length: fc.nat({ max: 90 }) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), fc.option(gap), (given, silence) => {
        const lost = silence ?? { from: STEPS, length: 0 }
        const runs: ServerRun[] = [
          { startedMs: DAY, seenMs: DAY + lost.from * STEP },
          { startedMs: DAY + (lost.from + lost.length) * STEP, seenMs: DAY + 10 * HOUR_MS },
        ]
        const ledger = createHourLedger(DAY, (from, until) => watchedMs(runs, from, until))
        const state: Rank[] = [3, 3, 3, null]
        const expected = new Map<string, number>()
        for (let step = 0; step < STEPS; step += 1) {
          const atMs = DAY + step * STEP
          for (const { metric, to } of given.filter(one => one.step === step)) {
            ledger.move(metric % 2, state[metric] ?? null, to, atMs)
            state[metric] = to
          }
          if (step >= lost.from && step < lost.from + lost.length) continue
          state.forEach((rank, metric) => {
            if (rank === null) return
            const key = `${hourOf(atMs)} ${metric % 2} ${rank}`
            expected.set(key, (expected.get(key) ?? 0) + STEP)
          })
        }
        state.forEach((rank, metric) => void ledger.count(metric % 2, rank, 1))
        for (const { at, sites } of ledger.hours(DAY + STEPS * STEP - 1 + 1).slice(1))
          for (const site of [0, 1])
            for (const rank of [0, 1, 2, 3])
              expect(sites.get(site)?.[rank] ?? 0).toBe(expected.get(`${at} ${site} ${rank}`) ?? 0)
      }),
    )
  })
})
