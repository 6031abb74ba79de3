import {
  fold,
  METRIC_INHERITED,
  type MetricInherited,
  type MetricUpdate,
  THRESHOLD_SIDES,
  type ThresholdFormulas,
  type Thresholds,
} from '@narval/contracts'
import { type HeldMetric, inheritedThresholds } from '../../store/model-reconcile.ts'
import { formulasOf, type MetricValues, metricOverrides, sameThresholds } from '../../store/model-values.ts'

type Own = Omit<MetricUpdate, 'updatedAt'>
/** The row as it stands; null for a new metric. */
type Held = Omit<HeldMetric, 'id' | 'scanner_id' | 'key'> | null

/** The formulas that are to hold where thresholds are its own: those given, else those that were its own. */
export const ownFormulas = (input: Own, held: Held): ThresholdFormulas =>
  input.formulas ??
  (held !== null && metricOverrides(held.overrides).includes('thresholds') ? formulasOf(held.formulas) : {})

/**
 * Fields that are to be a metric's own: those said, else those whose value is not the inherited one. A value that is
 * neither what was nor what is inherited was chosen by whoever sends it, whatever list comes back with it as it was read.
 */
export const ownFields = (input: Own, inherited: MetricValues, held: Held): readonly MetricInherited[] => {
  const { overrides } = input
  const own = differing(input, inherited, held)
  if (overrides === undefined) return METRIC_INHERITED.filter(field => own[field])
  const chosen = held === null ? NONE : differing(input, heldValues(held), held)
  return METRIC_INHERITED.filter(field => overrides.includes(field) || (own[field] && chosen[field]))
}

const NONE = { name: false, thresholds: false, attempts: false, noData: false, enabled: false }
/** The values of a row, in the form of what is inherited. */
export const heldValues = (held: NonNullable<Held>): Values => ({
  name: held.name,
  thresholds: JSON.parse(held.thresholds),
  formulas: formulasOf(held.formulas),
  attempts: held.attempts,
  noData: held.no_data === 'keep' ? 'keep' : 'unknown',
  enabled: held.enabled === 1,
})
type Values = Omit<MetricValues, 'fromModel'>

const differing = (input: Own, values: Values, held: Held): Record<MetricInherited, boolean> => {
  // A side that a formula computes is sent back as it was read: no figure of somebody's own.
  const thresholds: Thresholds = JSON.parse(inheritedThresholds(held, values).thresholds)
  return {
    name: input.name !== values.name,
    thresholds: !sameThresholds(input.thresholds, thresholds) || !hasFormulas(input, values, held),
    attempts: input.attempts !== values.attempts,
    noData: input.noData !== values.noData,
    enabled: input.enabled !== values.enabled,
  }
}

/** Whether the formulas are the inherited ones; left out, they are as they were. */
const hasFormulas = (input: Own, inherited: Values, held: Held): boolean => {
  const formulas = input.formulas ?? (held === null ? inherited.formulas : formulasOf(held.formulas))
  return THRESHOLD_SIDES.every(side => formulas[side] === inherited.formulas[side])
}

/** The row of a metric: its own fields from the input, the others from what it inherits. */
export const metricColumns = (input: Own, inherited: MetricValues, held: Held) => {
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
