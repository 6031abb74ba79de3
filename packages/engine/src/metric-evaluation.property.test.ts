import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLate } from './freshness.ts'
import { evaluateMetric } from './metric-evaluation.ts'
import {
  initialMetricState,
  type MetricEvent,
  type MetricInput,
  type MetricRule,
  type MetricState,
  UNKNOWN_CAUSES,
} from './metric-state.ts'
import { judge, NO_THRESHOLDS } from './threshold.ts'

const THRESHOLDS = { ...NO_THRESHOLDS, warningHigh: 80, errorHigh: 90, warningLow: 20, errorLow: 10 }
const rule = fc.record({
  thresholds: fc.constant(THRESHOLDS),
  attempts: fc.integer({ min: 1, max: 6 }),
  noData: fc.constantFrom('unknown' as const, 'keep' as const),
  opensIncident: fc.boolean(),
}) satisfies fc.Arbitrary<MetricRule>

const suppressed = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
const input: fc.Arbitrary<MetricInput> = fc.oneof(
  fc.record({
    type: fc.constant('value' as const),
    value: fc.constantFrom(5, 10.3, 15, 50, 78, 82, 88, 95),
    suppressed,
  }),
  fc.record({ type: fc.constant('failed' as const), message: fc.constant('refusé'), suppressed }),
  fc.record({ type: fc.constant('unknown' as const), cause: fc.constantFrom(...UNKNOWN_CAUSES), suppressed }),
)
/** Runs of a same input are what confirms: sequences made of them reach every state. */
const inputs = fc
  .array(fc.tuple(input, fc.integer({ min: 1, max: 8 })), { maxLength: 25 })
  .map(runs => runs.flatMap(([one, times]) => Array<MetricInput>(times).fill(one)))

interface Step {
  readonly before: MetricState
  readonly after: MetricState
  readonly events: readonly MetricEvent[]
  readonly input: MetricInput
}
const walk = (list: readonly MetricInput[], by: MetricRule): readonly Step[] => {
  let state = initialMetricState(0)
  return list.map((one, index) => {
    const before = state
    const { state: after, events } = evaluateMetric(before, one, by, (index + 1) * 1_000)
    state = after
    return { before, after, events, input: one }
  })
}
const always = (check: (step: Step, by: MetricRule) => void) =>
  fc.assert(
    fc.property(inputs, rule, (list, by) => {
      for (const step of walk(list, by)) check(step, by)
    }),
    { numRuns: 500 },
  )
const typesOf = (step: Step) => step.events.map(event => event.type)

describe('whatever is measured', () => {
  it('an incident opens exactly once and closes exactly once before the next one opens', () => {
    fc.assert(
      fc.property(inputs, rule, (list, by) => {
        let isOpen = false
        for (const step of walk(list, by)) {
          for (const type of typesOf(step)) {
            if (type === 'incident-opened') {
              expect(isOpen).toBe(false)
              isOpen = true
            }
            if (type === 'incident-changed') expect(isOpen).toBe(true)
            if (type === 'incident-closed') {
              expect(isOpen).toBe(true)
              isOpen = false
            }
          }
          expect(step.after.incident !== null).toBe(isOpen)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('unknown never closes an incident; only a good result does', () => {
    always(step => {
      if (typesOf(step).includes('incident-closed')) expect(step.after.severity).toBe('ok')
      if (step.input.type !== 'value' && step.before.incident !== null) expect(step.after.incident).not.toBe(null)
    })
  })

  it('no incident opens while suppressed, nor on a metric that opens none, nor before its attempts', () => {
    fc.assert(
      fc.property(inputs, rule, (list, by) => {
        let badInARow = 0
        for (const step of walk(list, by)) {
          const isIgnored =
            step.after === step.before && step.input.type === 'unknown' && step.before.severity !== 'unknown'
          if (step.after.severity === 'ok') badInARow = 0
          else if (!isIgnored) badInARow += 1
          if (!typesOf(step).includes('incident-opened')) continue
          expect(step.input.suppressed).toBe(false)
          expect(by.opensIncident).toBe(true)
          expect(badInARow).toBeGreaterThanOrEqual(by.attempts)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('a change of the confirmed severity tells exactly one of the four hard events', () => {
    always(step => {
      const hard = typesOf(step).filter(type => !type.startsWith('soft'))
      if (step.before.hardSeverity !== step.after.hardSeverity) expect(hard.length).toBe(1)
      else expect(hard.every(type => type === 'incident-opened' || type === 'incident-changed')).toBe(true)
    })
  })

  it('one evaluation tells each type at most once, so (run, metric, type) is a unique key', () => {
    always(step => {
      expect(new Set(typesOf(step)).size).toBe(step.events.length)
    })
  })

  it('same state content means the same object, and no change means no event', () => {
    always(step => {
      if (step.after === step.before) expect(step.events).toEqual([])
      else expect(step.after).not.toEqual(step.before)
    })
  })

  it('states hold together: soft is bad and without incident, good has no problem, causes go with unknown', () => {
    always(({ after }, by) => {
      if (after.kind === 'soft') {
        expect(after.severity).not.toBe('ok')
        // What was cut off keeps its incident while it fails anew.
        expect(after.incident === null || after.hardCause === 'host-unreachable').toBe(true)
        expect(after.attempt).toBeLessThan(by.attempts)
        expect(after.attempt).toBeGreaterThan(0)
      } else expect(after.hardSeverity).toBe(after.severity)
      expect(after.cause !== null).toBe(after.severity === 'unknown')
      expect(after.hardCause !== null).toBe(after.hardSeverity === 'unknown')
      expect(after.severity === 'ok').toBe(after.problemSinceMs === null && after.cause !== 'pending')
      if (after.severity === 'ok') expect(after.attempt).toBe(0)
      expect(after.held).toBeLessThan(by.attempts)
    })
  })

  it('the severity told is the one judged: a value is never better nor worse than its thresholds say', () => {
    always(step => {
      if (step.input.type !== 'value') return
      expect(step.after.severity).toBe(judge(step.input.value, THRESHOLDS, step.before.raised).severity)
    })
  })

  it('a problem that lasts is confirmed after exactly its attempts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.constantFrom(82, 95, 5), (attempts, value) => {
        const by: MetricRule = { thresholds: THRESHOLDS, attempts, noData: 'unknown', opensIncident: true }
        const list: MetricInput[] = [50, ...Array<number>(25).fill(value)].map(one => ({ type: 'value', value: one }))
        const opened = walk(list, by).flatMap((step, index) =>
          typesOf(step).includes('incident-opened') ? [index] : [],
        )
        expect(opened).toEqual([attempts])
      }),
    )
  })

  it('a state is not changed by its evaluation', () => {
    fc.assert(
      fc.property(inputs, input, rule, (list, next, by) => {
        const state = Object.freeze(walk(list, by).at(-1)?.after ?? initialMetricState(0))
        const copy = { ...state }
        evaluateMetric(state, next, by, 1e6)
        expect(state).toEqual(copy)
      }),
    )
  })
})

describe('R08 deliveries', () => {
  interface Result {
    readonly atMs: number
    readonly input: MetricInput
  }
  /** What the server does with a batch: its results by time, none that is late. */
  const deliver = (batches: readonly (readonly Result[])[], by: MetricRule) => {
    let state = initialMetricState(0)
    let lastAtMs = Number.NEGATIVE_INFINITY
    const events: MetricEvent[] = []
    for (const batch of batches) {
      for (const result of [...batch].sort((a, b) => a.atMs - b.atMs)) {
        if (isLate(result.atMs, lastAtMs)) continue
        lastAtMs = result.atMs
        const evaluation = evaluateMetric(state, result.input, by, result.atMs)
        state = evaluation.state
        events.push(...evaluation.events)
      }
    }
    return { state, events }
  }

  it('1,000 seeds: batches split, repeated and shuffled inside give the same state and the same events', () => {
    const cuts = fc.array(fc.nat(60), { maxLength: 10 })
    const repeats = fc.array(fc.tuple(fc.nat(10), fc.nat(10)), { maxLength: 8 })
    fc.assert(
      fc.property(inputs, rule, cuts, repeats, fc.infiniteStream(fc.nat(1_000)), (list, by, at, again, random) => {
        const results = list.map((one, index) => ({ atMs: (index + 1) * 1_000, input: one }))
        const edges = [...new Set([0, ...at.filter(cut => cut < results.length), results.length])].sort((a, b) => a - b)
        const batches = edges.slice(1).map((edge, index) => results.slice(edges[index], edge))
        const shuffled = batches.map(batch =>
          batch
            .map(result => ({ result, key: random.next().value }))
            .sort((a, b) => a.key - b.key)
            .map(({ result }) => result),
        )
        // A batch comes again right after itself or after any later one, as when its answer was lost.
        const repeated = shuffled.flatMap((batch, index) => [
          batch,
          ...again
            .filter(([when]) => when % shuffled.length === index)
            .flatMap(([, of]) => [shuffled[of % (index + 1)] ?? []]),
        ])
        expect(deliver(repeated, by)).toEqual(deliver([results], by))
      }),
      { numRuns: 1_000 },
    )
  })

  it('a replay from any checkpoint gives the same state and the same events', () => {
    fc.assert(
      fc.property(inputs, rule, fc.nat(200), (list, by, cut) => {
        const steps = walk(list, by)
        const from = Math.min(cut, steps.length)
        const saved: MetricState = JSON.parse(JSON.stringify(steps[from]?.before ?? initialMetricState(0)))
        let state = saved
        for (let index = from; index < list.length; index += 1) {
          const one = list[index]
          if (one === undefined) continue
          const evaluation = evaluateMetric(state, one, by, (index + 1) * 1_000)
          state = evaluation.state
          expect(evaluation.events).toEqual(steps[index]?.events)
        }
        expect(state).toEqual(from < list.length ? steps.at(-1)?.after : saved)
      }),
    )
  })
})
