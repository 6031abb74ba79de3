import type { MetricState } from './metric-state.ts'
import { EMPTY_TALLY, isSameTally, type MetricTally } from './metric-tally.ts'
import { type Severity, type SeverityCounts, totalCounts, worse, worstOfCounts } from './severity.ts'

/** States of a host, worst first: indisponible, injoignable, inconnu, en attente, disponible, désactivé. */
export const HOST_STATES = ['down', 'unreachable', 'unknown', 'pending', 'available', 'disabled'] as const
export type HostState = (typeof HOST_STATES)[number]

export interface HostInput {
  readonly isEnabled: boolean
  /** Its probe was heard of before and is silent now. */
  readonly isProbeOffline: boolean
  /** All its parents are down. */
  readonly isUnreachable: boolean
  /** The availability metric of its life test; null when it has none. */
  readonly life: Pick<MetricState, 'hardSeverity' | 'hardCause'> | null
  /** Of its enabled metrics, the life test's included. */
  readonly tally: MetricTally
}

/** What is known of a host; immutable, the same object as long as nothing changes. */
export interface HostStatus {
  readonly state: HostState
  /** Worst of its state and of its metrics' confirmed severities. */
  readonly severity: Severity
  /** Since when `state`, epoch ms of the server. */
  readonly sinceMs: number
  readonly tally: MetricTally
}

export const initialHostStatus = (nowMs: number): HostStatus => ({
  state: 'pending',
  severity: 'unknown',
  sinceMs: nowMs,
  tally: EMPTY_TALLY,
})

export interface HostEvent {
  readonly type: 'host-changed'
  readonly from: HostState
  readonly to: HostState
  readonly atMs: number
}
export interface HostEvaluation {
  readonly state: HostStatus
  readonly events: readonly HostEvent[]
}

const NO_EVENTS: readonly HostEvent[] = []

/** The host's status after a change of one of its inputs; an event only when its state changes. */
export const evaluateHost = (before: HostStatus, input: HostInput, nowMs: number): HostEvaluation => {
  const state = hostState(input)
  const severity = hostSeverity(state, input.tally)
  if (state === before.state) {
    if (isSameTally(input.tally, before.tally)) return { state: before, events: NO_EVENTS }
    return { state: { ...before, severity, tally: input.tally }, events: NO_EVENTS }
  }
  const atMs = Math.max(nowMs, before.sinceMs)
  return {
    state: { state, severity, sinceMs: atMs, tally: input.tally },
    events: [{ type: 'host-changed', from: before.state, to: state, atMs }],
  }
}

/** Precedence: not monitored, then what hides the host, then its life test; without one, whether anything answers. */
export const hostState = (input: HostInput): HostState => {
  if (!input.isEnabled) return 'disabled'
  if (input.isUnreachable) return 'unreachable'
  if (input.isProbeOffline) return 'unknown'
  if (input.life === null) return stateWithoutLifeTest(input.tally.counts)
  if (input.life.hardSeverity === 'error') return 'down'
  if (input.life.hardSeverity !== 'unknown') return 'available'
  return input.life.hardCause === 'pending' ? 'pending' : 'unknown'
}

const stateWithoutLifeTest = (counts: SeverityCounts): HostState => {
  const total = totalCounts(counts)
  if (total === 0) return 'pending'
  return counts.unknown === total ? 'unknown' : 'available'
}

const STATE_SEVERITY: Readonly<Record<HostState, Severity>> = {
  down: 'error',
  unreachable: 'unknown',
  unknown: 'unknown',
  pending: 'unknown',
  available: 'ok',
  disabled: 'ok',
}

// A disabled host is not monitored: nothing of what it last showed may colour a list.
const hostSeverity = (state: HostState, tally: MetricTally): Severity =>
  state === 'disabled' ? 'ok' : worse(STATE_SEVERITY[state], worstOfCounts(tally.counts) ?? 'ok')

/** True when the other metrics of a host in this state open no incident (`suppressed` of their inputs). */
export const suppressesIncidents = (state: HostState): boolean =>
  state === 'down' || state === 'unreachable' || state === 'disabled'
