import type { HostStateName } from '@narval/contracts'
import {
  evaluateMetric,
  isAlike,
  isCutOff,
  isFlapping,
  type MetricEvent,
  type MetricInput,
  type MetricState,
  type Severity,
  type UnknownCause,
} from '@narval/engine'
import type { KeptEvent } from './event-log.ts'
import { type HostEntry, isActive, type MetricEntry } from './fleet/model.ts'
import { stateByLife } from './host-roll-up.ts'
import type { LateHostRun } from './late-runs.ts'
import { CAUSE_TEXTS } from './texts.ts'

/** What an evaluation leaves to be written and said. */
export interface Effects {
  /** Metrics whose state changed: a row each. */
  readonly states: Set<MetricEntry>
  readonly events: { readonly metric: MetricEntry; readonly event: MetricEvent; readonly key: string }[]
  /** Hosts whose roll-up may have changed. */
  readonly hosts: Set<HostEntry>
  /** When the life test of a host was confirmed to be otherwise, by the arrival of the run that says so. */
  readonly changedMs: Map<HostEntry, number>
  /** Hosts that can be reached again: what hangs on them, or runs on them, is looked at again. */
  readonly released: Set<HostEntry>
  /** Metrics with a new value or state: what live rows show. */
  readonly fresh: Set<MetricEntry>
  /** Runs that came too late to be judged: what availability knows by them. */
  readonly late: LateHostRun[]
  /** Messages that were received. */
  readonly received: KeptEvent[]
  /** Each confirmed change, in its order: what the history has a row of. */
  readonly changes: ConfirmedChange[]
  /** What life tests made of their hosts, likewise. */
  readonly lives: LifeChange[]
}

/** A metric's severity, or its cause, is confirmed to be otherwise; `atMs` by the server's clock. */
interface ConfirmedChange {
  readonly metric: MetricEntry
  readonly atMs: number
  readonly severity: Severity
  readonly cause: UnknownCause | null
}
interface LifeChange {
  readonly host: HostEntry
  readonly atMs: number
  readonly state: HostStateName
  readonly flapping: boolean
}

export const createEffects = (): Effects => ({
  ...{ states: new Set(), events: [], hosts: new Set(), fresh: new Set(), released: new Set() },
  late: [],
  ...{ changedMs: new Map(), received: [], changes: [], lives: [] },
})

/**
 * Judges one metric on one input, keeping what changed. `origin` makes the keys of its events unique; `told` is said of it
 * in place of the words of its cause.
 */
export const judgeMetric = (
  effects: Effects,
  metric: MetricEntry,
  input: MetricInput,
  nowMs: number,
  origin: string,
  told?: string,
): void => {
  if (!isActive(metric)) return
  const { life } = metric.scanner.host
  const suppressed = life !== null && life !== metric && isCutOff(life.state)
  const { state, events } = evaluateMetric(metric.state, { ...input, suppressed }, metric.rule, nowMs)
  effects.fresh.add(metric)
  const information = told ?? informationOf(input, state.severity === 'unknown' ? state.cause : null)
  const isSame = isAlike(state, metric.state) && information === metric.information
  if (isSame) {
    // What is remembered of changes goes on, and is written with the next change (`keepMemory`).
    metric.state = state
    return
  }
  if (state.hardSeverity !== metric.state.hardSeverity || state.hardCause !== metric.state.hardCause) {
    effects.hosts.add(metric.scanner.host)
    if (metric === life) effects.changedMs.set(metric.scanner.host, nowMs)
  }
  note(effects, metric, state, nowMs)
  metric.state = state
  metric.information = information
  effects.states.add(metric)
  for (const event of events) effects.events.push({ metric, event, key: `${origin}:${metric.id}:${event.type}` })
}

/** Keeps what the history has rows of: no two changes of a state at one moment are told from each other. */
const note = (effects: Effects, metric: MetricEntry, state: MetricState, nowMs: number): void => {
  const { state: before } = metric
  const { host } = metric.scanner
  const isOther = state.hardSeverity !== before.hardSeverity || state.hardCause !== before.hardCause
  // A cause that changes alone leaves `hardSinceMs` where the severity began.
  const atMs = state.hardSeverity === before.hardSeverity ? Math.max(nowMs, state.hardSinceMs) : state.hardSinceMs
  if (isOther) effects.changes.push({ metric, atMs, severity: state.hardSeverity, cause: state.hardCause })
  const flapping = isFlapping(state.flapping)
  if (metric === host.life && (isOther || flapping !== isFlapping(before.flapping)))
    effects.lives.push({ host, atMs, state: stateByLife(state), flapping })
}

const informationOf = (input: MetricInput, cause: UnknownCause | null): string =>
  input.type === 'failed' ? input.message : cause === null ? '' : CAUSE_TEXTS[cause]
