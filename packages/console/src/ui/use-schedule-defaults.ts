import { parameterRoutes, type Scanner, SETTINGS } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import type { ScheduleField } from '../lib/schedule.ts'
import { useSession } from '../lib/session.ts'

export type ScheduleDefaults = Readonly<Record<ScheduleField, number>>

/**
 * What an empty field of the schedule stands for: what is in force for this very scanner, else the platform's settings
 * where the account may read them, else the settings' own defaults.
 */
export const useScheduleDefaults = (scanner: Scanner | null): ScheduleDefaults => {
  const reads = useSession().can('parameter_write')
  const { data } = useQuery({
    queryKey: ['parameter', 'collect'],
    queryFn: ({ signal }) => call(parameterRoutes.collect, { signal }),
    enabled: reads,
  })
  const defaultOf = (field: ScheduleField): number => {
    // A rule of its host or its site may stand between the scanner and the platform.
    if (scanner !== null && scanner[field] === null) return scanner.effective[field]
    const setting = data?.find(entry => entry.key === field)?.value
    return typeof setting === 'number' ? setting : SETTINGS[field].default
  }
  return {
    intervalSeconds: defaultOf('intervalSeconds'),
    retryIntervalSeconds: defaultOf('retryIntervalSeconds'),
    timeoutMs: defaultOf('timeoutMs'),
    attempts: defaultOf('attempts'),
  }
}
