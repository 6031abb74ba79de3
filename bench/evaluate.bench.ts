import {
  evaluateMetric,
  initialMetricState,
  type MetricInput,
  type MetricRule,
  type MetricState,
  NO_THRESHOLDS,
} from '@narval/engine'

/**
 * Evaluations a second on one core. Baseline: the least that judging can be, a compare of each value with one threshold
 * in typed arrays; its ratio drifts less between machines than the figure. A regular fleet: 1 result in 50 is bad.
 */
const SIZES = [1_000, 10_000, 100_000]
const EVALUATIONS = 2_000_000
const ROUNDS = 5
const TARGET_PER_SECOND = 200_000
/** Times of today's size: beyond 31 bits they are stored otherwise than small integers, and cost more. */
const START_MS = Date.UTC(2025, 0, 1)

const RULE: MetricRule = {
  thresholds: { ...NO_THRESHOLDS, warningHigh: 80, errorHigh: 90 },
  attempts: 3,
  noData: 'unknown',
  opensIncident: true,
  flapping: { startPercent: 30, endPercent: 25 },
}

/** The same pseudo-random numbers at each run, 0 … 1. */
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const fleetValues = (badRatio: number): Float64Array => {
  const random = seeded(42)
  return Float64Array.from({ length: 65_521 }, () => (random() < badRatio ? 81 + random() * 19 : random() * 75))
}

let sink = 0

const baseline = (severities: Uint8Array, values: Float64Array): void => {
  const size = severities.length
  for (let i = 0; i < EVALUATIONS; i += 1) {
    const bad = (values[i % values.length] ?? 0) > 80 ? 1 : 0
    if (severities[i % size] !== bad) sink += 1
    severities[i % size] = bad
  }
}

const newStates = (size: number): MetricState[] => Array.from({ length: size }, () => initialMetricState(START_MS))

const evaluations = (states: MetricState[], values: Float64Array): void => {
  const size = states.length
  for (let i = 0; i < EVALUATIONS; i += 1) {
    const nowMs = START_MS + i
    const input: MetricInput = { type: 'value', value: values[i % values.length] ?? 0, atMs: nowMs }
    const before = states[i % size] ?? initialMetricState(START_MS)
    const { state, events } = evaluateMetric(before, input, RULE, nowMs)
    if (state !== before) states[i % size] = state
    sink += events.length
  }
}

/** Median of `ROUNDS` runs, per second of CPU, so that others on the machine do not count; the first one finds every metric pending. */
const perSecond = (run: () => void): number => {
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    rates.push(EVALUATIONS / ((user + system) / 1e6))
  }
  return rates.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

const report = (name: string, badRatio: number): number[] => {
  const values = fleetValues(badRatio)
  return SIZES.map(size => {
    const states = newStates(size)
    const severities = new Uint8Array(size)
    const ours = perSecond(() => evaluations(states, values))
    const floor = perSecond(() => baseline(severities, values))
    console.log(
      `${name}, ${whole(size)} metrics: ${whole(ours)} evaluations/s, bare compare ${whole(floor)}/s, ` +
        `ratio ${(ours / floor).toFixed(3)}`,
    )
    return ours
  })
}

const warm = newStates(1_000)
perSecond(() => evaluations(warm, fleetValues(0.02)))
const regular = report('evaluate, 1 in 50 bad', 0.02)
const stormy = report('evaluate, 1 in 2 bad', 0.5)
const slowest = Math.min(...regular, ...stormy)
console.log(
  `evaluate, growth 1,000 → 100,000 metrics: cost × ${((regular[0] ?? 0) / (regular.at(-1) ?? 1)).toFixed(2)}; ` +
    `slowest ${whole(slowest)}/s, target ${whole(TARGET_PER_SECOND)}/s: ${slowest >= TARGET_PER_SECOND ? 'met' : 'MISSED'}`,
)
if (slowest < TARGET_PER_SECOND || Number.isNaN(sink)) process.exitCode = 1
