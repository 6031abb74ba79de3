import type { AvailabilityTotal } from '@narval/contracts'
import type { AvailabilityReason } from '@narval/engine'
import { NNBSP, NOTHING } from './format.ts'

type Times = Pick<
  AvailabilityTotal,
  | 'availableMs'
  | 'downMs'
  | 'unreachableMs'
  | 'flappingMs'
  | 'unknownMs'
  | 'maintenanceMs'
  | 'outOfServiceMs'
  | 'notMonitoredMs'
>

/** What time counts as, good first, then bad, then what is set apart: the order of bars and legends. */
export const TIME_PARTS: readonly (readonly [reason: AvailabilityReason, time: keyof Times])[] = [
  ['available', 'availableMs'],
  ['down', 'downMs'],
  ['unreachable', 'unreachableMs'],
  ['flapping', 'flappingMs'],
  ['unknown', 'unknownMs'],
  ['maintenance', 'maintenanceMs'],
  ['out-of-service', 'outOfServiceMs'],
  ['not-monitored', 'notMonitoredMs'],
]

export interface TimePart {
  readonly reason: AvailabilityReason
  readonly ms: number
  /** Of the whole, 0 to 1. */
  readonly share: number
}

/** The parts that there are, with their share of the whole. */
export const timeParts = (times: Times): TimePart[] => {
  const whole = TIME_PARTS.reduce((sum, [, name]) => sum + times[name], 0)
  return TIME_PARTS.map(([reason, name]) => ({
    reason,
    ms: times[name],
    share: whole === 0 ? 0 : times[name] / whole,
  })).filter(({ ms }) => ms > 0)
}

const percent = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 3, maximumFractionDigits: 3 })

/** « 99,999 % »: the ratio comes floored to as many decimals, so that one failure never shows 100 %; « — » for none. */
export const formatAvailability = (ratio: number | null): string =>
  ratio === null ? NOTHING : `${percent.format(ratio * 100)}${NNBSP}%`
