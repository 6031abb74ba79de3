import { describe, expect, it } from 'vitest'
import { evaluateMetric, retireMetric } from './metric-evaluation.ts'
import {
  forgetRaised,
  initialMetricState,
  type MetricEvent,
  type MetricInput,
  type MetricRule,
  type MetricState,
  type UnknownCause,
} from './metric-state.ts'
import { NO_THRESHOLDS } from './threshold.ts'

const THRESHOLDS = { ...NO_THRESHOLDS, warningHigh: 80, errorHigh: 90 }
const RULE: MetricRule = { thresholds: THRESHOLDS, attempts: 3, noData: 'unknown', opensIncident: true }
const ONCE: MetricRule = { ...RULE, attempts: 1 }

const value = (of: number, suppressed = false): MetricInput => ({ type: 'value', value: of, suppressed })
const OK = value(10)
const WARNING = value(85)
const ERROR = value(95)
const FAILED: MetricInput = { type: 'failed', message: 'délai dépassé après 2 s' }
const unknown = (cause: UnknownCause): MetricInput => ({ type: 'unknown', cause })

/** Evaluates inputs one a second from `state` on; events of each as `type from>to`. */
const run = (inputs: readonly MetricInput[], rule = RULE, state: MetricState = initialMetricState(0)) => {
  const told: string[][] = []
  const events: MetricEvent[] = []
  let now = state.sinceMs
  for (const input of inputs) {
    now += 1_000
    const evaluation = evaluateMetric(state, input, rule, now)
    state = evaluation.state
    told.push(evaluation.events.map(event => `${event.type} ${event.from}>${event.to}`))
    events.push(...evaluation.events)
  }
  return { state, told, events }
}
const healthy = run([OK]).state

describe('soft and hard', () => {
  it('a new metric is pending, without incident, and its first good result is silent', () => {
    expect(initialMetricState(5)).toMatchObject({ severity: 'unknown', cause: 'pending', kind: 'hard', incident: null })
    const { state, told } = run([OK])
    expect(told).toEqual([['hard-changed unknown>ok']])
    expect(state).toMatchObject({ severity: 'ok', kind: 'hard', attempt: 0, cause: null, hardCause: null })
  })

  it('the first bad result is SOFT 1/3, the third is HARD and opens the incident', () => {
    const { state, told } = run([ERROR, ERROR, ERROR, ERROR], RULE, healthy)
    expect(told).toEqual([['soft-problem ok>error'], ['soft-problem error>error'], ['incident-opened ok>error'], []])
    expect(state).toMatchObject({
      kind: 'hard',
      attempt: 3,
      severity: 'error',
      hardSeverity: 'error',
      incident: 'error',
    })
    expect(state).toMatchObject({ problemSinceMs: 2_000, sinceMs: 2_000, hardSinceMs: 4_000 })
  })

  it('while soft, the confirmed severity stays what it was', () => {
    expect(run([ERROR], RULE, healthy).state).toMatchObject({
      kind: 'soft',
      attempt: 1,
      severity: 'error',
      hardSeverity: 'ok',
    })
  })

  it('with one attempt the first bad result is HARD at once', () => {
    expect(run([ERROR], ONCE, healthy).told).toEqual([['incident-opened ok>error']])
    expect(run([FAILED], ONCE).told).toEqual([['incident-opened unknown>error']])
  })

  it('recovery from SOFT is for the history only, and the count starts again', () => {
    const { told } = run([ERROR, ERROR, OK, ERROR, ERROR], RULE, healthy)
    expect(told[2]).toEqual(['soft-recovered error>ok'])
    expect(told.flat().some(line => line.startsWith('incident'))).toBe(false)
    expect(run([ERROR, ERROR, OK, ERROR], RULE, healthy).state.attempt).toBe(1)
  })

  it('a soft problem that ends leaves the confirmed state as old as it was', () => {
    expect(run([ERROR, OK], RULE, healthy).state).toMatchObject({ hardSinceMs: healthy.hardSinceMs, sinceMs: 3_000 })
  })

  it('a good result forgets what was crossed', () => {
    expect(run([ERROR, OK, value(87), value(79)], ONCE, healthy).told.slice(2)).toEqual([
      ['incident-opened ok>warning'],
      [],
    ])
  })

  it('a value that jumps from one side to the other is remembered on the side where it is', () => {
    const rule = { ...ONCE, thresholds: { ...THRESHOLDS, errorLow: 5 } }
    const { state } = run([value(1), ERROR, value(87)], rule, healthy)
    expect(state.severity).toBe('error')
  })

  it('recovery from HARD closes the incident', () => {
    const { told, state, events } = run([ERROR, ERROR, ERROR, OK], RULE, healthy)
    expect(told[3]).toEqual(['incident-closed error>ok'])
    expect(events.at(-1)).toMatchObject({ problemSinceMs: 2_000, atMs: 5_000, value: 10 })
    expect(state).toMatchObject({ incident: null, problemSinceMs: null, hardSinceMs: 5_000, attempt: 0 })
  })

  it('a bad result of another severity while soft continues the count', () => {
    const { told, state } = run([WARNING, ERROR, unknown('no-data')], RULE, healthy)
    expect(told).toEqual([['soft-problem ok>warning'], ['soft-problem warning>error'], ['incident-opened ok>unknown']])
    expect(state.problemSinceMs).toBe(2_000)
  })

  it('HARD error and warning change into each other at once, each time told', () => {
    const { told } = run([ERROR, value(82), ERROR, value(70)], ONCE, healthy)
    expect(told).toEqual([
      ['incident-opened ok>error'],
      ['incident-changed error>warning'],
      ['incident-changed warning>error'],
      ['incident-closed error>ok'],
    ])
  })

  it('a result that changes nothing gives the same state object and no event', () => {
    const down = run([ERROR, ERROR, ERROR], RULE, healthy).state
    expect(evaluateMetric(healthy, OK, RULE, 99_000).state).toBe(healthy)
    expect(evaluateMetric(down, ERROR, RULE, 99_000).state).toBe(down)
    const lost = run([unknown('no-data')], ONCE, healthy).state
    expect(evaluateMetric(lost, unknown('no-data'), ONCE, 99_000)).toEqual({ state: lost, events: [] })
    expect(evaluateMetric(lost, unknown('no-data'), ONCE, 99_000).state).toBe(lost)
  })

  it('a rule with fewer attempts confirms at the next bad result, one with more never unconfirms', () => {
    const soft = run([ERROR, ERROR], { ...RULE, attempts: 5 }, healthy).state
    expect(run([ERROR], { ...RULE, attempts: 2 }, soft)).toMatchObject({
      told: [['incident-opened ok>error']],
      state: { attempt: 2 },
    })
    const down = run([ERROR], ONCE, healthy).state
    expect(run([ERROR], { ...RULE, attempts: 20 }, down).state).toBe(down)
  })

  it('an event carries what was measured, when, and the attempt', () => {
    const evaluation = evaluateMetric(healthy, { ...FAILED, atMs: 1_400 }, RULE, 2_000)
    expect(evaluation.events).toEqual([
      {
        type: 'soft-problem',
        from: 'ok',
        to: 'error',
        cause: null,
        atMs: 2_000,
        sampleAtMs: 1_400,
        attempt: 1,
        attempts: 3,
        problemSinceMs: 2_000,
        value: null,
        message: 'délai dépassé après 2 s',
      },
    ])
  })

  it('R25 a server clock set back never gives a state that ends before it began', () => {
    const late = run([ERROR], ONCE, { ...healthy, sinceMs: 9_000_000, hardSinceMs: 9_000_000 }).state
    const back = evaluateMetric(late, OK, ONCE, 1_000)
    expect(back.state.sinceMs).toBeGreaterThanOrEqual(late.sinceMs)
    expect(back.events[0]?.atMs).toBe(back.state.sinceMs)
  })

  it('changed thresholds are judged afresh once the memory is forgotten', () => {
    const warned = run([WARNING], ONCE, healthy).state
    const rule = { ...ONCE, thresholds: { ...NO_THRESHOLDS, warningHigh: 86 } }
    expect(evaluateMetric(warned, WARNING, rule, 9_000).state.severity).toBe('warning')
    expect(evaluateMetric(forgetRaised(warned), WARNING, rule, 9_000).state.severity).toBe('ok')
    expect(forgetRaised(healthy)).toBe(healthy)
  })
})

describe('unknown', () => {
  it('obeys the attempts and opens the metric’s own incident', () => {
    const { told, state } = run([unknown('no-data'), unknown('no-data'), unknown('metric-vanished')], RULE, healthy)
    expect(told).toEqual([
      ['soft-problem ok>unknown'],
      ['soft-problem unknown>unknown'],
      ['incident-opened ok>unknown'],
    ])
    expect(state).toMatchObject({ cause: 'metric-vanished', hardCause: 'metric-vanished', incident: 'unknown' })
  })

  it('never ends an incident: HARD error, unknown, error is one incident, told once', () => {
    const { told, state } = run([ERROR, unknown('no-data'), ERROR], ONCE, healthy)
    expect(told).toEqual([['incident-opened ok>error'], ['hard-changed error>unknown'], ['hard-changed unknown>error']])
    expect(state.incident).toBe('error')
  })

  it('what comes after an unknown is told against what was last told', () => {
    expect(run([ERROR, unknown('no-data'), value(82)], ONCE, healthy).told[2]).toEqual([
      'incident-changed error>warning',
    ])
    expect(run([ERROR, unknown('no-data'), OK], ONCE, healthy).told[2]).toEqual(['incident-closed error>ok'])
    expect(run([unknown('no-data'), ERROR], ONCE, healthy).told[1]).toEqual(['incident-changed unknown>error'])
  })

  it('that changes its cause says so, without an event nor a new since', () => {
    const { state, told } = run([unknown('no-data'), unknown('metric-vanished')], ONCE, healthy)
    expect(told[1]).toEqual([])
    expect(state).toMatchObject({
      cause: 'metric-vanished',
      hardCause: 'metric-vanished',
      hardSinceMs: 2_000,
      sinceMs: 2_000,
    })
  })

  it('keeps the memory of crossed thresholds: a value inside the band is still bad afterwards', () => {
    expect(run([ERROR, unknown('no-data'), value(87)], ONCE, healthy).state.severity).toBe('error')
    expect(run([ERROR, FAILED, value(87)], ONCE, healthy).state.severity).toBe('error')
  })

  it.each(['scanner-failed', 'credentials-refused', 'probe-offline', 'host-unreachable'] as const)(
    '%s opens no incident of the metric’s own, however long it lasts',
    cause => {
      const { told, state } = run(Array<MetricInput>(10).fill(unknown(cause)), RULE, healthy)
      expect(told.flat().filter(line => line.startsWith('incident'))).toEqual([])
      expect(state).toMatchObject({ kind: 'hard', hardSeverity: 'unknown', incident: null })
      expect(run([OK], RULE, state).told).toEqual([['hard-changed unknown>ok']])
    },
  )

  it('R23 an offline probe and unreachable parents, confirmed elsewhere, count no attempts', () => {
    expect(run([unknown('probe-offline')], RULE, healthy)).toMatchObject({
      told: [['hard-changed ok>unknown']],
      state: { kind: 'hard', cause: 'probe-offline' },
    })
    expect(run([ERROR, unknown('host-unreachable')], RULE, healthy).state.kind).toBe('hard')
  })

  it('bad values after an offline probe count their attempts from the first', () => {
    const { told, state } = run([unknown('probe-offline'), ERROR, ERROR, ERROR], RULE, healthy)
    expect(told.slice(1)).toEqual([
      ['soft-problem unknown>error'],
      ['soft-problem error>error'],
      ['incident-opened unknown>error'],
    ])
    expect(state.problemSinceMs).toBe(3_000)
  })

  it('a good result after a soft one on an unknown tells both: the soft problem is over, the unknown too', () => {
    const { told } = run([unknown('probe-offline'), ERROR, OK], RULE, healthy)
    expect(told[2]).toEqual(['soft-recovered error>ok', 'hard-changed unknown>ok'])
  })

  it('a cause that opens no incident gives way to one that does, after its attempts', () => {
    const { told } = run([unknown('probe-offline'), ...Array<MetricInput>(3).fill(unknown('no-data'))], RULE, healthy)
    expect(told.slice(1)).toEqual([[], [], ['incident-opened unknown>unknown']])
  })

  it('a metric never heard of goes through its attempts before it is a problem', () => {
    const { told, state } = run([unknown('no-data'), unknown('no-data'), unknown('no-data')])
    expect(told.flat()).toEqual([
      'soft-problem unknown>unknown',
      'soft-problem unknown>unknown',
      'incident-opened unknown>unknown',
    ])
    expect(state.problemSinceMs).toBe(1_000)
    expect(run([ERROR]).state.hardCause).toBe('pending')
  })

  it('pending is only a beginning: nothing goes back to it', () => {
    expect(evaluateMetric(healthy, unknown('pending'), ONCE, 9_000).state).toBe(healthy)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    '%s is no data, never a good value',
    bad => {
      const { state, events } = run([value(bad)], ONCE, healthy)
      expect(state).toMatchObject({ severity: 'unknown', cause: 'no-data' })
      expect(events[0]?.value).toBe(null)
    },
  )

  it('with the policy « keep », silence changes nothing, but a failed run still does', () => {
    const keep: MetricRule = { ...ONCE, noData: 'keep' }
    for (const cause of ['no-data', 'metric-vanished', 'probe-offline', 'host-unreachable'] as const)
      expect(evaluateMetric(healthy, unknown(cause), keep, 9_000).state).toBe(healthy)
    expect(evaluateMetric(healthy, unknown('scanner-failed'), keep, 9_000).state.severity).toBe('unknown')
  })
})

describe('suppression', () => {
  const held = value(95, true)

  it('while the life test is down no incident opens, but states are kept', () => {
    const { told, state } = run([held, held, held, held], RULE, healthy)
    expect(told[2]).toEqual(['hard-changed ok>error'])
    expect(state).toMatchObject({ kind: 'hard', hardSeverity: 'error', incident: null })
  })

  it('it never suppresses a resolution', () => {
    const down = run([ERROR], ONCE, healthy).state
    expect(run([value(10, true)], ONCE, down).told).toEqual([['incident-closed error>ok']])
  })

  it('a problem that outlives it opens its incident after its attempts, since its first bad result', () => {
    const { told, events } = run([held, held, held, ERROR, ERROR, ERROR, ERROR], RULE, healthy)
    expect(told.slice(3)).toEqual([[], [], ['incident-opened error>error'], []])
    expect(events.at(-1)?.problemSinceMs).toBe(2_000)
  })

  it('results that come back suppressed start that count again', () => {
    const { told } = run([held, held, held, ERROR, ERROR, held, ERROR, ERROR], RULE, healthy)
    expect(told.slice(3).flat()).toEqual([])
  })

  it('a problem that ends before that was never told', () => {
    expect(run([held, held, held, ERROR, OK], RULE, healthy).told.slice(3)).toEqual([[], ['hard-changed error>ok']])
  })

  it('a metric that opens no incident never does, and still closes one that is open', () => {
    const quiet: MetricRule = { ...ONCE, opensIncident: false }
    expect(
      run([ERROR, ERROR, WARNING, OK], quiet, healthy)
        .told.flat()
        .some(line => line.startsWith('incident')),
    ).toBe(false)
    const down = run([ERROR], ONCE, healthy).state
    expect(run([OK], quiet, down).told).toEqual([['incident-closed error>ok']])
  })
})

describe('retireMetric', () => {
  it('a metric that is judged no more closes its incident and is pending again', () => {
    const down = run([ERROR], ONCE, healthy).state
    const { state, events } = retireMetric(down, ONCE, 50_000)
    expect(events.map(event => event.type)).toEqual(['incident-closed'])
    expect(events[0]).toMatchObject({
      from: 'error',
      to: 'unknown',
      cause: 'pending',
      atMs: 50_000,
      problemSinceMs: 2_000,
    })
    expect(state).toEqual(initialMetricState(50_000))
  })

  it('a healthy one changes without incident, a pending one not at all', () => {
    expect(retireMetric(healthy, RULE, 50_000).events.map(event => event.type)).toEqual(['hard-changed'])
    const pending = initialMetricState(0)
    expect(retireMetric(pending, RULE, 50_000).state).toBe(pending)
  })
})
