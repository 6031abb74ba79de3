import type { Thresholds, Unit } from '@narval/contracts'
import { threshold as fr } from '../i18n/threshold.ts'
import { formatValue } from './format.ts'

/** Thresholds in a few words: « alerte > 90 %, erreur > 98 % »; empty when there are none. */
export const thresholdSummary = (thresholds: Thresholds, unit: Unit): string => {
  const parts = [
    { value: thresholds.warningLow, say: fr.below, what: fr.warning },
    { value: thresholds.errorLow, say: fr.below, what: fr.error },
    { value: thresholds.warningHigh, say: fr.above, what: fr.warning },
    { value: thresholds.errorHigh, say: fr.above, what: fr.error },
  ]
  return parts
    .flatMap(({ value, say, what }) => (value === null ? [] : [say(what, formatValue(value, unit))]))
    .join(', ')
}
