import {
  CHECKS,
  type CheckKind,
  type Metric,
  type MetricInherited,
  type Scanner,
  type ScannerInherited,
  THRESHOLD_SIDES,
} from '@narval/contracts'
import { inherited as words } from '../i18n/inherited.ts'
import type { SCHEDULE_FIELDS } from './schedule.ts'

/** Where an inherited field of a scanner or metric comes from. */
export type Origin = 'model' | 'kind' | 'scanner' | 'rule' | 'platform'

/** « Hérité du modèle Routeur », « Hérité des paramètres »… */
export const originText = (origin: Origin, modelName: string | null): string =>
  origin === 'model' ? words.model(modelName ?? '') : words[origin]

/** A field that a record may have for its own, and what it has else. */
export interface InheritedValue {
  readonly value: unknown
  /** What the field that belongs with it has, e.g. the formulas beside the thresholds. */
  readonly beside?: unknown
  readonly origin: Origin
}
export type InheritedValues<F extends string> = Readonly<Record<F, InheritedValue>>

/** What each field of a scanner has when it is not its own, as the form holds it: null is the platform's. */
export const scannerInheritance = ({ inherited }: Scanner): InheritedValues<ScannerInherited> | null => {
  if (inherited === null) return null
  const figure = (field: (typeof SCHEDULE_FIELDS)[number]): InheritedValue => {
    const origin = inherited.origin[field]
    return { value: origin === 'model' ? inherited[field] : null, origin }
  }
  return {
    intervalSeconds: figure('intervalSeconds'),
    retryIntervalSeconds: figure('retryIntervalSeconds'),
    timeoutMs: figure('timeoutMs'),
    attempts: figure('attempts'),
    parameters: { value: inherited.parameters, origin: 'model' },
    enabled: { value: inherited.enabled, origin: 'model' },
  }
}

/** The same of a metric; `attempts` null is the scanner's or the platform's. */
export const metricInheritance = ({ inherited, inheritedFrom }: Metric): InheritedValues<MetricInherited> => ({
  name: { value: inherited.name, origin: inheritedFrom.name },
  thresholds: { value: inherited.thresholds, beside: inherited.formulas, origin: inheritedFrom.thresholds },
  attempts: {
    value: inheritedFrom.attempts === 'model' ? inherited.attempts : null,
    origin: inheritedFrom.attempts,
  },
  noData: { value: inherited.noData, origin: inheritedFrom.noData },
  enabled: { value: inherited.enabled, origin: inheritedFrom.enabled },
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** True when two values of a form mean the same; an empty field is null. */
export const sameValue = (a: unknown, b: unknown): boolean =>
  sameJson(a === '' || a === undefined ? null : a, b === '' || b === undefined ? null : b)

/** True when parameters mean the same to their kind, defaults filled in. */
export const sameParameters = (kind: CheckKind, a: unknown, b: unknown): boolean => {
  const whole = (value: unknown): unknown => {
    const parsed = CHECKS[kind].parameters.safeParse(value)
    return parsed.success ? parsed.data : value
  }
  return sameJson(whole(a), whole(b))
}

/** True when no side differs, neither its formula nor, where it has none, its figure; a missing side is none. */
export const sameThresholdValues = (a: unknown, b: unknown, formulasOfA?: unknown, formulasOfB?: unknown): boolean => {
  const at = (values: unknown, side: string): unknown => (isRecord(values) ? values[side] : undefined)
  return THRESHOLD_SIDES.every(side => {
    const formula = at(formulasOfA, side)
    return formula === at(formulasOfB, side) && (formula !== undefined || sameValue(at(a, side), at(b, side)))
  })
}
