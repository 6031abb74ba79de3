import { type Course, cutCourse, type Kind, type Outages, outagesOf, type StateSource } from './availability-course.ts'
import { type AvailabilityFigures, addTotals, figuresOf } from './availability-totals.ts'
import type { MaintenanceSpan } from './maintenance.ts'
import type { UnknownCause } from './metric-state.ts'
import type { Severity } from './severity.ts'

/** What a moment of a metric counts as, what wins first: non supervisé, hors service, maintenance, then its severity. */
export const METRIC_REASONS = [
  'not-monitored',
  'out-of-service',
  'maintenance',
  'error',
  'unknown',
  'warning',
  'ok',
] as const
export type MetricReason = (typeof METRIC_REASONS)[number]

/** A confirmed severity that a metric took on, and held until the next one; `disabled`: it counts no more. */
export interface MetricStateChange {
  readonly atMs: number
  readonly severity: Severity | 'disabled'
  /** Of an unknown one. */
  readonly cause: UnknownCause | null
}
/** All that is known of a metric in a period. */
export type MetricHistory = Course<MetricStateChange>

/** A stretch of a period that counts as one thing. */
export interface MetricInterval extends MaintenanceSpan {
  readonly reason: MetricReason
  /** Its severity meanwhile, whether it counts or not. */
  readonly severity: Severity | 'disabled'
  readonly cause: UnknownCause | null
  readonly source: StateSource
  /** Those that covered it, ignored ones too, by id. */
  readonly maintenances: readonly number[]
}

/** The same as `availabilityIntervals` of a host. */
export const metricIntervals = (history: MetricHistory, ignoreMaintenance = false): MetricInterval[] =>
  cutCourse(history, METRICS, ignoreMaintenance).map(({ fromMs, toMs, reason, known, maintenances }) => ({
    ...{ fromMs, toMs, reason, severity: known.severity, cause: known.cause, source: known.source, maintenances },
  }))

type Known = Omit<MetricStateChange, 'atMs'> & { readonly source: StateSource }
const known = (severity: Severity, source: StateSource): Known => ({ severity, cause: null, source })

const METRICS: Kind<MetricStateChange, Known, MetricReason> = {
  live: ({ severity, cause }) => ({ severity, cause, source: 'live' }),
  none: known('unknown', 'none'),
  stopped: known('unknown', 'stopped'),
  lateGood: known('ok', 'late'),
  lateBad: known('error', 'late'),
  lateUnknown: known('unknown', 'late'),
  meaning: ({ severity }) =>
    severity === 'error' ? 'bad' : severity === 'ok' || severity === 'warning' ? 'good' : severity,
  reasonOf: ({ severity }) => (severity === 'disabled' ? 'not-monitored' : severity),
  isSame: (a, b) => a.severity === b.severity && a.cause === b.cause && a.source === b.source,
}

/** What is made of a metric's time that is neither good nor bad by itself. */
export interface MetricAvailabilityRules {
  /** Counted apart; not looked at, as if there were none; or counted as good. */
  readonly maintenance: 'apart' | 'ignored' | 'available'
  readonly warning: 'available' | 'down'
  readonly unknown: 'apart' | 'down'
}
export const DEFAULT_METRIC_RULES: MetricAvailabilityRules = {
  maintenance: 'apart',
  warning: 'available',
  unknown: 'apart',
}

/** Time of a period by what it counts as: together exactly the period, or of several metrics the sum of theirs. */
export interface MetricTotals extends Outages {
  readonly okMs: number
  readonly warningMs: number
  readonly errorMs: number
  readonly unknownMs: number
  readonly maintenanceMs: number
  readonly outOfServiceMs: number
  readonly notMonitoredMs: number
}
export const NO_METRIC_TIME: MetricTotals = {
  ...{ okMs: 0, warningMs: 0, errorMs: 0, unknownMs: 0, maintenanceMs: 0, outOfServiceMs: 0, notMonitoredMs: 0 },
  ...{ outages: 0, longestOutageMs: 0 },
}

const TIME_OF: Readonly<Record<MetricReason, keyof Omit<MetricTotals, keyof Outages>>> = {
  'not-monitored': 'notMonitoredMs',
  'out-of-service': 'outOfServiceMs',
  maintenance: 'maintenanceMs',
  error: 'errorMs',
  unknown: 'unknownMs',
  warning: 'warningMs',
  ok: 'okMs',
}

/** Adds up intervals that follow each other; outages are what of them is bad by the rules, as of a host. */
export const metricTotals = (intervals: readonly MetricInterval[], rules: MetricAvailabilityRules): MetricTotals => {
  const totals = { ...NO_METRIC_TIME }
  for (const { fromMs, toMs, reason } of intervals) totals[TIME_OF[reason]] += toMs - fromMs
  const outages = outagesOf(
    intervals,
    ({ reason }) => isBad(reason, rules),
    ({ severity }) => isBad(severity, rules),
  )
  return { ...totals, ...outages }
}

const isBad = (reason: MetricReason | 'disabled', rules: MetricAvailabilityRules): boolean =>
  reason === 'error' ||
  (reason === 'warning' && rules.warning === 'down') ||
  (reason === 'unknown' && rules.unknown === 'down')

/** Of several metrics: times and outages add up, the longest outage is the longest of all. */
export const addMetricTotals = (a: MetricTotals, b: MetricTotals): MetricTotals =>
  addTotals(Object.values(TIME_OF), a, b)

/** What the times come to by the rules. */
export const metricFigures = (totals: MetricTotals, rules: MetricAvailabilityRules): AvailabilityFigures => {
  const { okMs, warningMs, errorMs, unknownMs, maintenanceMs, outages } = totals
  const isWarningGood = rules.warning === 'available'
  return figuresOf(
    okMs + (isWarningGood ? warningMs : 0) + (rules.maintenance === 'available' ? maintenanceMs : 0),
    errorMs + (isWarningGood ? 0 : warningMs) + (rules.unknown === 'down' ? unknownMs : 0),
    outages,
  )
}
