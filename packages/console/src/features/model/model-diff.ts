import {
  CHECKS,
  type CheckKind,
  type FieldDefinition,
  type ModelDefinition,
  type ModelScanner,
  parameterName,
  parameterText,
  THRESHOLD_SIDES,
  type Unit,
} from '@narval/contracts'
import { scanner as scannerWords } from '../../i18n/scanner.ts'
import { threshold as thresholdWords } from '../../i18n/threshold.ts'
import { fieldText, sameFieldValue } from '../../lib/custom-field.ts'
import { formatNumber, formatValue, NOTHING } from '../../lib/format.ts'
import { SCHEDULE_FIELDS, scheduleText } from '../../lib/schedule.ts'
import { fr } from './fr.ts'
import { kindMetric } from './model-schema.ts'

const { diff: words } = fr

/** What two versions of a model are compared by. */
export interface ComparedModel {
  readonly name: string
  readonly description: string
  readonly definition: ModelDefinition
}
type KnownField = Pick<FieldDefinition, 'key' | 'label' | 'type' | 'unit'>
type ModelMetric = ModelScanner['metrics'][number]

/** What changed from one version to the next, a sentence each; empty when nothing did. */
export const modelChanges = (
  before: ComparedModel,
  after: ComparedModel,
  fields: readonly KnownField[] = [],
): string[] => [
  ...(before.name === after.name ? [] : [words.name(before.name, after.name)]),
  ...(before.description === after.description ? [] : [words.description]),
  ...scannerListChanges(before.definition.scanners, after.definition.scanners),
  ...fieldChanges(before.definition.fields, after.definition.fields, fields),
]

const scannerListChanges = (before: readonly ModelScanner[], after: readonly ModelScanner[]): string[] => {
  const [old, now] = [new Map(before.map(one => [one.item, one])), new Map(after.map(one => [one.item, one]))]
  const orderOf = (list: readonly ModelScanner[], other: ReadonlyMap<string, unknown>) =>
    list.filter(one => other.has(one.item)).map(one => one.item)
  const isReordered = orderOf(before, now).join() !== orderOf(after, old).join()
  return [
    ...after.flatMap(one => (old.has(one.item) ? [] : [words.scannerAdded(one.name, CHECKS[one.kind].label)])),
    ...before.flatMap(one => (now.has(one.item) ? [] : [words.scannerRemoved(one.name, CHECKS[one.kind].label)])),
    ...(isReordered ? [words.order] : []),
    ...after.flatMap(one => {
      const former = old.get(one.item)
      return former === undefined ? [] : scannerChanges(former, one)
    }),
  ]
}

const scannerChanges = (before: ModelScanner, after: ModelScanner): string[] => {
  const changes = [
    ...(before.enabled === after.enabled ? [] : [after.enabled ? words.on : words.off]),
    ...SCHEDULE_FIELDS.flatMap(field => {
      const text = (value: number | null) => (value === null ? words.platform : scheduleText(field, value))
      const same = before[field] === after[field]
      return same ? [] : [words.value(lower(scannerWords.schedule[field]), text(before[field]), text(after[field]))]
    }),
    ...parameterChanges(after.kind, before.parameters, after.parameters),
  ]
  return [
    ...(before.name === after.name ? [] : [words.scannerRenamed(before.name, after.name)]),
    ...changes.map(change => words.of(after.name, change)),
    ...metricListChanges(before, after),
  ]
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const parameterChanges = (
  kind: CheckKind,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(key => {
    const [old, now] = [parameterText(kind, key, before[key]), parameterText(kind, key, after[key])]
    return old === now ? [] : [words.value(lower(parameterName(kind, key)), old, now)]
  })

const metricListChanges = (before: ModelScanner, after: ModelScanner): string[] => {
  const keys = new Set([...before.metrics, ...after.metrics].map(metric => metric.key))
  return [...keys].flatMap(key => {
    const known = kindMetric(after.kind, key)
    const instances = known?.hasInstances === true && known.instance === null ? ` (${fr.metric.all})` : ''
    const name = `${after.name} · ${known?.name ?? key}${instances}`
    const of = (scanner: ModelScanner) => scanner.metrics.find(metric => metric.key === key)
    return metricChanges(of(before), of(after), after, key).map(change => words.of(name, change))
  })
}

/** What is said of a metric, or what the kind says where the model says nothing. */
const metricChanges = (
  before: ModelMetric | undefined,
  after: ModelMetric | undefined,
  { kind }: ModelScanner,
  key: string,
): string[] => {
  const known = kindMetric(kind, key)
  const unit = known?.unit ?? ''
  const attempts = (metric: ModelMetric | undefined): string =>
    typeof metric?.attempts === 'number' ? formatNumber(metric.attempts, 0) : words.ofScanner
  const noData = (metric: ModelMetric | undefined): string => lower(thresholdWords.noData[metric?.noData ?? 'unknown'])
  const pairs = [
    ...THRESHOLD_SIDES.map(side => ({
      what: sideName(side),
      old: sideText(before, side, unit, known),
      now: sideText(after, side, unit, known),
    })),
    { what: lower(fr.metric.attempts), old: attempts(before), now: attempts(after) },
    { what: lower(fr.metric.noData), old: noData(before), now: noData(after) },
  ]
  const isOn = (metric: ModelMetric | undefined): boolean => metric?.enabled ?? true
  return [
    ...pairs.flatMap(({ what, old, now }) => (old === now ? [] : [words.value(what, old, now)])),
    ...(isOn(before) === isOn(after) ? [] : [isOn(after) ? words.on : words.off]),
  ]
}

type Side = (typeof THRESHOLD_SIDES)[number]
const CLEAR_OF = {
  warningHighClear: 'warningHigh',
  warningLowClear: 'warningLow',
  errorHighClear: 'errorHigh',
  errorLowClear: 'errorLow',
} as const
const isClear = (side: Side): side is keyof typeof CLEAR_OF => side in CLEAR_OF
const sideName = (side: Side): string =>
  isClear(side)
    ? lower(thresholdWords.clearOf(thresholdWords.names[CLEAR_OF[side]]))
    : lower(thresholdWords.names[side])

const sideText = (
  metric: ModelMetric | undefined,
  side: Side,
  unit: Unit,
  known: ReturnType<typeof kindMetric>,
): string => {
  const formula = metric?.formulas[side]
  if (formula !== undefined) return formula
  const value = (metric?.thresholds ?? known?.thresholds)?.[side] ?? null
  return value === null ? NOTHING : formatValue(value, unit)
}

const fieldChanges = (
  before: ModelDefinition['fields'],
  after: ModelDefinition['fields'],
  known: readonly KnownField[],
): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(key => {
    const [old, now] = [before[key] ?? null, after[key] ?? null]
    if (sameFieldValue(old, now)) return []
    const field = known.find(one => one.key === key)
    const text = (value: typeof old) => {
      const shown = fieldText(field ?? { type: 'text', unit: '' }, value)
      return shown === '' ? words.empty : shown
    }
    return [words.of(words.field(field?.label ?? key), `${text(old)} → ${text(now)}`)]
  })
