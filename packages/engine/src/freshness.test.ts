import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isBacklog,
  isLate,
  isProbeSilent,
  isSilenceDue,
  listeningSince,
  PROBE_OFFLINE_AFTER_MS,
  STALE_FLOOR_MS,
  silenceCause,
  staleAfterMs,
} from './freshness.ts'

const interval = fc.integer({ min: 1_000, max: 86_400_000 })

describe('freshness', () => {
  it('a metric grows stale after three intervals, never before 90 s', () => {
    expect(staleAfterMs(10_000)).toBe(90_000)
    expect(staleAfterMs(30_000)).toBe(90_000)
    expect(staleAfterMs(60_000)).toBe(180_000)
    fc.assert(
      fc.property(interval, interval, (a, b) => {
        expect(staleAfterMs(a)).toBeGreaterThanOrEqual(Math.max(STALE_FLOOR_MS, 3 * a))
        if (a <= b) expect(staleAfterMs(a)).toBeLessThanOrEqual(staleAfterMs(b))
      }),
    )
  })

  it('R23 a silent probe is known offline before any of its metrics grows stale', () => {
    fc.assert(
      fc.property(interval, ms => {
        expect(PROBE_OFFLINE_AFTER_MS).toBeLessThan(staleAfterMs(ms))
      }),
    )
    expect(isProbeSilent(1_000, 0, 60_999)).toBe(false)
    expect(isProbeSilent(1_000, 0, 61_000)).toBe(true)
  })

  it('R24 a server that slept counts silence from its awakening: no storm of false unknowns', () => {
    expect(listeningSince(0, 100_000, 105_000, 5_000)).toBe(0)
    expect(listeningSince(0, 100_000, 109_000, 5_000)).toBe(0)
    const awake = listeningSince(0, 100_000, 220_000, 5_000)
    expect(awake).toBe(220_000)
    expect(isProbeSilent(100_000, awake, 225_000)).toBe(false)
    expect(isProbeSilent(100_000, awake, 280_000)).toBe(true)
    const silence = { heardMs: 100_000, judgedMs: 0, listeningMs: awake, intervalMs: 10_000, retryIntervalMs: 3_000 }
    expect(isSilenceDue(silence, 225_000)).toBe(false)
  })

  it('R25 a clock set back is a new start, not a silence', () => {
    expect(listeningSince(0, 3_600_000, 1_000, 5_000)).toBe(1_000)
  })

  it('silence owes one result when stale, then one a retry interval, never more', () => {
    fc.assert(
      fc.property(
        interval,
        fc.integer({ min: 1_000, max: 60_000 }),
        fc.integer({ min: 100, max: 7_000 }),
        (ms, retry, step) => {
          const silence = { heardMs: 5_000, judgedMs: 0, listeningMs: 0, intervalMs: ms, retryIntervalMs: retry }
          const staleMs = 5_000 + staleAfterMs(ms)
          const judged: number[] = []
          for (let now = staleMs - 10 * step; now < staleMs + 5 * retry; now += step) {
            if (!isSilenceDue({ ...silence, judgedMs: judged.at(-1) ?? 0 }, now)) continue
            judged.push(now)
          }
          expect(judged.length).toBeLessThanOrEqual(5)
          judged.forEach((now, index) => {
            expect(now).toBeGreaterThanOrEqual(staleMs + index * retry)
          })
        },
      ),
    )
  })

  it('the widest cause of a silence wins', () => {
    const none = { isProbeOffline: false, isHostUnreachable: false, isAvailability: false, isScannerFailing: false }
    expect(silenceCause(none)).toBe('metric-vanished')
    expect(silenceCause({ ...none, isScannerFailing: true })).toBe('scanner-failed')
    expect(silenceCause({ ...none, isScannerFailing: true, isAvailability: true })).toBe('no-data')
    expect(silenceCause({ ...none, isAvailability: true, isHostUnreachable: true })).toBe('host-unreachable')
    expect(silenceCause({ ...none, isHostUnreachable: true, isProbeOffline: true })).toBe('probe-offline')
  })

  it('a result is late when one as new was evaluated, and backlog when it was stale on arrival', () => {
    expect(isLate(10, Number.NEGATIVE_INFINITY)).toBe(false)
    expect([9, 10, 11].map(at => isLate(at, 10))).toEqual([true, true, false])
    expect(isBacklog(0, 89_999, 10_000)).toBe(false)
    expect(isBacklog(0, 90_000, 10_000)).toBe(true)
  })
})
