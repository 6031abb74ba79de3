import {
  evaluateMetric,
  isAlike,
  isCutOff,
  type MetricEvent,
  type MetricInput,
  type UnknownCause,
} from '@narval/engine'
import type { KeptEvent } from './event-log.ts'
import { type HostEntry, isActive, type MetricEntry } from './fleet/model.ts'
import { CAUSE_TEXTS } from './texts.ts'

/** What an evaluation leaves to be written and said. */
export interface Effects {
  /** Metrics whose state changed: a row each. */
  readonly states: Set<MetricEntry>
  readonly events: { readonly metric: MetricEntry; readonly event: MetricEvent; readonly key: string }[]
  /** Hosts whose roll-up may have changed. */
  readonly hosts: Set<HostEntry>
  /** Hosts that can be reached again: what hangs on them, or runs on them, is looked at again. */
  readonly released: Set<HostEntry>
  /** Metrics with a new value or state: what live rows show. */
  readonly fresh: Set<MetricEntry>
  /** Messages that were received. */
  readonly received: KeptEvent[]
}

export const createEffects = (): Effects => ({
  ...{ states: new Set(), events: [], hosts: new Set(), fresh: new Set(), released: new Set() },
  received: [],
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
  if (state.hardSeverity !== metric.state.hardSeverity || state.hardCause !== metric.state.hardCause)
    effects.hosts.add(metric.scanner.host)
  metric.state = state
  metric.information = information
  effects.states.add(metric)
  for (const event of events) effects.events.push({ metric, event, key: `${origin}:${metric.id}:${event.type}` })
}

const informationOf = (input: MetricInput, cause: UnknownCause | null): string =>
  input.type === 'failed' ? input.message : cause === null ? '' : CAUSE_TEXTS[cause]
