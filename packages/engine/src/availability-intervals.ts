import { type Course, cutCourse, type Kind, type StateSource } from './availability-course.ts'
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
/** All that is known of a host in a period. */
export type HostHistory = Course<HostStateChange>

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
export const availabilityIntervals = (history: HostHistory, ignoreMaintenance = false): AvailabilityInterval[] =>
  cutCourse(history, HOSTS, ignoreMaintenance).map(({ fromMs, toMs, reason, known, maintenances }) => ({
    ...{ fromMs, toMs, reason, state: known.state, source: known.source, maintenances },
  }))

interface Known {
  readonly state: HostState
  readonly flapping: boolean
  readonly source: StateSource
}
const known = (state: HostState, source: StateSource): Known => ({ state, flapping: false, source })

const HOSTS: Kind<HostStateChange, Known, AvailabilityReason> = {
  live: ({ state, flapping }) => ({ state, flapping, source: 'live' }),
  none: known('unknown', 'none'),
  stopped: known('unknown', 'stopped'),
  lateGood: known('available', 'late'),
  lateBad: known('down', 'late'),
  lateUnknown: known('unknown', 'late'),
  meaning: ({ state }) =>
    state === 'disabled'
      ? 'disabled'
      : state === 'unknown' || state === 'pending'
        ? 'unknown'
        : state === 'down'
          ? 'bad'
          : state === 'available'
            ? 'good'
            : 'other',
  // What flaps is known to answer and not to answer in turn: nothing flaps while nothing is known.
  reasonOf: ({ state, flapping }) => {
    if (state === 'disabled') return 'not-monitored'
    if (state === 'unreachable') return 'unreachable'
    if (state === 'unknown' || state === 'pending') return 'unknown'
    return flapping ? 'flapping' : state
  },
  isSame: (a, b) => a.state === b.state && a.source === b.source,
}
