import type { ThresholdFormulas, Thresholds, Unit } from '@narval/contracts'
import { threshold as fr } from '../i18n/threshold.ts'
import { formatValue } from './format.ts'

/** Thresholds in a few words: « alerte > 90 %, erreur > 98 % »; empty when there are none. */
export const thresholdSummary = (thresholds: Thresholds, unit: Unit): string => formulaSummary(thresholds, {}, unit)

/** The same where formulas stand for some of them: « alerte > champ.debit * 0,9 ». */
export const formulaSummary = (thresholds: Thresholds, formulas: ThresholdFormulas, unit: Unit): string => {
  const parts = [
    { side: 'warningLow', say: fr.below, what: fr.warning },
    { side: 'errorLow', say: fr.below, what: fr.error },
    { side: 'warningHigh', say: fr.above, what: fr.warning },
    { side: 'errorHigh', say: fr.above, what: fr.error },
  ] as const
  return parts
    .flatMap(({ side, say, what }) => {
      const value = thresholds[side]
      const text = formulas[side] ?? (value === null ? null : formatValue(value, unit))
      return text === null ? [] : [say(what, text)]
    })
    .join(', ')
}
