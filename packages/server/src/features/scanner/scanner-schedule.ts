import type { ScannerInput, Settings } from '@narval/contracts'
import { invalidField } from '../../http/refusal.ts'
import { effectiveSchedule } from '../../monitoring/run/scanner-list.ts'

const scheduleColumns = (input: ScannerInput) => ({
  interval_seconds: input.intervalSeconds,
  retry_interval_seconds: input.retryIntervalSeconds,
  timeout_ms: input.timeoutMs,
  attempts: input.attempts,
})

/** The retry never exceeds the interval, nor the timeout the retry. @throws Refusal beside the field to correct. */
export const checkSchedule = (input: ScannerInput, settings: Settings): void => {
  if (input.intervalSeconds !== null && (input.retryIntervalSeconds ?? 0) > input.intervalSeconds)
    throw invalidField(
      'retryIntervalSeconds',
      "L'intervalle entre deux tentatives ne peut dépasser l'intervalle de contrôle.",
    )
  const { retryIntervalSeconds } = effectiveSchedule(scheduleColumns(input), settings)
  if ((input.timeoutMs ?? 0) > retryIntervalSeconds * 1_000)
    throw invalidField(
      'timeoutMs',
      `Le délai d'attente ne peut dépasser l'intervalle entre deux tentatives (${retryIntervalSeconds} s).`,
    )
}
