import { AVAILABILITY_KEY, type StateWords, type Thresholds, type Unit } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { formatValue, NOTHING } from './format.ts'

/** What is known of a metric's present value. */
export interface Situation {
  readonly key: string
  readonly value: number | null
  readonly unit: Unit
  readonly states: StateWords
  readonly thresholds: Thresholds
  readonly severity: Severity
}

/** The threshold that a value is beyond, worst first; null when it is beyond none (or only held by hysteresis). */
export const crossedThreshold = ({
  value,
  thresholds,
}: Pick<Situation, 'value' | 'thresholds'>): { readonly sign: '>' | '<'; readonly limit: number } | null => {
  if (value === null) return null
  for (const limit of [thresholds.errorHigh, thresholds.warningHigh])
    if (limit !== null && value > limit) return { sign: '>', limit }
  for (const limit of [thresholds.errorLow, thresholds.warningLow])
    if (limit !== null && value < limit) return { sign: '<', limit }
  return null
}

/** « 97,4 % > 95 % », « 0,8 ms », « inactive », « Répond », « Ne répond pas ». */
export const situationText = (situation: Situation): string => {
  if (situation.key === AVAILABILITY_KEY)
    return situation.value === null ? NOTHING : situation.value >= 1 ? 'Répond' : 'Ne répond pas'
  const value = formatValue(situation.value, situation.unit, situation.states)
  // A word beyond a word says nothing.
  const isJudged = situation.states === null && situation.severity !== 'ok' && situation.severity !== 'unknown'
  const crossed = isJudged ? crossedThreshold(situation) : null
  return crossed === null ? value : `${value} ${crossed.sign} ${formatValue(crossed.limit, situation.unit)}`
}
