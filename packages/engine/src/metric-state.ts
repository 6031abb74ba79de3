import type { FlappingMemory, FlappingRule } from './flapping.ts'
import type { Severity } from './severity.ts'
import type { Thresholds } from './threshold.ts'

/** Why a severity is `unknown`. `pending`: nothing was ever heard of this metric. */
export const UNKNOWN_CAUSES = [
  'probe-offline',
  /** Its probe fails to reach what another one reaches. */
  'probe-link',
  'host-unreachable',
  'scanner-failed',
  'credentials-refused',
  'metric-vanished',
  'no-data',
  'pending',
] as const
export type UnknownCause = (typeof UNKNOWN_CAUSES)[number]

/** What silence means for a metric: `unknown` with its cause, or nothing (`keep` its last state). */
export type NoDataPolicy = 'unknown' | 'keep'

/** How a metric is judged, once inheritance is resolved. */
export interface MetricRule {
  readonly thresholds: Thresholds
  /** Bad results in a row before a state is confirmed, 1 … 20. */
  readonly attempts: number
  readonly noData: NoDataPolicy
  /** False: states are kept, and an incident already open still closes, but none opens. */
  readonly opensIncident: boolean
  /** Left out or null: changes of severity are not looked at. */
  readonly flapping?: FlappingRule | null
}

/** Where a metric stands. Immutable: an evaluation that changes nothing gives the same object back. */
export interface MetricState {
  /** Of the last result. */
  readonly severity: Severity
  /** `soft`: bad, not confirmed yet. */
  readonly kind: 'soft' | 'hard'
  /** Bad results in a row so far, at most the rule's attempts; 0 when good. */
  readonly attempt: number
  /** The last confirmed severity, the one that roll-ups count. */
  readonly hardSeverity: Severity
  /** Since when `severity`, epoch ms of the server. */
  readonly sinceMs: number
  readonly hardSinceMs: number
  /** Of `severity`; null unless it is `unknown`. */
  readonly cause: UnknownCause | null
  /** Of `hardSeverity`; `pending` until something is confirmed for the first time. */
  readonly hardCause: UnknownCause | null
  /** Thresholds crossed and not cleared: bits of `RAISED`. */
  readonly raised: number
  /** First bad result of the present problem; null when good. */
  readonly problemSinceMs: number | null
  /** Severity last told of the open incident; null when none is open. */
  readonly incident: Severity | null
  /** Results in a row that would confirm an incident that was held back when the state became hard. */
  readonly held: number
  /** Changes of severity among the last measured results, and whether it flaps (`isFlapping`, `flappingPercent`). */
  readonly flapping: FlappingMemory
}

interface InputBase {
  /** When the result was measured (probe's clock, skew corrected); told in events. Left out: `nowMs`. */
  readonly atMs?: number
  /** The host's life test has failed or its parents are down: no incident opens, those open still close. */
  readonly suppressed?: boolean
  /** What its host hangs on may explain it: it stays soft at its last attempt. */
  readonly unconfirmed?: boolean
}
/** A measured value; one that is not finite counts as no data. */
export interface ValueInput extends InputBase {
  readonly type: 'value'
  readonly value: number
  /** French sentence for the incident, if any. */
  readonly message?: string
}
/** The availability metric of a run that failed: an error whatever the thresholds. */
export interface FailedInput extends InputBase {
  readonly type: 'failed'
  readonly message: string
}
/** No value: silence, or the other metrics of a run that failed. */
export interface UnknownInput extends InputBase {
  readonly type: 'unknown'
  readonly cause: UnknownCause
}
export type MetricInput = ValueInput | FailedInput | UnknownInput

/**
 * What an evaluation can tell; one evaluation gives each type at most once, so (run, metric, type) is a unique key; a batch may hold several runs of a scanner.
 * `soft-*` go to the history only. A change of the confirmed severity gives exactly one of the others. While a metric
 * flaps its incident stays as it was told: `flapping-started` opens one where there was none, `flapping-ended` closes it
 * when the metric is good.
 */
export const METRIC_EVENTS = [
  'soft-problem',
  'soft-recovered',
  'hard-changed',
  'incident-opened',
  'incident-changed',
  'incident-closed',
  'flapping-started',
  'flapping-ended',
] as const
export type MetricEventType = (typeof METRIC_EVENTS)[number]

export interface MetricEvent {
  readonly type: MetricEventType
  readonly from: Severity
  readonly to: Severity
  /** Of `to` when it is `unknown`. */
  readonly cause: UnknownCause | null
  /** Of `flapping-started`: it opens the incident, there was none. */
  readonly opens?: true
  /** When it was judged, epoch ms of the server; never before the state that it ends. */
  readonly atMs: number
  /** When it was measured. */
  readonly sampleAtMs: number
  readonly attempt: number
  /** Attempts of the rule at that time. */
  readonly attempts: number
  /** First bad result of the problem that this event speaks of, or that it ends. */
  readonly problemSinceMs: number | null
  /** The measured value; null when there is none. */
  readonly value: number | null
  readonly message: string
}

export interface MetricEvaluation {
  readonly state: MetricState
  readonly events: readonly MetricEvent[]
}

/** A metric of which nothing was heard yet: `unknown`, pending, without incident. */
export const initialMetricState = (nowMs: number): MetricState => ({
  severity: 'unknown',
  kind: 'hard',
  attempt: 0,
  hardSeverity: 'unknown',
  sinceMs: nowMs,
  hardSinceMs: nowMs,
  cause: 'pending',
  hardCause: 'pending',
  raised: 0,
  problemSinceMs: null,
  incident: null,
  held: 0,
  flapping: 0,
})

/** The state without its memory of crossed thresholds: for when the thresholds themselves were changed. */
export const forgetRaised = (state: MetricState): MetricState => (state.raised === 0 ? state : { ...state, raised: 0 })
