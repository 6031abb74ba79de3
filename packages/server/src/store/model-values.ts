import {
  AVAILABILITY_KEY,
  CHECKS,
  type CheckKind,
  fold,
  METRIC_INHERITED,
  type MetricInherited,
  type ModelDefinition,
  type ModelScanner,
  metricDefinition,
  modelDefinition,
  NO_THRESHOLDS,
  parseMetricKey,
  SCANNER_INHERITED,
  type ScannerInherited,
  THRESHOLD_SIDES,
  type ThresholdFormulas,
  type Thresholds,
} from '@narval/contracts'

/** A monitoring model as it is kept. */
export interface KnownModel {
  readonly id: number
  readonly name: string
  readonly definition: ModelDefinition
}

/** A definition as the database keeps it: it was checked when it was saved. */
export const definitionOf = (text: string): ModelDefinition => modelDefinition.parse(JSON.parse(text))

/** A scanner that a host is to have, and which model says so. */
export interface WantedScanner {
  readonly modelId: number
  readonly scanner: ModelScanner
  /** Folded name: with the kind, what two models of a host must not both bring. */
  readonly folded: string
}

const identity = (kind: string, folded: string): string => `${kind} ${folded}`

/** The scanners of a host that has these models, in their order: of one kind and name, the first model's counts. */
export const wantedScanners = (models: readonly KnownModel[]): WantedScanner[] => {
  const wanted = new Map<string, WantedScanner>()
  for (const { id, definition } of models) {
    for (const scanner of definition.scanners) {
      const folded = fold(scanner.name)
      const key = identity(scanner.kind, folded)
      if (!wanted.has(key)) wanted.set(key, { modelId: id, scanner, folded })
    }
  }
  return [...wanted.values()]
}

/** A scanner's fields that models speak of, in the columns of its table. */
export interface ScannerValues {
  readonly interval_seconds: number | null
  readonly retry_interval_seconds: number | null
  readonly timeout_ms: number | null
  readonly attempts: number | null
  readonly parameters: string
  readonly enabled: 0 | 1
}

/** The column that holds each field. */
export const SCANNER_COLUMNS = {
  intervalSeconds: 'interval_seconds',
  retryIntervalSeconds: 'retry_interval_seconds',
  timeoutMs: 'timeout_ms',
  attempts: 'attempts',
  parameters: 'parameters',
  enabled: 'enabled',
} as const satisfies Record<ScannerInherited, keyof ScannerValues>

export const scannerValues = (scanner: ModelScanner): ScannerValues => ({
  interval_seconds: scanner.intervalSeconds,
  retry_interval_seconds: scanner.retryIntervalSeconds,
  timeout_ms: scanner.timeoutMs,
  attempts: scanner.attempts,
  parameters: JSON.stringify(scanner.parameters),
  enabled: scanner.enabled ? 1 : 0,
})

/** The parameters in the one form of their kind, defaults filled in, so that texts can be compared. */
export const canonicalParameters = (kind: CheckKind, text: string): string => {
  const parsed = CHECKS[kind].parameters.safeParse(JSON.parse(text))
  return parsed.success ? JSON.stringify(parsed.data) : text
}

/** The parameters of a kind when nothing is said; null when it has none of its own (a port must be given). */
export const defaultParameters = (kind: CheckKind): string | null => {
  const parsed = CHECKS[kind].parameters.safeParse({})
  return parsed.success ? JSON.stringify(parsed.data) : null
}

const isKnown = <T extends string>(names: readonly T[], text: unknown): text is T => names.some(name => name === text)
const namesIn = <T extends string>(names: readonly T[], text: string): T[] => {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? names.filter(name => list.includes(name)) : []
}
/** The `overrides` column of a scanner. */
export const scannerOverrides = (text: string): ScannerInherited[] => namesIn(SCANNER_INHERITED, text)
/** The `overrides` column of a metric. */
export const metricOverrides = (text: string): MetricInherited[] => namesIn(METRIC_INHERITED, text)

/** The `formulas` column of a metric. */
export const formulasOf = (text: string): ThresholdFormulas => {
  const read: unknown = JSON.parse(text)
  if (read === null || typeof read !== 'object') return {}
  return Object.fromEntries(
    Object.entries(read).filter(([side, formula]) => isKnown(THRESHOLD_SIDES, side) && typeof formula === 'string'),
  )
}

/** What a metric has when nothing of it is its own. `attempts` null: its scanner's. */
export interface MetricValues {
  readonly name: string
  readonly thresholds: Thresholds
  readonly formulas: ThresholdFormulas
  readonly attempts: number | null
  readonly noData: 'unknown' | 'keep'
  readonly enabled: boolean
  /** Who says it, where that is not the check kind. */
  readonly fromModel: { readonly thresholds: boolean; readonly attempts: boolean; readonly others: boolean }
}

/** The metric of a model's scanner that speaks of this key: named with its instance, else for all instances. */
const modelMetricOf = (scanner: ModelScanner, key: string) =>
  scanner.metrics.find(metric => metric.key === key) ??
  scanner.metrics.find(metric => metric.key === parseMetricKey(key)?.key)

/**
 * What a metric inherits: from its model's scanner if it has one, else from the check kind. Kinds whose scanners define
 * metrics by their parameters are asked with those of this scanner, else with its model's.
 */
export const inheritedMetric = (
  kind: CheckKind,
  scannerName: string,
  key: string,
  scanner: ModelScanner | null,
  parameters: Readonly<Record<string, unknown>> | undefined = scanner?.parameters,
): MetricValues => {
  const definition = metricDefinition(kind, key, parameters)
  const said = scanner === null ? undefined : modelMetricOf(scanner, key)
  const name = definition?.name ?? key
  return {
    name: key === AVAILABILITY_KEY ? `${name} (${scannerName})` : name,
    thresholds: { ...NO_THRESHOLDS, ...(said?.thresholds ?? definition?.thresholds) },
    formulas: said?.formulas ?? {},
    attempts: said?.attempts ?? null,
    noData: said?.noData ?? 'unknown',
    enabled: said?.enabled ?? true,
    fromModel: {
      thresholds: said !== undefined && (said.thresholds !== null || Object.keys(said.formulas).length > 0),
      attempts: said !== undefined && said.attempts !== null,
      others: said !== undefined,
    },
  }
}

/** The parameters of a scanner where its kind's metrics depend on them: read for nothing otherwise. */
export const metricParameters = (kind: CheckKind, parameters: string): Record<string, unknown> | undefined =>
  CHECKS[kind].metricsOf === undefined ? undefined : JSON.parse(parameters)

export const sameThresholds = (a: Thresholds, b: Thresholds): boolean =>
  THRESHOLD_SIDES.every(side => a[side] === b[side])
