import { THRESHOLD_SIDES, type ThresholdFormulas, type Thresholds } from '@narval/contracts'
import { formulaKeys, parseFormula, thresholdFaults } from '@narval/engine'
import { FORMULA_FAULT_TEXTS, THRESHOLD_FAULT_TEXTS } from './threshold-texts.ts'

type Side = keyof Thresholds
export type SideFaults = (readonly [side: Side, message: string])[]

/** What is incoherent among the sides that no formula computes; a clear value may stand beside a computed threshold. */
export const fixedFaults = (thresholds: Thresholds, formulas: ThresholdFormulas): SideFaults => {
  const computed = computedSides(formulas)
  const fixed: Thresholds = { ...thresholds, ...Object.fromEntries(computed.map(side => [side, null])) }
  return thresholdFaults(fixed)
    .filter(({ field, code }) => code !== 'clear-without-threshold' || !computed.some(side => `${side}Clear` === field))
    .map(({ field, code }) => [field, THRESHOLD_FAULT_TEXTS[code]] as const)
}

/** What is wrong with formulas where only these custom fields are known. */
export const formulaFaults = (formulas: ThresholdFormulas, known: ReadonlySet<string>): SideFaults =>
  computedSides(formulas).flatMap((side): SideFaults => {
    const fault = formulaFault(formulas[side] ?? '', known)
    return fault === null ? [] : [[side, fault]]
  })

const formulaFault = (text: string, known: ReadonlySet<string>): string | null => {
  const parsed = parseFormula(text)
  if ('fault' in parsed) return FORMULA_FAULT_TEXTS[parsed.fault.code]
  const unknown = formulaKeys(parsed.formula).find(key => !known.has(key))
  return unknown === undefined ? null : `Aucun champ numérique d’équipement n’a la clé « ${unknown} »`
}

/** Why computed sides do not judge as they should on this host: no figure, or one that contradicts the others. */
export const computedFaults = (thresholds: Thresholds, formulas: ThresholdFormulas): Partial<Record<Side, string>> => {
  const faults = computedSides(formulas).flatMap((side): SideFaults => {
    if (thresholds[side] === null) return [[side, NO_FIGURE]]
    const incoherent = thresholdFaults(thresholds).find(({ field }) => field === side)
    return incoherent === undefined ? [] : [[side, `${THRESHOLD_FAULT_TEXTS[incoherent.code]}.`]]
  })
  return Object.fromEntries(faults)
}
const NO_FIGURE =
  'La formule ne donne aucun nombre pour cet équipement : un champ y est sans valeur, ou elle divise par zéro.'

const computedSides = (formulas: ThresholdFormulas): Side[] =>
  THRESHOLD_SIDES.filter(side => formulas[side] !== undefined)
