import {
  type CheckKind,
  METRIC_INHERITED,
  type MetricInherited,
  type ModelScanner,
  type ScannerInherited,
  THRESHOLD_SIDES,
  type Thresholds,
} from '@narval/contracts'
import {
  canonicalParameters,
  defaultParameters,
  formulasOf,
  inheritedMetric,
  type MetricValues,
  metricOverrides,
  metricParameters,
  SCANNER_COLUMNS,
  type ScannerValues,
  sameThresholds,
  scannerOverrides,
  scannerValues,
  type WantedScanner,
} from './model-values.ts'

/** A scanner as it stands, of a host that has models or scanners that came from one. */
export interface HeldScanner extends ScannerValues {
  readonly id: number
  readonly host_id: number
  readonly name: string
  readonly name_folded: string
  readonly kind: CheckKind
  readonly model_id: number | null
  readonly model_item: string | null
  readonly overrides: string
}

export interface HeldMetric {
  readonly id: number
  readonly scanner_id: number
  readonly key: string
  readonly name: string
  readonly thresholds: string
  readonly formulas: string
  readonly attempts: number | null
  readonly no_data: string
  readonly enabled: number
  readonly overrides: string
}

/** A scanner that stays, with what it is to follow. */
export interface Kept {
  readonly held: HeldScanner
  readonly wanted: WantedScanner
}
export interface Matched {
  readonly kept: readonly Kept[]
  readonly created: readonly WantedScanner[]
  readonly deleted: readonly HeldScanner[]
}

/**
 * Which scanner of one host follows which item. One that came from the very item keeps it; else an item takes over, with
 * its metrics and history, a scanner of the same kind and name: one whose model no longer brings it, or the host's own.
 */
export const matchScanners = (wanted: readonly WantedScanner[], held: readonly HeldScanner[]): Matched => {
  const free = new Set(held)
  const take = (fits: (one: HeldScanner) => boolean): HeldScanner | undefined => {
    for (const one of free) {
      if (!fits(one)) continue
      free.delete(one)
      return one
    }
    return undefined
  }
  const kept: Kept[] = []
  const open: WantedScanner[] = []
  for (const item of wanted) {
    const { modelId, scanner } = item
    const own = take(one => one.model_id === modelId && one.model_item === scanner.item && one.kind === scanner.kind)
    if (own === undefined) open.push(item)
    else kept.push({ held: own, wanted: item })
  }
  const created: WantedScanner[] = []
  for (const item of open) {
    const alike = (one: HeldScanner) => one.kind === item.scanner.kind && one.name_folded === item.folded
    const taken = take(one => one.model_id !== null && alike(one)) ?? take(alike)
    if (taken === undefined) created.push(item)
    else kept.push({ held: taken, wanted: item })
  }
  return { kept, created, deleted: [...free].filter(one => one.model_id !== null) }
}

/** Columns to set of a scanner; empty when it is as it should be. */
export type ScannerChange = Partial<ScannerValues> & {
  readonly name?: string
  readonly name_folded?: string
  readonly model_id?: number
  readonly model_item?: string
  readonly overrides?: string
}

const SCHEDULE = ['intervalSeconds', 'retryIntervalSeconds', 'timeoutMs', 'attempts'] as const

/** What was set by hand on a scanner of the host alone stays its own when a model takes it over. */
const setByHand = (held: HeldScanner): ScannerInherited[] => {
  const fields: ScannerInherited[] = SCHEDULE.filter(field => held[SCANNER_COLUMNS[field]] !== null)
  const ordinary = defaultParameters(held.kind)
  // A kind without ordinary parameters (a port must be given) has always been told them.
  if (canonicalParameters(held.kind, held.parameters) !== ordinary) fields.push('parameters')
  if (held.enabled === 0) fields.push('enabled')
  return fields
}

/** Whether a field is alike in two; parameters by what they mean. */
export const hasSameValue = (field: ScannerInherited, kind: CheckKind, a: ScannerValues, b: ScannerValues): boolean =>
  field === 'parameters'
    ? a.parameters === b.parameters ||
      canonicalParameters(kind, a.parameters) === canonicalParameters(kind, b.parameters)
    : a[SCANNER_COLUMNS[field]] === b[SCANNER_COLUMNS[field]]

const INHERITED = Object.keys(SCANNER_COLUMNS).filter((name): name is ScannerInherited => name in SCANNER_COLUMNS)

export const scannerChange = ({ held, wanted }: Kept): ScannerChange => {
  const { scanner, modelId, folded } = wanted
  const values = scannerValues(scanner)
  const isAdopted = held.model_id === null
  const own = isAdopted
    ? setByHand(held).filter(field => !hasSameValue(field, held.kind, held, values))
    : scannerOverrides(held.overrides)
  const inherited = INHERITED.filter(field => !own.includes(field) && !hasSameValue(field, held.kind, held, values))
  return {
    ...(held.name === scanner.name ? {} : { name: scanner.name, name_folded: folded }),
    ...(held.model_id === modelId && held.model_item === scanner.item
      ? {}
      : { model_id: modelId, model_item: scanner.item }),
    ...(isAdopted ? { overrides: JSON.stringify(own) } : {}),
    ...Object.fromEntries(inherited.map(field => [SCANNER_COLUMNS[field], values[SCANNER_COLUMNS[field]]])),
  }
}

/** Columns to set of a metric; `thresholds` with the sides that formulas compute as they were, or as the model says for the time being. */
export interface MetricChange {
  readonly name?: string
  readonly thresholds?: string
  readonly formulas?: string
  readonly attempts?: number | null
  readonly no_data?: string
  readonly enabled?: 0 | 1
  readonly overrides?: string
}

/** Fields of a metric that differ from what it inherits; sides that formulas compute do not count. */
export const differingFields = (
  held: Omit<HeldMetric, 'id' | 'scanner_id' | 'overrides'>,
  values: MetricValues,
): MetricInherited[] => {
  const fields: MetricInherited[] = []
  if (held.name !== values.name) fields.push('name')
  if (!hasThresholds(held, values)) fields.push('thresholds')
  if (held.attempts !== values.attempts) fields.push('attempts')
  if (held.no_data !== values.noData) fields.push('noData')
  if ((held.enabled === 1) !== values.enabled) fields.push('enabled')
  return fields
}

const hasThresholds = (
  held: Pick<HeldMetric, 'thresholds' | 'formulas'>,
  { thresholds, formulas }: MetricValues,
): boolean => {
  if (held.formulas === '{}' && Object.keys(formulas).length === 0 && held.thresholds === JSON.stringify(thresholds))
    return true
  const own = formulasOf(held.formulas)
  const read: Thresholds = JSON.parse(held.thresholds)
  return THRESHOLD_SIDES.every(side =>
    own[side] === undefined && formulas[side] === undefined
      ? read[side] === thresholds[side]
      : own[side] === formulas[side],
  )
}

const inherited = new WeakMap<ModelScanner, Map<string, MetricValues>>()
/** What a key inherits of a model's scanner: found once, as thousands of hosts have the same. */
const inheritedOf = (scanner: ModelScanner, key: string): MetricValues => {
  const known = inherited.get(scanner) ?? new Map<string, MetricValues>()
  inherited.set(scanner, known)
  const values = known.get(key) ?? inheritedMetric(scanner.kind, scanner.name, key, scanner)
  known.set(key, values)
  return values
}

/** The same where the scanner's own parameters, if it has any, define its metrics. */
const valuesFor = ({ held, wanted: { scanner } }: Kept, key: string): MetricValues => {
  const parameters = scannerOverrides(held.overrides).includes('parameters')
    ? metricParameters(held.kind, held.parameters)
    : undefined
  return parameters === undefined
    ? inheritedOf(scanner, key)
    : inheritedMetric(scanner.kind, scanner.name, key, scanner, parameters)
}

export const metricChange = (held: HeldMetric, kept: Kept): MetricChange => {
  const values = valuesFor(kept, held.key)
  const isAdopted = kept.held.model_id === null
  const own = isAdopted ? adoptedOverrides(held, kept) : metricOverrides(held.overrides)
  const differing = differingFields(held, values).filter(field => !own.includes(field))
  const overrides = JSON.stringify(own)
  return {
    ...(isAdopted && held.overrides !== overrides ? { overrides } : {}),
    ...(differing.includes('name') ? { name: values.name } : {}),
    ...(differing.includes('thresholds') ? thresholdColumns(held, values) : {}),
    ...(differing.includes('attempts') ? { attempts: values.attempts } : {}),
    ...(differing.includes('noData') ? { no_data: values.noData } : {}),
    ...(differing.includes('enabled') ? { enabled: values.enabled ? 1 : 0 } : {}),
  }
}

/** What had been set by hand on a metric before a model took its scanner over: what the check kind does not say. */
const adoptedOverrides = (held: HeldMetric, kept: Kept): MetricInherited[] => {
  const { kind, name, parameters } = kept.held
  const byKind = inheritedMetric(kind, name, held.key, null, metricParameters(kind, parameters))
  const byHand = differingFields(held, byKind)
  const stored = metricOverrides(held.overrides)
  return METRIC_INHERITED.filter(field => byHand.includes(field) || stored.includes(field))
}

/** The columns of inherited thresholds: sides whose formula stays keep what it gave, the others begin with what is said. */
export const inheritedThresholds = (
  held: Pick<HeldMetric, 'thresholds' | 'formulas'> | null,
  { thresholds, formulas }: Pick<MetricValues, 'thresholds' | 'formulas'>,
): { readonly thresholds: string; readonly formulas: string } => {
  const before = held === null ? {} : formulasOf(held.formulas)
  const read: Thresholds = held === null ? thresholds : JSON.parse(held.thresholds)
  const computed = THRESHOLD_SIDES.filter(side => formulas[side] !== undefined && formulas[side] === before[side])
  const merged: Thresholds = { ...thresholds, ...Object.fromEntries(computed.map(side => [side, read[side]])) }
  return { thresholds: JSON.stringify(merged), formulas: JSON.stringify(formulas) }
}

const thresholdColumns = (held: HeldMetric, values: MetricValues): MetricChange => {
  const next = inheritedThresholds(held, values)
  return {
    ...(sameThresholds(JSON.parse(held.thresholds), JSON.parse(next.thresholds))
      ? {}
      : { thresholds: next.thresholds }),
    ...(JSON.stringify(formulasOf(held.formulas)) === next.formulas ? {} : { formulas: next.formulas }),
  }
}
