import {
  AVAILABILITY_KEY,
  type CheckKind,
  type MetricType,
  type ModelScanner,
  metricDefinition,
  type TestedValue,
  type TestOutcome,
  type Thresholds,
  type Unit,
  valueText,
} from '@narval/contracts'
import { judge, nextRate } from '@narval/engine'
import type { MetricEntry, ScannerEntry } from '../../monitoring/fleet/model.ts'
import { nameWithLabel } from '../../monitoring/fleet/new-metrics.ts'
import { inheritedMetric } from '../../store/model-values.ts'

interface Tested {
  readonly kind: CheckKind
  readonly parameters: Readonly<Record<string, unknown>>
  /** The saved scanner, whose metrics have thresholds of their own. */
  readonly entry: ScannerEntry | undefined
  /** What its monitoring model says of it. */
  readonly model: ModelScanner | null
}
interface Judged {
  readonly key: string
  readonly name: string
  readonly unit: Unit
  readonly type: MetricType
  readonly states: Readonly<Record<number, string>> | undefined
  readonly thresholds: Thresholds
  readonly metric: MetricEntry | undefined
}

/** The values of a test by metric, as they would be kept and judged: by the scanner's own metrics, or those that it would bring. */
export const testedValues = (
  outcome: TestOutcome,
  tested: Tested,
): { readonly values: TestedValue[]; readonly unknownKeys: string[] } => {
  const values: TestedValue[] = []
  const unknownKeys: string[] = []
  const measured = { [AVAILABILITY_KEY]: outcome.failure === null ? 1 : 0, ...outcome.values }
  for (const [key, value] of Object.entries(measured)) {
    const judged = judgedOf(key, value, outcome, tested)
    if (judged === null) unknownKeys.push(key)
    else values.push(testedValue(judged, value, outcome))
  }
  return { values, unknownKeys }
}

const judgedOf = (key: string, value: number, outcome: TestOutcome, tested: Tested): Judged | null => {
  const { kind, parameters, entry, model } = tested
  const definition = metricDefinition(kind, key, parameters)
  if (definition === null) return null
  const { unit, type, states } = definition
  const metric = entry?.metrics.get(key)
  if (metric !== undefined)
    return { ...{ key, unit, type, states, metric }, name: metric.name, thresholds: metric.rule.thresholds }
  const inherited = inheritedMetric(kind, entry?.name ?? definition.name, key, model, parameters)
  const name = nameWithLabel(key === AVAILABILITY_KEY ? definition : { ...definition, name: inherited.name }, outcome)
  return {
    ...{ key, unit, type, states, metric, name },
    thresholds: { ...inherited.thresholds, ...definition.learn?.(value) },
  }
}

const testedValue = (
  { key, name, unit, type, states, thresholds, metric }: Judged,
  value: number,
  outcome: TestOutcome,
): TestedValue => {
  const seen = type === 'counter' ? rateOf(metric, value, outcome.at) : value
  const shown = {
    ...{ key, name, unit, type, value, known: metric !== undefined },
    text: seen === null ? countText(value) : (states?.[seen] ?? valueText(seen, unit)),
  }
  if (key === AVAILABILITY_KEY) return { ...shown, severity: value === 1 ? 'ok' : 'error', crossed: null }
  if (seen === null) return { ...shown, severity: null, crossed: null }
  const { severity, crossed } = judge(seen, thresholds, 0)
  const figure = crossed === null ? null : thresholds[crossed]
  return {
    ...shown,
    severity,
    crossed:
      crossed === null || figure === null ? null : { side: crossed, text: states?.[figure] ?? valueText(figure, unit) },
  }
}

/** The rate since the last run that was kept; null where there was none, or the equipment has restarted since. */
const rateOf = (metric: MetricEntry | undefined, value: number, atMs: number): number | null =>
  metric === undefined || metric.raw === null || metric.atMs === null || metric.atMs >= atMs
    ? null
    : nextRate({ atMs: metric.atMs, value: metric.raw }, { atMs, value })

const countText = (value: number): string => valueText(value, 'count')
