import { type FlappingMemory, isFlapping, lastMeasured, nextFlapping } from './flapping.ts'
import {
  initialMetricState,
  type MetricEvaluation,
  type MetricEvent,
  type MetricEventType,
  type MetricInput,
  type MetricRule,
  type MetricState,
  type UnknownCause,
} from './metric-state.ts'
import { type Severity, worse } from './severity.ts'
import { nextRaised, raisedSeverity } from './threshold.ts'

const NO_EVENTS: readonly MetricEvent[] = []

/**
 * Judges one result. `nowMs` is the server's time when the result arrived (recorded with it, so that a replay gives the
 * same); late results must not come here (`isLate`, `isBacklog`).
 */
export const evaluateMetric = (
  state: MetricState,
  input: MetricInput,
  rule: MetricRule,
  nowMs: number,
): MetricEvaluation => {
  switch (input.type) {
    case 'value': {
      if (!Number.isFinite(input.value)) return judged(state, input, rule, nowMs, 'unknown', 'no-data', state.raised)
      const raised = nextRaised(input.value, rule.thresholds, state.raised)
      return judged(state, input, rule, nowMs, raisedSeverity(raised), null, raised)
    }
    case 'failed':
      return judged(state, input, rule, nowMs, 'error', null, state.raised)
    case 'unknown':
      return judged(state, input, rule, nowMs, 'unknown', input.cause, state.raised)
    default:
      return input satisfies never
  }
}

/**
 * The metric is judged no more (deleted, disabled): back to pending. The only way but a good result in which an
 * incident ends; its event says so by `to: 'unknown'`.
 */
export const retireMetric = (state: MetricState, rule: MetricRule, nowMs: number): MetricEvaluation => {
  const atMs = notBefore(state, nowMs)
  const before = isFlapping(state.flapping) ? { ...state, flapping: 0 } : state
  return settle(before, initialMetricState(atMs), { type: 'unknown', cause: 'pending' }, rule, atMs)
}

const judged = (
  state: MetricState,
  input: MetricInput,
  rule: MetricRule,
  nowMs: number,
  severity: Severity,
  cause: UnknownCause | null,
  raised: number,
): MetricEvaluation => {
  const flapping = nextMemory(state, input, rule, severity)
  if (severity === 'ok' && state.severity === 'ok' && isFlapping(flapping) === isFlapping(state.flapping))
    return flapping === state.flapping ? same(state) : { state: { ...state, flapping }, events: NO_EVENTS }
  if (cause === 'pending' || (rule.noData === 'keep' && isSilence(cause))) return same(state)
  const atMs = notBefore(state, nowMs)
  const after =
    severity === 'ok' ? good(state, flapping, atMs) : bad(state, input, rule, severity, cause, raised, flapping, atMs)
  const isSteady = !isFlapping(flapping) && !isFlapping(state.flapping)
  return settle(state, isSteady ? after : whileFlapping(state, after), input, rule, atMs)
}

/** Measured results alone are changes: silence, and what is confirmed elsewhere, leave the memory as it is. */
const nextMemory = (state: MetricState, input: MetricInput, rule: MetricRule, severity: Severity): number => {
  if (severity === 'unknown') return state.flapping
  const mayStart = state.incident !== null || (rule.opensIncident && input.suppressed !== true)
  return nextFlapping(state.flapping, severity, rule.flapping, mayStart)
}

/** Its incident stays as it was told from the start to the end, whatever is measured; at the end it is as bad as the state. */
const whileFlapping = (before: MetricState, after: MetricState): MetricState => {
  const wasFlapping = isFlapping(before.flapping)
  if (wasFlapping && !isFlapping(after.flapping)) {
    const incident = before.incident === null ? after.incident : after.severity
    return { ...after, incident: after.severity === 'ok' ? null : incident }
  }
  if (wasFlapping) return { ...after, incident: before.incident }
  // It starts at a change: one of the two severities is bad.
  const told = worse(after.severity, lastMeasured(before.flapping) ?? after.severity)
  return { ...after, incident: before.incident === null ? told : worse(told, before.incident), held: 0 }
}

const same = (state: MetricState): MetricEvaluation => ({ state, events: NO_EVENTS })

/** Nothing was heard of the metric at all, as opposed to a run that failed. */
const isSilence = (cause: UnknownCause | null): boolean =>
  cause === 'no-data' || cause === 'metric-vanished' || isConfirmedElsewhere(cause)

// Verdicts on a probe, its link or on parents were confirmed by a rule of their own: counting attempts again would only delay them.
const isConfirmedElsewhere = (cause: UnknownCause | null): boolean =>
  cause === 'probe-offline' || cause === 'probe-link' || cause === 'host-unreachable'

/** Causes that have their incident elsewhere: on the probe, its link, the parents, or the scanner's availability metric. */
const hasIncidentElsewhere = (cause: UnknownCause | null): boolean =>
  isConfirmedElsewhere(cause) || cause === 'scanner-failed' || cause === 'credentials-refused'

// A server's clock set back must not give negative durations.
const notBefore = (state: MetricState, nowMs: number): number => Math.max(nowMs, state.sinceMs, state.hardSinceMs)

// Good is at once hard and final: no threshold is raised any more, nothing is counted.
const good = (state: MetricState, flapping: FlappingMemory, atMs: number): MetricState => {
  return {
    severity: 'ok',
    kind: 'hard',
    attempt: 0,
    hardSeverity: 'ok',
    sinceMs: state.severity === 'ok' ? state.sinceMs : atMs,
    hardSinceMs: state.hardSeverity === 'ok' ? state.hardSinceMs : atMs,
    cause: null,
    hardCause: null,
    raised: 0,
    problemSinceMs: null,
    incident: null,
    held: 0,
    flapping,
  }
}

const bad = (
  state: MetricState,
  input: MetricInput,
  rule: MetricRule,
  severity: Severity,
  cause: UnknownCause | null,
  raised: number,
  flapping: FlappingMemory,
  atMs: number,
): MetricState => {
  const wasConfirmed = isConfirmedProblem(state, severity)
  const attempt = wasConfirmed ? state.attempt : Math.min(state.kind === 'soft' ? state.attempt + 1 : 1, rule.attempts)
  const isHard = wasConfirmed || (attempt >= rule.attempts && input.unconfirmed !== true) || isConfirmedElsewhere(cause)
  const mayOpen = rule.opensIncident && input.suppressed !== true && !hasIncidentElsewhere(cause)
  const isOpening = state.incident === null && isHard && mayOpen && (!wasConfirmed || state.held + 1 >= rule.attempts)
  const isTold = isOpening || (state.incident !== null && severity !== 'unknown')
  return {
    severity,
    kind: isHard ? 'hard' : 'soft',
    attempt,
    hardSeverity: isHard ? severity : state.hardSeverity,
    sinceMs: state.severity === severity ? state.sinceMs : atMs,
    hardSinceMs: isHard && state.hardSeverity !== severity ? atMs : state.hardSinceMs,
    cause,
    hardCause: isHard ? cause : state.hardCause,
    raised,
    problemSinceMs: wasConfirmed || state.kind === 'soft' || state.incident !== null ? state.problemSinceMs : atMs,
    incident: isTold ? severity : state.incident,
    held: wasConfirmed && mayOpen && state.incident === null && !isOpening ? state.held + 1 : 0,
    flapping,
  }
}

/**
 * True when a bad result continues a confirmed problem, so that no attempts are counted. An `unknown` that opened no
 * incident (probe offline, failed scanner, pending) confirms nothing about the values that come after it.
 */
const isConfirmedProblem = (state: MetricState, severity: Severity): boolean => {
  if (state.kind === 'soft' || state.hardSeverity === 'ok' || state.hardCause === 'pending') return false
  // What can be reached again must fail by all its attempts, were its incident still open.
  if (state.hardCause === 'host-unreachable' && severity !== 'unknown') return false
  return state.incident !== null || state.hardSeverity !== 'unknown' || severity === 'unknown'
}

/** Compares two states: the same object and no event when they are alike, else what there is to tell. */
const settle = (
  before: MetricState,
  after: MetricState,
  input: MetricInput,
  rule: MetricRule,
  atMs: number,
): MetricEvaluation => {
  if (isAlike(before, after))
    return before.flapping === after.flapping
      ? same(before)
      : { state: { ...before, flapping: after.flapping }, events: NO_EVENTS }
  const events: MetricEvent[] = []
  const tell = (type: MetricEventType, from: Severity, to: Severity) =>
    events.push(event(type, from, to, before, after, input, rule, atMs))

  if (after.kind === 'soft') tell('soft-problem', before.severity, after.severity)
  else if (before.kind === 'soft' && after.severity === 'ok') tell('soft-recovered', before.severity, 'ok')

  const wasFlapping = isFlapping(before.flapping)
  if (wasFlapping !== isFlapping(after.flapping)) {
    const from = before.incident ?? before.hardSeverity
    if (wasFlapping) tell('flapping-ended', from, after.severity)
    else tell('flapping-started', from, after.incident ?? after.severity)
  } else if (before.incident === null && after.incident !== null)
    tell('incident-opened', before.hardSeverity, after.incident)
  else if (before.incident !== null && after.incident === null) tell('incident-closed', before.incident, after.severity)
  else if (before.incident !== null && after.incident !== null && before.incident !== after.incident)
    tell('incident-changed', before.incident, after.incident)
  else if (before.hardSeverity !== after.hardSeverity) tell('hard-changed', before.hardSeverity, after.hardSeverity)
  return { state: after, events: events.length === 0 ? NO_EVENTS : events }
}

/**
 * True when nothing differs that has to be written or shown. What is left out follows from the rest (a hard cause is the
 * cause of a hard state, times change with severities), or is a shift of the memory of changes.
 */
export const isAlike = (a: MetricState, b: MetricState): boolean =>
  a.severity === b.severity &&
  a.kind === b.kind &&
  a.attempt === b.attempt &&
  a.hardSeverity === b.hardSeverity &&
  a.cause === b.cause &&
  a.raised === b.raised &&
  a.incident === b.incident &&
  a.held === b.held &&
  isFlapping(a.flapping) === isFlapping(b.flapping)

const event = (
  type: MetricEventType,
  from: Severity,
  to: Severity,
  before: MetricState,
  after: MetricState,
  input: MetricInput,
  rule: MetricRule,
  atMs: number,
): MetricEvent => {
  return {
    type,
    ...(type === 'flapping-started' && before.incident === null ? { opens: true } : {}),
    from,
    to,
    cause: after.cause,
    atMs,
    sampleAtMs: input.atMs ?? atMs,
    attempt: after.attempt,
    attempts: rule.attempts,
    problemSinceMs: after.problemSinceMs ?? before.problemSinceMs,
    value: input.type === 'value' && Number.isFinite(input.value) ? input.value : null,
    message: input.type === 'unknown' ? '' : (input.message ?? ''),
  }
}
