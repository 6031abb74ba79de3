import { CHECKS, type CheckKind, SETTINGS } from '@narval/contracts'
import { formatNumber, NNBSP } from './format.ts'

/** The figures of a scanner's schedule, in the order of the form. */
export const SCHEDULE_FIELDS = ['intervalSeconds', 'retryIntervalSeconds', 'timeoutMs', 'attempts'] as const
/** What waits for messages has no time limit; what the server runs is not tried again either. */
export const scheduleFieldsOf = (kind: CheckKind): readonly (typeof SCHEDULE_FIELDS)[number][] =>
  SCHEDULE_FIELDS.filter(field => {
    if (field === 'timeoutMs') return CHECKS[kind].passive !== true && CHECKS[kind].runner !== 'server'
    return field !== 'retryIntervalSeconds' || CHECKS[kind].runner !== 'server'
  })
export type ScheduleField = (typeof SCHEDULE_FIELDS)[number]

/** A figure of the schedule with its unit: « 60 s ». */
export const scheduleText = (field: ScheduleField, value: number): string => {
  const { unit } = SETTINGS[field]
  return unit === '' ? formatNumber(value, 0) : `${formatNumber(value, 0)}${NNBSP}${unit}`
}
