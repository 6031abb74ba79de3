import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FLAPPING_CHANGES, flappingPercent, isFlapping, lastMeasured, nextFlapping } from './flapping.ts'
import { evaluateMetric } from './metric-evaluation.ts'
import { initialMetricState, type MetricEvent, type MetricInput, type MetricRule } from './metric-state.ts'
import { NO_THRESHOLDS } from './threshold.ts'

type Measured = 'ok' | 'warning' | 'error'
const RULE = { startPercent: 30, endPercent: 25 }
/** Runs of one severity, so that histories between quiet and mad are all reached. */
const results = fc
  .array(fc.tuple(fc.constantFrom<Measured>('ok', 'warning', 'error'), fc.integer({ min: 1, max: 12 })), {
    maxLength: 30,
  })
  .map(runs => runs.flatMap(([severity, times]) => Array<Measured>(times).fill(severity)))

/** As the documentation of Nagios words it: the last 21 results, a change weighs from 0.8 (oldest) to 1.2 (newest). */
const naivePercent = (severities: readonly Measured[]): number => {
  const last = severities.slice(-(FLAPPING_CHANGES + 1))
  const missing = FLAPPING_CHANGES + 1 - last.length
  let sum = 0
  for (let index = 1; index < last.length; index += 1)
    if (last[index] !== last[index - 1]) sum += 0.8 + (0.4 * (missing + index - 1)) / (FLAPPING_CHANGES - 1)
  return (sum / FLAPPING_CHANGES) * 100
}

describe('the memory of changes', () => {
  it('gives the percentage of the definition, whatever was measured', () => {
    fc.assert(
      fc.property(results, list => {
        let memory = 0
        list.forEach((severity, index) => {
          memory = nextFlapping(memory, severity, RULE, true)
          expect(flappingPercent(memory)).toBeCloseTo(naivePercent(list.slice(0, index + 1)), 9)
          expect(lastMeasured(memory)).toBe(severity)
        })
      }),
    )
  })

  it('starts at 30 % or more and at a change alone, ends under 25 % alone, each once in turn', () => {
    fc.assert(
      fc.property(results, list => {
        let memory = 0
        list.forEach((severity, index) => {
          const before = memory
          memory = nextFlapping(memory, severity, RULE, true)
          const percent = naivePercent(list.slice(0, index + 1))
          if (!isFlapping(before) && isFlapping(memory)) {
            expect(percent).toBeGreaterThanOrEqual(30 - 1e-9)
            expect(severity).not.toBe(list[index - 1])
          }
          if (isFlapping(before) && !isFlapping(memory)) expect(percent).toBeLessThan(25)
          if (isFlapping(before) && percent < 25 - 1e-9) expect(isFlapping(memory)).toBe(false)
          if (!isFlapping(before) && severity !== list[index - 1] && index > 0 && percent > 30 + 1e-9)
            expect(isFlapping(memory)).toBe(true)
        })
      }),
    )
  })

  it('is all changes at 100 %, none at 0 %, and a small integer always', () => {
    let memory = 0
    for (let index = 0; index <= FLAPPING_CHANGES; index += 1)
      memory = nextFlapping(memory, index % 2 === 0 ? 'ok' : 'error', RULE, true)
    expect(flappingPercent(memory)).toBe(100)
    expect(memory).toBeLessThan(2 ** 23)
    for (let index = 0; index <= FLAPPING_CHANGES; index += 1) memory = nextFlapping(memory, 'ok', RULE, true)
    expect(flappingPercent(memory)).toBe(0)
  })
})

const metricRule: MetricRule = {
  thresholds: { ...NO_THRESHOLDS, warningHigh: 80, errorHigh: 90 },
  attempts: 3,
  noData: 'unknown',
  opensIncident: true,
  flapping: RULE,
}
const VALUES = { ok: 10, warning: 85, error: 95 } as const
const input: fc.Arbitrary<MetricInput> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Measured>('ok', 'warning', 'error').map(one => valued(VALUES[one])) },
  { weight: 1, arbitrary: fc.constant<MetricInput>({ type: 'unknown', cause: 'no-data' }) },
  { weight: 1, arbitrary: fc.constant<MetricInput>({ type: 'unknown', cause: 'probe-offline' }) },
  { weight: 1, arbitrary: fc.constant<MetricInput>({ type: 'failed', message: 'refusé', suppressed: true }) },
)
const valued = (value: number): MetricInput => ({ type: 'value', value })
const inputs = fc
  .array(fc.tuple(input, fc.integer({ min: 1, max: 25 })), { maxLength: 25 })
  .map(runs => runs.flatMap(([one, times]) => Array<MetricInput>(times).fill(one)))
const mixed = fc.tuple(inputs, fc.array(input, { maxLength: 60 }), inputs).map(parts => parts.flat())

const walk = (list: readonly MetricInput[], rule: MetricRule = metricRule) => {
  let state = initialMetricState(0)
  const told: MetricEvent[] = []
  const steps = list.map((one, index) => {
    const before = state
    const { state: after, events } = evaluateMetric(before, one, rule, (index + 1) * 1_000)
    state = after
    told.push(...events)
    return { before, after, events, input: one }
  })
  return { state, told, steps }
}
const tellsOf = (events: readonly MetricEvent[]) =>
  events.filter(({ type }) => !type.startsWith('soft-') && type !== 'hard-changed')

describe('a metric that flaps', () => {
  it('tells its start and its end alternately, and nothing else of its incident in between', () => {
    fc.assert(
      fc.property(mixed, list => {
        for (const { before, after, events } of walk(list).steps) {
          const types = tellsOf(events).map(({ type }) => type)
          if (isFlapping(before.flapping) && isFlapping(after.flapping)) {
            expect(types).toEqual([])
            expect(after.incident).toBe(before.incident)
          } else if (isFlapping(after.flapping)) expect(types).toEqual(['flapping-started'])
          else if (isFlapping(before.flapping)) expect(types).toEqual(['flapping-ended'])
          else expect(types.some(type => type.startsWith('flapping'))).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('has an incident from its start to its end; at the end it is closed if good, as bad as the state otherwise', () => {
    fc.assert(
      fc.property(mixed, list => {
        for (const { before, after, events } of walk(list).steps) {
          if (isFlapping(after.flapping)) expect(after.incident).not.toBe(null)
          for (const event of events) {
            if (event.type === 'flapping-started') expect(event.to).toBe(after.incident)
            if (event.type !== 'flapping-ended') continue
            expect(after.incident).toBe(after.severity === 'ok' ? null : after.severity)
            expect(event.from).toBe(before.incident)
            expect(event.to).toBe(after.severity)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('keeps its true state: severities, attempts and causes are those of a metric that nobody looks at so', () => {
    fc.assert(
      fc.property(mixed, list => {
        const looked = walk(list).steps
        const plain = walk(list, { ...metricRule, flapping: null }).steps
        looked.forEach(({ after }, index) => {
          const other = plain[index]?.after
          expect([after.severity, after.cause]).toEqual([other?.severity, other?.cause])
        })
      }),
    )
  })

  it('judged again from the same results gives the same state and events', () => {
    fc.assert(fc.property(mixed, list => void expect(walk(list)).toEqual(walk(list))))
  })

  it('starts no flapping on unknown: a probe that comes and goes is not the metric’s doing', () => {
    const list = Array.from(
      { length: 60 },
      (_, index): MetricInput => (index % 2 === 0 ? valued(10) : { type: 'unknown', cause: 'probe-offline' }),
    )
    expect(walk(list).told.some(({ type }) => type === 'flapping-started')).toBe(false)
  })

  it('gives the same object back when good follows good and nothing is remembered', () => {
    const { state } = walk(Array<MetricInput>(3).fill(valued(10)))
    expect(evaluateMetric(state, valued(11), metricRule, 9_000).state).toBe(state)
  })

  it('ends when it is not looked at any more, and its incident closes with a good result', () => {
    const { state } = walk(Array.from({ length: 21 }, (_, index) => valued(index % 2 === 0 ? 10 : 95)))
    expect(isFlapping(state.flapping)).toBe(true)
    const { state: after, events } = evaluateMetric(state, valued(10), { ...metricRule, flapping: null }, 99_000)
    expect(events.map(({ type }) => type)).toContain('flapping-ended')
    expect([after.incident, isFlapping(after.flapping)]).toEqual([null, false])
  })
})
