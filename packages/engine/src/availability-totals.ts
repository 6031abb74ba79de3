import { availabilityRatio } from './availability.ts'
import { type Outages, outagesOf } from './availability-course.ts'
import type { AvailabilityInterval, AvailabilityReason } from './availability-intervals.ts'
import type { HostState } from './host-state.ts'

/** What is made of time that is neither good nor bad by itself. */
export interface AvailabilityRules {
  /** Counted apart; not looked at, as if there were none; or counted as available. */
  readonly maintenance: 'apart' | 'ignored' | 'available'
  readonly unreachable: 'down' | 'apart'
  readonly unknown: 'apart' | 'down'
}
export const DEFAULT_AVAILABILITY_RULES: AvailabilityRules = {
  maintenance: 'apart',
  unreachable: 'down',
  unknown: 'apart',
}

/** Time of a period by what it counts as: together exactly the period, or of several hosts the sum of theirs. */
export interface AvailabilityTotals extends Outages {
  readonly availableMs: number
  readonly downMs: number
  readonly unreachableMs: number
  readonly flappingMs: number
  readonly unknownMs: number
  readonly maintenanceMs: number
  readonly outOfServiceMs: number
  readonly notMonitoredMs: number
}
export const NO_AVAILABILITY: AvailabilityTotals = {
  ...{ availableMs: 0, downMs: 0, unreachableMs: 0, flappingMs: 0, unknownMs: 0, maintenanceMs: 0 },
  ...{ outOfServiceMs: 0, notMonitoredMs: 0, outages: 0, longestOutageMs: 0 },
}

type Times = Omit<AvailabilityTotals, 'outages' | 'longestOutageMs'>
const TIME_OF: Readonly<Record<AvailabilityReason, keyof Times>> = {
  'not-monitored': 'notMonitoredMs',
  'out-of-service': 'outOfServiceMs',
  maintenance: 'maintenanceMs',
  unreachable: 'unreachableMs',
  flapping: 'flappingMs',
  down: 'downMs',
  unknown: 'unknownMs',
  available: 'availableMs',
}

/**
 * Adds up intervals that follow each other. An outage goes on through maintenance and closed hours as long as the host's
 * state stays bad meanwhile; its length is the time that counts.
 */
export const availabilityTotals = (
  intervals: readonly AvailabilityInterval[],
  rules: AvailabilityRules,
): AvailabilityTotals => {
  const totals = { ...NO_AVAILABILITY }
  for (const { fromMs, toMs, reason } of intervals) totals[TIME_OF[reason]] += toMs - fromMs
  const outages = outagesOf(
    intervals,
    ({ reason }) => isBad(reason, rules),
    ({ state }) => isBad(reasonOfState(state), rules),
  )
  return { ...totals, ...outages }
}

const isBad = (reason: AvailabilityReason, rules: AvailabilityRules): boolean =>
  reason === 'down' ||
  (reason === 'unreachable' && rules.unreachable === 'down') ||
  (reason === 'unknown' && rules.unknown === 'down')

const reasonOfState = (state: HostState): AvailabilityReason =>
  state === 'pending' ? 'unknown' : state === 'disabled' ? 'not-monitored' : state

/** Of several hosts: times and outages add up, the longest outage is the longest of all. */
export const addAvailability = (a: AvailabilityTotals, b: AvailabilityTotals): AvailabilityTotals =>
  addTotals(Object.values(TIME_OF), a, b)

type Totals<Time extends string> = Readonly<Record<Time, number>> & Outages

/** The same of any two, by the names of their times, each once. */
export const addTotals = <Time extends string>(
  times: readonly Time[],
  a: Totals<Time>,
  b: Totals<Time>,
): Totals<Time> => {
  const sum: Record<Time, number> = { ...a }
  for (const time of times) sum[time] += b[time]
  return {
    ...sum,
    outages: a.outages + b.outages,
    longestOutageMs: Math.max(a.longestOutageMs, b.longestOutageMs),
  }
}

/** Decimals of the ratio: a percentage with three. */
const RATIO_DECIMALS = 5

export interface AvailabilityFigures {
  /** Good time over good and bad time, floored to five decimals; null where neither was. */
  readonly ratio: number | null
  /** Bad time of an outage on average (MTTR), and good time between two (MTBF), whole ms; null without outage. */
  readonly mttrMs: number | null
  readonly mtbfMs: number | null
}

/** What the times come to by the rules; flapping, and what the rules set apart, is neither good nor bad. */
export const availabilityFigures = (totals: AvailabilityTotals, rules: AvailabilityRules): AvailabilityFigures =>
  figuresOf(
    totals.availableMs + (rules.maintenance === 'available' ? totals.maintenanceMs : 0),
    totals.downMs +
      (rules.unreachable === 'down' ? totals.unreachableMs : 0) +
      (rules.unknown === 'down' ? totals.unknownMs : 0),
    totals.outages,
  )

/** The same of good and bad time, ms, and the outages that the bad time was. */
export const figuresOf = (goodMs: number, badMs: number, outages: number): AvailabilityFigures => {
  const perOutage = (ms: number): number | null => (outages === 0 ? null : Math.round(ms / outages))
  return {
    ratio: availabilityRatio(goodMs, goodMs + badMs, RATIO_DECIMALS),
    mttrMs: perOutage(badMs),
    mtbfMs: perOutage(goodMs),
  }
}
