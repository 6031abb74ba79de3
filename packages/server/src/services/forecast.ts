import type { ServiceStorage } from '@narval/contracts'

export interface NotedSize {
  readonly atMs: number
  readonly bytes: number
  readonly freeBytes: number | null
}
export interface Forecast {
  readonly outlook: ServiceStorage['forecast']['outlook']
  readonly bytesPerDay: number | null
  readonly fullMs: number | null
  readonly fromMs: number | null
  readonly sizes: number
}

const DAY_MS = 86_400_000
/** What is older says little of the present growth. */
const BASIS_MS = 7 * DAY_MS
/** Sealing and the night's compaction saw at it: less than a day, or half of its hours, says nothing. */
const LEAST_MS = DAY_MS
const LEAST_SIZES = 12
/** Slower than this, in bytes a day, it does not grow. */
const STEADY = 1_000_000
/** Further than that nobody believes a date. */
const FURTHEST_MS = 5 * 365 * DAY_MS

/**
 * When the disk is full at the growth of the last seven days: the median of the slopes between all pairs of sizes, so that
 * one deletion or one import does not decide. `freeBytes`: what is free now, null when not known.
 */
export const forecastOf = (sizes: readonly NotedSize[], freeBytes: number | null, nowMs: number): Forecast => {
  const basis = sizes.filter(one => one.atMs > nowMs - BASIS_MS && one.atMs <= nowMs)
  const [first, last] = [basis[0], basis.at(-1)]
  const known = { fromMs: first?.atMs ?? null, sizes: basis.length }
  if (first === undefined || last === undefined || last.atMs - first.atMs < LEAST_MS || basis.length < LEAST_SIZES)
    return { outlook: 'early', bytesPerDay: null, fullMs: null, ...known }
  const bytesPerDay = medianSlope(basis) * DAY_MS
  if (bytesPerDay < STEADY) return { outlook: 'steady', bytesPerDay, fullMs: null, ...known }
  const leftMs = freeBytes === null ? Number.POSITIVE_INFINITY : (freeBytes / bytesPerDay) * DAY_MS
  return { outlook: 'filling', bytesPerDay, fullMs: leftMs <= FURTHEST_MS ? nowMs + leftMs : null, ...known }
}

/** Bytes per ms. */
const medianSlope = (sizes: readonly NotedSize[]): number => {
  const slopes = sizes
    .flatMap((a, index) => sizes.slice(index + 1).map(b => (b.bytes - a.bytes) / (b.atMs - a.atMs)))
    .toSorted((a, b) => a - b)
  const middle = slopes.length >> 1
  const [low = 0, high = 0] = [slopes[slopes.length % 2 === 0 ? middle - 1 : middle], slopes[middle]]
  return (low + high) / 2
}
