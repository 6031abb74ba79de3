import {
  CHECKS,
  fold,
  type ModelDefinition,
  type ModelScanner,
  metricDefinition,
  NO_THRESHOLDS,
  parseMetricKey,
  type Settings,
} from '@narval/contracts'
import { fixedFaults } from '../../monitoring/fleet/threshold-rules.ts'
import { effectiveSchedule } from '../../monitoring/run/scanner-list.ts'
import { parseCheckParameters } from '../../store/check-parameters.ts'

export interface CheckedDefinition {
  /** With the parameters in the shape of their kinds. */
  readonly definition: ModelDefinition
  /** What is wrong, field by field; empty when it can be saved. */
  readonly faults: readonly (readonly [field: string, message: string])[]
}

/** Checks the scanners of a definition as single scanners and metrics are checked (S35). */
export const checkDefinition = (definition: ModelDefinition, settings: Settings): CheckedDefinition => {
  const faults: (readonly [string, string])[] = []
  const at = (index: number, field: string) => `definition.scanners.${index}.${field}`
  const items = new Set<string>()
  const names = new Set<string>()
  const scanners = definition.scanners.map((scanner, index) => {
    const own: (readonly [string, string])[] = []
    const name = `${scanner.kind} ${fold(scanner.name)}`
    if (items.has(scanner.item)) own.push(['item', 'Cet identifiant d’élément est déjà pris dans ce modèle'])
    if (names.has(name)) own.push(['name', 'Ce modèle a déjà un scanner de ce type et de ce nom'])
    items.add(scanner.item)
    names.add(name)
    const parsed = parseCheckParameters(scanner.kind, scanner.parameters)
    own.push(...(parsed.faults ?? []).map(([field, message]) => [`parameters.${field}`, message] as const))
    own.push(...scheduleFaults(scanner, settings), ...metricFaults(scanner))
    faults.push(...own.map(([field, message]) => [at(index, field), message] as const))
    return parsed.data === null ? scanner : { ...scanner, parameters: parsed.data }
  })
  return { definition: { ...definition, scanners }, faults }
}

type Faults = (readonly [field: string, message: string])[]

const scheduleFaults = (scanner: ModelScanner, settings: Settings): Faults => {
  const faults: Faults = []
  if (scanner.intervalSeconds !== null && (scanner.retryIntervalSeconds ?? 0) > scanner.intervalSeconds)
    faults.push([
      'retryIntervalSeconds',
      'L’intervalle entre deux tentatives ne peut dépasser l’intervalle de contrôle',
    ])
  const { retryIntervalSeconds } = effectiveSchedule(
    {
      interval_seconds: scanner.intervalSeconds,
      retry_interval_seconds: scanner.retryIntervalSeconds,
      timeout_ms: scanner.timeoutMs,
      attempts: scanner.attempts,
    },
    settings,
  )
  if ((scanner.timeoutMs ?? 0) > retryIntervalSeconds * 1_000)
    faults.push([
      'timeoutMs',
      `Le délai d’attente ne peut dépasser l’intervalle entre deux tentatives (${retryIntervalSeconds} s)`,
    ])
  return faults
}

const metricFaults = (scanner: ModelScanner): Faults => {
  const keys = new Set<string>()
  return scanner.metrics.flatMap((metric, index): Faults => {
    const faults: Faults = []
    const at = (field: string) => `metrics.${index}.${field}`
    if (!isProduced(scanner, metric.key)) faults.push([at('key'), 'Ce type de scanner ne produit pas cette clé'])
    if (keys.has(metric.key)) faults.push([at('key'), 'Cette clé est déjà dite'])
    keys.add(metric.key)
    const thresholds = metric.thresholds ?? NO_THRESHOLDS
    for (const [side, message] of fixedFaults(thresholds, metric.formulas))
      faults.push([at(`thresholds.${side}`), message])
    return faults
  })
}

/** A key with its instance, or the bare key of a metric that has instances: it speaks of all of them. */
const isProduced = (scanner: ModelScanner, key: string): boolean => {
  if (metricDefinition(scanner.kind, key) !== null) return true
  const parsed = parseMetricKey(key)
  return parsed?.instance === null && CHECKS[scanner.kind].metrics.some(metric => metric.key === parsed.key)
}
