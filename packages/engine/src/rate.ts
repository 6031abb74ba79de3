/** A reading of a counter: epoch ms and the raw value. */
export interface CounterSample {
  readonly atMs: number
  readonly value: number
}

/**
 * Rate per second between two readings; null (a gap) when there is no earlier one, the counter went down (restart, 32 or
 * 64-bit wrap), time did not advance, a value is not finite, or more than `maxGapMs` lies between.
 * Above 2⁵³ doubles are spaced by up to 2,048: the rate is then exact to that over the interval, never negative.
 */
export const nextRate = (
  previous: CounterSample | null,
  current: CounterSample,
  maxGapMs = Number.POSITIVE_INFINITY,
): number | null =>
  previous === null ? null : rateBetween(previous.atMs, previous.value, current.atMs, current.value, maxGapMs)

const rateBetween = (fromMs: number, from: number, toMs: number, to: number, maxGapMs: number): number | null => {
  const elapsedMs = toMs - fromMs
  const increase = to - from
  if (!(elapsedMs > 0) || elapsedMs > maxGapMs || !(increase >= 0) || !Number.isFinite(increase)) return null
  return (increase / elapsedMs) * 1_000
}

/**
 * Rates of a series, one for each reading (the first is null), over the time since the reading before it. Both columns
 * have the same length, times rising. Null as for `nextRate`.
 */
export const rates = (
  atMs: ArrayLike<number>,
  value: ArrayLike<number>,
  maxGapMs = Number.POSITIVE_INFINITY,
): (number | null)[] => {
  if (atMs.length !== value.length) throw new RangeError('Times and values differ in length')
  const result: (number | null)[] = []
  for (let i = 0; i < value.length; i += 1) {
    result.push(i === 0 ? null : rateBetween(at(atMs, i - 1), at(value, i - 1), at(atMs, i), at(value, i), maxGapMs))
  }
  return result
}

// Inside the bounds there is always a number; NaN, which every test above refuses, says so to the compiler.
const at = (column: ArrayLike<number>, index: number): number => column[index] ?? Number.NaN
