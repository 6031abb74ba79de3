import type { RateClass } from '@narval/contracts'

/** Tokens per second and the burst that one caller may spend of each class. */
export type RateLimits = Readonly<Record<RateClass, { readonly perSecond: number; readonly burst: number }>>

export const RATE_LIMITS: RateLimits = {
  authentication: { perSecond: 20, burst: 200 },
  read: { perSecond: 200, burst: 1_000 },
  write: { perSecond: 100, burst: 1_000 },
  heavy: { perSecond: 5, burst: 50 },
  ingest: { perSecond: 500, burst: 2_000 },
  push: { perSecond: 100, burst: 500 },
}

/** For load tests and the tests of everything else: never refuses. */
export const NO_RATE_LIMITS: RateLimits = {
  authentication: { perSecond: 1e9, burst: 1e9 },
  read: { perSecond: 1e9, burst: 1e9 },
  write: { perSecond: 1e9, burst: 1e9 },
  heavy: { perSecond: 1e9, burst: 1e9 },
  ingest: { perSecond: 1e9, burst: 1e9 },
  push: { perSecond: 1e9, burst: 1e9 },
}

/** No more callers than this are remembered: the oldest are forgotten first. */
const MAX_CALLERS = 20_000

export interface RateLimiter {
  /** 0 when the call may go on, otherwise how long to wait in ms. */
  take(rate: RateClass, caller: string): number
}

/** Token buckets by class and caller, in memory. */
export const createRateLimiter = (limits: RateLimits, now: () => number): RateLimiter => {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  return {
    take(rate, caller) {
      const { perSecond, burst } = limits[rate]
      const key = `${rate} ${caller}`
      const atMs = now()
      const bucket = buckets.get(key) ?? { tokens: burst, atMs }
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, atMs - bucket.atMs) / 1_000) * perSecond)
      buckets.delete(key)
      buckets.set(key, { tokens: Math.max(0, tokens - 1), atMs })
      if (buckets.size > MAX_CALLERS) buckets.delete(buckets.keys().next().value ?? key)
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1_000)
    },
  }
}
