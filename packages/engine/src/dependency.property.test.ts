import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  descendantsOf,
  HOLD_MS,
  holdEndsMs,
  isCutOff,
  type LifeState,
  type ParentInput,
  type Problem,
  reachability,
  rootsOfCut,
  standingOf,
} from './dependency.ts'
import { evaluateMetric } from './metric-evaluation.ts'
import { initialMetricState, type MetricInput, type MetricRule } from './metric-state.ts'
import { NO_THRESHOLDS } from './threshold.ts'

const OK: LifeState = { severity: 'ok', kind: 'hard', hardSeverity: 'ok', hardCause: null }
const DOWN: LifeState = { severity: 'error', kind: 'hard', hardSeverity: 'error', hardCause: null }
const SOFT: LifeState = { severity: 'error', kind: 'soft', hardSeverity: 'ok', hardCause: null }
const CUT: LifeState = { severity: 'unknown', kind: 'hard', hardSeverity: 'unknown', hardCause: 'host-unreachable' }
const SILENT: LifeState = { severity: 'unknown', kind: 'hard', hardSeverity: 'unknown', hardCause: 'no-data' }

const parent: fc.Arbitrary<ParentInput> = fc.record({
  life: fc.constantFrom(OK, DOWN, SOFT, CUT, SILENT, null),
  vouchedMs: fc.constantFrom(Number.NEGATIVE_INFINITY, 500, 1_500),
})
const parents = fc.array(parent, { minLength: 1, maxLength: 5 })
const PROBLEM: Problem = { problemSinceMs: 1_000, attempts: 3, retryIntervalMs: 20_000 }
const RULE: MetricRule = { thresholds: NO_THRESHOLDS, attempts: 3, noData: 'unknown', opensIncident: true }

describe('what a host hangs on', () => {
  it('makes it unreachable when all of it is cut off, and only then, whatever the time', () => {
    fc.assert(
      fc.property(parents, fc.nat(1_000_000), (list, nowMs) => {
        const isUnreachable = reachability(list, PROBLEM, nowMs) === 'unreachable'
        expect(isUnreachable).toBe(list.every(({ life }) => isCutOff(life)))
      }),
    )
  })

  it('never holds nor hides a failure when one of it answers or says nothing', () => {
    fc.assert(
      fc.property(parents, fc.nat(1_000_000), (list, nowMs) => {
        if (list.some(one => standingOf(one, 1_000) === 'reachable'))
          expect(reachability(list, PROBLEM, nowMs)).toBe('open')
      }),
    )
  })

  it('holds a failure for a bounded time: past its end it is confirmed', () => {
    fc.assert(
      fc.property(
        parents,
        fc.record({ attempts: fc.integer({ min: 1, max: 20 }), late: fc.nat(1_000_000) }),
        (list, more) => {
          const problem = { ...PROBLEM, attempts: more.attempts }
          const endMs = holdEndsMs(problem, 0)
          expect(endMs).toBe(1_000 + (more.attempts - 1) * 20_000 + HOLD_MS)
          expect(reachability(list, problem, endMs + more.late)).not.toBe('hold')
        },
      ),
    )
  })

  it('counts each parent alike in any order and any number of times', () => {
    fc.assert(
      fc.property(parents, fc.nat(200_000), (list, nowMs) => {
        const verdict = reachability(list, PROBLEM, nowMs)
        expect(reachability([...list, ...list].toReversed(), PROBLEM, nowMs)).toBe(verdict)
      }),
    )
  })

  it('says nothing where there is none', () => {
    expect(reachability([], PROBLEM, 2_000)).toBe('open')
  })
})

describe('a held failure', () => {
  const walk = (inputs: readonly MetricInput[]) => {
    let state = evaluateMetric(initialMetricState(0), { type: 'value', value: 1 }, RULE, 0).state
    const opened: number[] = []
    inputs.forEach((input, index) => {
      const { state: next, events } = evaluateMetric(state, input, RULE, (index + 1) * 1_000)
      if (events.some(({ type }) => type === 'incident-opened')) opened.push(index)
      state = next
    })
    return { state, opened }
  }
  const failed = (unconfirmed: boolean): MetricInput => ({ type: 'failed', message: 'délai dépassé', unconfirmed })

  it('stays soft at its last attempt however often it is seen, and is confirmed by the first result that is not held', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), held => {
        const { state, opened } = walk(Array<MetricInput>(held).fill(failed(true)))
        expect([state.kind, state.attempt, opened]).toEqual(['soft', Math.min(held, 3), []])
        const after = walk([...Array<MetricInput>(held).fill(failed(true)), failed(false)])
        expect(after.opened).toEqual(held >= 2 ? [held] : [])
      }),
    )
  })

  it('that turns out to be cut off opens nothing, and fails anew by all its attempts once it can be reached', () => {
    const cut: MetricInput = { type: 'unknown', cause: 'host-unreachable' }
    const { state, opened } = walk([failed(true), failed(true), cut, failed(false), failed(false)])
    expect([state.kind, state.attempt, state.hardCause, opened]).toEqual(['soft', 2, 'host-unreachable', []])
    expect(walk([failed(true), cut, failed(false), failed(false), failed(false)]).opened).toEqual([4])
  })

  it('that had opened an incident keeps it while it is cut off, and counts its attempts anew with it', () => {
    const red = Array<MetricInput>(3).fill(failed(false))
    const cut: MetricInput = { type: 'unknown', cause: 'host-unreachable' }
    const { state, opened } = walk([...red, cut, failed(false), failed(false)])
    expect([opened, state.incident, state.kind, state.attempt]).toEqual([[2], 'error', 'soft', 2])
    expect(walk([...red, cut, ...red]).state).toMatchObject({ kind: 'hard', hardSeverity: 'error', incident: 'error' })
    expect(walk([...red, cut, ...red]).opened).toEqual([2])
  })
})

describe('a graph of what hangs on what', () => {
  const graph = fc
    .array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 })
    .map(links => (id: number) => [...new Set(links.filter(([from]) => from === id).map(([, to]) => to))])

  it('is walked to its end with each thing once, cycles and all', () => {
    fc.assert(
      fc.property(graph, fc.nat(9), (next, start) => {
        const found = descendantsOf(start, next)
        expect(new Set(found).size).toBe(found.length)
        expect(found).not.toContain(start)
        for (const one of [start, ...found])
          for (const child of next(one)) expect(child === start || found.includes(child)).toBe(true)
      }),
    )
  })

  it('has the roots of a cut among what is cut off, and none of them is explained by what is above it', () => {
    fc.assert(
      fc.property(graph, fc.nat(9), fc.uniqueArray(fc.nat(9)), (above, start, cut) => {
        const isCut = (id: number) => cut.includes(id)
        for (const root of rootsOfCut(start, above, isCut)) {
          expect(isCut(root)).toBe(true)
          const parents = above(root)
          expect(parents.length === 0 || !parents.every(isCut)).toBe(true)
        }
      }),
    )
  })

  it('flattens a chain to what is topmost', () => {
    const chain = (id: number) => (id < 5 ? [id + 1] : [])
    expect(rootsOfCut(0, chain, () => true)).toEqual([5])
    expect(rootsOfCut(0, chain, id => id <= 3)).toEqual([3])
    expect(rootsOfCut(0, chain, () => false)).toEqual([])
  })
})
