import {
  fold,
  METRIC_INHERITED,
  type MetricInherited,
  type MetricUpdate,
  THRESHOLD_SIDES,
  type ThresholdFormulas,
  type Thresholds,
} from '@narval/contracts'
import { inheritedThresholds } from '../../store/model-reconcile.ts'
import { formulasOf, type MetricValues, metricOverrides, sameThresholds } from '../../store/model-values.ts'

type Own = Omit<MetricUpdate, 'updatedAt'>
/** As they stand; null for a new metric. */
type HeldThresholds = { readonly thresholds: string; readonly formulas: string; readonly overrides: string } | null

/** The formulas that are to hold where thresholds are its own: those given, else those that were its own. */
export const ownFormulas = (input: Own, held: HeldThresholds): ThresholdFormulas =>
  input.formulas ??
  (held !== null && metricOverrides(held.overrides).includes('thresholds') ? formulasOf(held.formulas) : {})

/** Fields that are to be a metric's own: those said, else those whose value is not the inherited one. */
export const ownFields = (input: Own, inherited: MetricValues, held: HeldThresholds): readonly MetricInherited[] => {
  const { overrides } = input
  if (overrides !== undefined) return METRIC_INHERITED.filter(field => overrides.includes(field))
  // A side that a formula computes is sent back as it was read: no figure of somebody's own.
  const thresholds: Thresholds = JSON.parse(inheritedThresholds(held, inherited).thresholds)
  const isOwn: Record<MetricInherited, boolean> = {
    name: input.name !== inherited.name,
    thresholds: !sameThresholds(input.thresholds, thresholds) || !hasFormulas(input, inherited, held),
    attempts: input.attempts !== inherited.attempts,
    noData: input.noData !== inherited.noData,
    enabled: input.enabled !== inherited.enabled,
  }
  return METRIC_INHERITED.filter(field => isOwn[field])
}

/** Whether the formulas are the inherited ones; left out, they are as they were. */
const hasFormulas = (input: Own, inherited: MetricValues, held: HeldThresholds): boolean => {
  const formulas = input.formulas ?? (held === null ? inherited.formulas : formulasOf(held.formulas))
  return THRESHOLD_SIDES.every(side => formulas[side] === inherited.formulas[side])
}

/** The row of a metric: its own fields from the input, the others from what it inherits. */
export const metricColumns = (input: Own, inherited: MetricValues, held: HeldThresholds) => {
  const own = ownFields(input, inherited, held)
  const has = (field: MetricInherited) => own.includes(field)
  const name = has('name') ? input.name : inherited.name
  const thresholds = has('thresholds')
    ? { thresholds: JSON.stringify(input.thresholds), formulas: JSON.stringify(ownFormulas(input, held)) }
    : inheritedThresholds(held, inherited)
  return {
    name,
    name_folded: fold(name),
    ...thresholds,
    attempts: has('attempts') ? input.attempts : inherited.attempts,
    no_data: has('noData') ? input.noData : inherited.noData,
    enabled: (has('enabled') ? input.enabled : inherited.enabled) ? (1 as const) : (0 as const),
    overrides: JSON.stringify(own),
  }
}
