import type { HostState } from './host-state.ts'
import type { MaintenanceSpan } from './maintenance.ts'

/**
 * What a moment counts as, what wins first: non supervisé, hors service, maintenance, injoignable, bagotant, then the
 * state. Each moment of a period counts as exactly one of them.
 */
export const AVAILABILITY_REASONS = [
  'not-monitored',
  'out-of-service',
  'maintenance',
  'unreachable',
  'flapping',
  'down',
  'unknown',
  'available',
] as const
export type AvailabilityReason = (typeof AVAILABILITY_REASONS)[number]

/** A state that a host took on, and held until the next one. */
export interface HostStateChange {
  readonly atMs: number
  readonly state: HostState
  readonly flapping: boolean
}
/** What a probe told afterwards of a time of which nothing was known. */
export interface LateSpan extends MaintenanceSpan {
  readonly good: boolean
}
export interface MaintenanceTime extends MaintenanceSpan {
  readonly id: number
}

/** All that is known of a host in a period; epoch ms, spans in any order, overlapping or not, inside or not. */
export interface HostHistory {
  readonly period: MaintenanceSpan
  /** Not monitored before: when it was created. */
  readonly sinceMs: number
  /** The last one before the period too: it holds at its beginning. */
  readonly changes: readonly HostStateChange[]
  /** When the server did not run: nothing was judged. */
  readonly stopped: readonly MaintenanceSpan[]
  readonly late: readonly LateSpan[]
  readonly maintenances: readonly MaintenanceTime[]
  /** When it is to work; null: at any time. */
  readonly service: readonly MaintenanceSpan[] | null
}

/** How a state came to be known: as it happened, told afterwards, or not at all as the server did not run or kept nothing. */
export type StateSource = 'live' | 'late' | 'stopped' | 'none'

/** A stretch of a period that counts as one thing. */
export interface AvailabilityInterval extends MaintenanceSpan {
  readonly reason: AvailabilityReason
  /** The host's state meanwhile, whether it counts or not. */
  readonly state: HostState
  readonly source: StateSource
  /** Those that covered it, ignored ones too, by id. */
  readonly maintenances: readonly number[]
}

/**
 * Cuts a period into what each of its moments counts as: in order, without holes or overlaps, neighbours different. A
 * maintenance that is ignored is told, and does not count.
 */
export const availabilityIntervals = (history: HostHistory, ignoreMaintenance = false): AvailabilityInterval[] => {
  const { period, sinceMs, service } = history
  const stateAt = stateReader(history)
  const maintenanceAt = coverReader(history.maintenances)
  const serviceAt = service === null ? null : coverReader(service)
  const intervals: AvailabilityInterval[] = []
  const cuts = cutsOf(history)
  for (const [index, fromMs] of cuts.entries()) {
    const known = stateAt(fromMs)
    const maintenances = idsOf(maintenanceAt(fromMs))
    const inService = serviceAt === null || serviceAt(fromMs).length > 0
    const reason =
      fromMs < sinceMs ? 'not-monitored' : reasonOf(known, inService, !ignoreMaintenance && maintenances.length > 0)
    const toMs = cuts[index + 1] ?? period.toMs
    addInterval(intervals, { fromMs, toMs, reason, state: known.state, source: known.source, maintenances })
  }
  return intervals
}

interface Known {
  readonly state: HostState
  readonly flapping: boolean
  readonly source: StateSource
}

// What flaps is known to answer and not to answer in turn: nothing flaps while nothing is known.
const reasonOf = ({ state, flapping }: Known, inService: boolean, inMaintenance: boolean): AvailabilityReason => {
  if (state === 'disabled') return 'not-monitored'
  if (!inService) return 'out-of-service'
  if (inMaintenance) return 'maintenance'
  if (state === 'unreachable') return 'unreachable'
  if (state === 'unknown' || state === 'pending') return 'unknown'
  return flapping ? 'flapping' : state
}

/** Every moment of the period at which something begins or ends, its beginning first. */
const cutsOf = ({ period, sinceMs, changes, stopped, late, maintenances, service }: HostHistory): number[] => {
  if (period.toMs <= period.fromMs) return []
  const cuts = [period.fromMs]
  const add = (ms: number): void => {
    if (ms > period.fromMs && ms < period.toMs) cuts.push(ms)
  }
  add(sinceMs)
  for (const { atMs } of changes) add(atMs)
  for (const spans of [stopped, late, maintenances, service ?? []]) {
    for (const { fromMs, toMs } of spans) {
      add(fromMs)
      add(toMs)
    }
  }
  cuts.sort((a, b) => a - b)
  return cuts.filter((cut, index) => cut !== cuts[index - 1])
}

const NONE: Known = { state: 'unknown', flapping: false, source: 'none' }
const STOPPED: Known = { state: 'unknown', flapping: false, source: 'stopped' }
const LATE_GOOD: Known = { state: 'available', flapping: false, source: 'late' }
const LATE_BAD: Known = { state: 'down', flapping: false, source: 'late' }

/** Tells what is known at moments asked in order; what came late fills what is unknown, and overrides nothing. */
const stateReader = ({ changes, stopped, late }: HostHistory): ((atMs: number) => Known) => {
  const sorted = changes.toSorted((a, b) => a.atMs - b.atMs)
  const stoppedAt = coverReader(stopped)
  const lateAt = coverReader(late)
  let next = 0
  let live: Known = NONE
  return atMs => {
    for (let change = sorted[next]; change !== undefined && change.atMs <= atMs; change = sorted[next]) {
      live = { state: change.state, flapping: change.flapping, source: 'live' }
      next += 1
    }
    const isStopped = stoppedAt(atMs).length > 0
    const told = lateAt(atMs)
    if (live.state === 'disabled') return live
    const known = isStopped ? STOPPED : live
    if (told.length === 0 || (known.state !== 'unknown' && known.state !== 'pending')) return known
    return told.every(({ good }) => good) ? LATE_GOOD : LATE_BAD
  }
}

/** Tells which spans hold a moment, for moments asked in order. */
const coverReader = <S extends MaintenanceSpan>(spans: readonly S[]): ((atMs: number) => readonly S[]) => {
  const sorted = spans.toSorted((a, b) => a.fromMs - b.fromMs)
  let next = 0
  let held: S[] = []
  return atMs => {
    if (held.some(({ toMs }) => toMs <= atMs)) held = held.filter(({ toMs }) => toMs > atMs)
    for (let span = sorted[next]; span !== undefined && span.fromMs <= atMs; span = sorted[next]) {
      if (span.toMs > atMs) held.push(span)
      next += 1
    }
    return held
  }
}

const NO_IDS: readonly number[] = []
const idsOf = (spans: readonly MaintenanceTime[]): readonly number[] =>
  spans.length === 0 ? NO_IDS : [...new Set(spans.map(({ id }) => id))].sort((a, b) => a - b)

const addInterval = (intervals: AvailabilityInterval[], interval: AvailabilityInterval): void => {
  const last = intervals.at(-1)
  if (last === undefined || !isAlike(last, interval)) intervals.push(interval)
  else intervals[intervals.length - 1] = { ...last, toMs: interval.toMs }
}

const isAlike = (a: AvailabilityInterval, b: AvailabilityInterval): boolean =>
  a.reason === b.reason &&
  a.state === b.state &&
  a.source === b.source &&
  a.maintenances.length === b.maintenances.length &&
  a.maintenances.every((id, index) => id === b.maintenances[index])
