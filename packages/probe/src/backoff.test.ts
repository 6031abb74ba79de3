import { expect, it } from 'vitest'
import {
  BACKOFF_BASE_MS,
  BACKOFF_CAP_MS,
  backoffMs,
  createSleeper,
  parseRetryAfter,
  RETRY_AFTER_MAX_MS,
  retryAfterWithJitter,
} from './backoff.ts'

it('R12: waits double up to the cap, and half of each is random', () => {
  for (let failures = 1; failures < 2_000; failures += 1) {
    const [low, high] = [backoffMs(failures, 0), backoffMs(failures, 0.999_999)]
    const full = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (failures - 1))
    expect(low).toBe(full / 2)
    expect(high).toBeGreaterThan(low)
    expect(high).toBeLessThanOrEqual(full)
  }
})

it('R12: Retry-After is never cut short', () => {
  expect(retryAfterWithJitter(5_000, 0)).toBe(5_000)
  expect(retryAfterWithJitter(5_000, 0.99)).toBeGreaterThan(5_000)
})

it('Retry-After is read in seconds or as a date, and bounded', () => {
  expect(parseRetryAfter('7', 0)).toBe(7_000)
  expect(parseRetryAfter(new Date(90_000).toUTCString(), 30_000)).toBe(60_000)
  expect(parseRetryAfter('999999', 0)).toBe(RETRY_AFTER_MAX_MS)
  expect(parseRetryAfter(new Date(1_000).toUTCString(), 30_000)).toBe(0)
  expect(parseRetryAfter('-3', 0)).toBeNull()
  expect(parseRetryAfter('soon', 0)).toBeNull()
  expect(parseRetryAfter(undefined, 0)).toBeNull()
})

it('a sleeper wakes at once when it is woken or stopped', async () => {
  const sleeper = createSleeper()
  const stop = new AbortController()
  const first = sleeper.sleep(60_000, stop.signal)
  sleeper.wake()
  await first
  const second = sleeper.sleep(60_000, stop.signal)
  stop.abort()
  await second
  await sleeper.sleep(60_000, stop.signal)
})
