import { describe, expect, it } from 'vitest'
import {
  evaluateHost,
  HOST_STATES,
  type HostInput,
  type HostState,
  hostState,
  initialHostStatus,
  suppressesIncidents,
} from './host-state.ts'
import type { UnknownCause } from './metric-state.ts'
import { EMPTY_TALLY, tallyMetric } from './metric-tally.ts'
import { countSeverities, type Severity } from './severity.ts'

const tallyOf = (...severities: Severity[]) => ({ counts: countSeverities(severities), soft: 0 })
const life = (hardSeverity: Severity, hardCause: UnknownCause | null = null) => ({ hardSeverity, hardCause })
const host = (changes: Partial<HostInput> = {}): HostInput => ({
  isEnabled: true,
  isProbeOffline: false,
  isUnreachable: false,
  life: life('ok'),
  tally: tallyOf('ok'),
  ...changes,
})

describe('hostState', () => {
  it.each<[string, Partial<HostInput>, HostState]>([
    ['its life test is good', {}, 'available'],
    ['its life test only warns', { life: life('warning') }, 'available'],
    ['its life test has failed', { life: life('error') }, 'down'],
    ['its life test is unknown', { life: life('unknown', 'no-data') }, 'unknown'],
    ['its life test was never heard of', { life: life('unknown', 'pending') }, 'pending'],
    ['its probe is silent', { isProbeOffline: true, life: life('error') }, 'unknown'],
    ['its parents are down', { isUnreachable: true, life: life('error') }, 'unreachable'],
    ['its parents are down and its probe silent', { isUnreachable: true, isProbeOffline: true }, 'unreachable'],
    ['it is disabled, whatever else', { isEnabled: false, isUnreachable: true, life: life('error') }, 'disabled'],
    ['it has no life test and no metric', { life: null, tally: EMPTY_TALLY }, 'pending'],
    ['it has no life test and something answers', { life: null, tally: tallyOf('unknown', 'error') }, 'available'],
    ['it has no life test and nothing answers', { life: null, tally: tallyOf('unknown', 'unknown') }, 'unknown'],
  ])('when %s', (_, changes, expected) => {
    expect(hostState(host(changes))).toBe(expected)
  })

  it('a soft failure of the life test is not down yet', () => {
    const soft = { severity: 'error', kind: 'soft', hardSeverity: 'ok', hardCause: null } as const
    expect(hostState(host({ life: soft }))).toBe('available')
  })

  it('only what is down, unreachable or disabled keeps the other metrics from opening incidents', () => {
    expect(HOST_STATES.filter(suppressesIncidents)).toEqual(['down', 'unreachable', 'disabled'])
  })
})

describe('evaluateHost', () => {
  it('tells each change of state once, with its time', () => {
    const up = evaluateHost(initialHostStatus(0), host(), 1_000)
    expect(up.events).toEqual([{ type: 'host-changed', from: 'pending', to: 'available', atMs: 1_000 }])
    const down = evaluateHost(up.state, host({ life: life('error'), tally: tallyOf('error') }), 2_000)
    expect(down.events).toEqual([{ type: 'host-changed', from: 'available', to: 'down', atMs: 2_000 }])
    expect(down.state).toMatchObject({ state: 'down', severity: 'error', sinceMs: 2_000 })
    expect(evaluateHost(down.state, host({ life: life('error'), tally: tallyOf('error') }), 3_000)).toEqual({
      state: down.state,
      events: [],
    })
  })

  it('gives the same object back when nothing changed', () => {
    const { state } = evaluateHost(initialHostStatus(0), host(), 1_000)
    expect(evaluateHost(state, host(), 2_000).state).toBe(state)
  })

  it('a metric’s change changes the severity, not the state nor its since', () => {
    const { state } = evaluateHost(initialHostStatus(0), host(), 1_000)
    const worse = evaluateHost(state, host({ tally: tallyOf('ok', 'warning') }), 2_000)
    expect(worse).toMatchObject({ state: { state: 'available', severity: 'warning', sinceMs: 1_000 }, events: [] })
  })

  it('R23 the host of a silent probe is unknown, never ok', () => {
    const { state } = evaluateHost(initialHostStatus(0), host({ isProbeOffline: true }), 1_000)
    expect(state).toMatchObject({ state: 'unknown', severity: 'unknown' })
  })

  it('a disabled host colours nothing', () => {
    const { state } = evaluateHost(initialHostStatus(0), host({ isEnabled: false, tally: tallyOf('error') }), 1_000)
    expect(state).toMatchObject({ state: 'disabled', severity: 'ok' })
  })

  it('R25 a clock set back never dates a state before the one it ends', () => {
    const { state } = evaluateHost(initialHostStatus(9_000), host(), 1_000)
    expect(state.sinceMs).toBe(9_000)
  })
})

describe('tallyMetric', () => {
  const metric = (hardSeverity: Severity, kind: 'soft' | 'hard' = 'hard') => ({ hardSeverity, kind })

  it('tiles count confirmed severities; a soft problem is counted apart', () => {
    const one = tallyMetric(EMPTY_TALLY, null, metric('ok'))
    const soft = tallyMetric(one, metric('ok'), metric('ok', 'soft'))
    expect(soft).toEqual({ counts: countSeverities(['ok']), soft: 1 })
    expect(tallyMetric(soft, metric('ok', 'soft'), metric('error'))).toEqual({
      counts: countSeverities(['error']),
      soft: 0,
    })
    expect(tallyMetric(soft, metric('ok', 'soft'), null)).toEqual(EMPTY_TALLY)
  })

  it('a change that changes no count gives the same object back', () => {
    const one = tallyMetric(EMPTY_TALLY, null, metric('ok'))
    expect(tallyMetric(one, metric('ok'), metric('ok'))).toBe(one)
  })
})
