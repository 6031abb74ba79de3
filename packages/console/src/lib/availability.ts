import type { AvailabilityTotal, MetricAvailabilityTotal } from '@narval/contracts'
import type { AvailabilityReason, MetricReason } from '@narval/engine'
import { NNBSP, NOTHING } from './format.ts'

/** What a stretch of time may count as, of equipment or of a metric. */
export type TimeReason = AvailabilityReason | MetricReason

type TimeName<Total> = Extract<keyof Total, `${'available' | 'down' | 'unreachable' | 'flapping'}Ms` | MetricTime>
type MetricTime = `${'ok' | 'warning' | 'error' | 'unknown' | 'maintenance' | 'outOfService' | 'notMonitored'}Ms`
/** Times of equipment, or of metrics. */
export type Times =
  | Pick<AvailabilityTotal, TimeName<AvailabilityTotal>>
  | Pick<MetricAvailabilityTotal, TimeName<MetricAvailabilityTotal>>

/** What time counts as, good first, then bad, then what is set apart: the order of bars and legends. */
export const TIME_PARTS: readonly (readonly [reason: TimeReason, time: TimeName<AvailabilityTotal> | MetricTime])[] = [
  ['available', 'availableMs'],
  ['ok', 'okMs'],
  ['warning', 'warningMs'],
  ['down', 'downMs'],
  ['error', 'errorMs'],
  ['unreachable', 'unreachableMs'],
  ['flapping', 'flappingMs'],
  ['unknown', 'unknownMs'],
  ['maintenance', 'maintenanceMs'],
  ['out-of-service', 'outOfServiceMs'],
  ['not-monitored', 'notMonitoredMs'],
]

export interface TimePart {
  readonly reason: TimeReason
  readonly ms: number
  /** Of the whole, 0 to 1. */
  readonly share: number
}

/** The parts that there are, with their share of the whole. */
export const timeParts = (times: Times): TimePart[] => {
  const own: Readonly<Record<string, number>> = { ...times }
  const parts = TIME_PARTS.map(([reason, name]) => ({ reason, ms: own[name] ?? 0 })).filter(({ ms }) => ms > 0)
  const whole = parts.reduce((sum, { ms }) => sum + ms, 0)
  return parts.map(part => ({ ...part, share: part.ms / whole }))
}

const percent = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 3, maximumFractionDigits: 3 })

/** « 99,999 % »: the ratio comes floored to as many decimals, so that one failure never shows 100 %; « — » for none. */
export const formatAvailability = (ratio: number | null): string =>
  ratio === null ? NOTHING : `${percent.format(ratio * 100)}${NNBSP}%`
