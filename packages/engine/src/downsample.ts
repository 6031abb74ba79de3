/** A series regrouped to equal steps, one entry a step; an empty step has count 0, sum 0 and NaN elsewhere. */
export interface Steps {
  /** Start of each step, epoch ms. */
  readonly atMs: Float64Array
  readonly count: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  readonly sum: Float64Array
  readonly last: Float64Array
}

/** Most steps that one regrouping makes. */
export const MAX_STEPS = 100_000

/**
 * Regroups samples into `steps` steps of `stepMs` from `fromMs` on, each holding its start and not its end. Samples
 * outside are left out, as are NaN; times must rise. Throws a RangeError on lengths that differ or steps that make no sense.
 */
export const regroup = (
  atMs: ArrayLike<number>,
  value: ArrayLike<number>,
  fromMs: number,
  stepMs: number,
  steps: number,
): Steps => {
  if (atMs.length !== value.length) throw new RangeError('Times and values differ in length')
  if (!(stepMs > 0) || !Number.isInteger(steps) || steps < 0 || steps > MAX_STEPS)
    throw new RangeError(`Cannot make ${steps} steps of ${stepMs} ms`)
  const result = emptySteps(fromMs, stepMs, steps)
  for (let i = 0; i < value.length; i += 1) {
    const step = Math.floor((at(atMs, i) - fromMs) / stepMs)
    if (step >= 0 && step < steps) addSample(result, step, at(value, i))
  }
  return result
}

const emptySteps = (fromMs: number, stepMs: number, steps: number): Steps => ({
  atMs: Float64Array.from({ length: steps }, (_, index) => fromMs + index * stepMs),
  count: new Float64Array(steps),
  min: new Float64Array(steps).fill(Number.NaN),
  max: new Float64Array(steps).fill(Number.NaN),
  sum: new Float64Array(steps),
  last: new Float64Array(steps).fill(Number.NaN),
})

const addSample = (into: Steps, step: number, value: number): void => {
  if (Number.isNaN(value)) return
  const isFirst = at(into.count, step) === 0
  into.count[step] = at(into.count, step) + 1
  into.sum[step] = at(into.sum, step) + value
  into.last[step] = value
  into.min[step] = isFirst ? value : Math.min(at(into.min, step), value)
  into.max[step] = isFirst ? value : Math.max(at(into.max, step), value)
}

export interface Points {
  readonly atMs: Float64Array
  readonly value: Float64Array
}

/**
 * At most `maxPoints` (4 or more) of the samples, themselves and in order: the first, the last, and the lowest and the
 * highest of each of the equal stretches of time between, so that no spike is lost. NaN are left out; times must rise.
 */
export const thin = (atMs: ArrayLike<number>, value: ArrayLike<number>, maxPoints: number): Points => {
  if (atMs.length !== value.length) throw new RangeError('Times and values differ in length')
  if (!Number.isInteger(maxPoints) || maxPoints < 4)
    throw new RangeError('At least 4 points are needed to thin a series')
  const all = presentIndexes(value)
  const kept = all.length <= maxPoints ? all : keptIndexes(atMs, value, all, maxPoints)
  return {
    atMs: Float64Array.from(kept, index => at(atMs, index)),
    value: Float64Array.from(kept, index => at(value, index)),
  }
}

const presentIndexes = (value: ArrayLike<number>): number[] => {
  const indexes: number[] = []
  for (let i = 0; i < value.length; i += 1) if (!Number.isNaN(at(value, i))) indexes.push(i)
  return indexes
}

const keptIndexes = (
  atMs: ArrayLike<number>,
  value: ArrayLike<number>,
  indexes: readonly number[],
  maxPoints: number,
): number[] => {
  const first = indexes[0] ?? 0
  const last = indexes[indexes.length - 1] ?? 0
  const stretches = Math.floor((maxPoints - 2) / 2)
  const startMs = at(atMs, first)
  const spanMs = Math.max(at(atMs, last) - startMs, 1)
  const lowest = new Int32Array(stretches).fill(-1)
  const highest = new Int32Array(stretches).fill(-1)
  for (const index of indexes) {
    if (index === first || index === last) continue
    const stretch = Math.min(Math.floor(((at(atMs, index) - startMs) / spanMs) * stretches), stretches - 1)
    const low = at(lowest, stretch)
    const high = at(highest, stretch)
    if (low === -1 || at(value, index) < at(value, low)) lowest[stretch] = index
    if (high === -1 || at(value, index) > at(value, high)) highest[stretch] = index
  }
  const kept = [first]
  for (let i = 0; i < stretches; i += 1) {
    const low = at(lowest, i)
    const high = at(highest, i)
    if (low === -1) continue
    kept.push(Math.min(low, high))
    if (low !== high) kept.push(Math.max(low, high))
  }
  kept.push(last)
  return kept
}

// Inside the bounds there is always a number; NaN says so to the compiler.
const at = (column: ArrayLike<number>, index: number): number => column[index] ?? Number.NaN
