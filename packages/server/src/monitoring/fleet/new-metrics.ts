import {
  AVAILABILITY_KEY,
  CHECKS,
  type CheckResult,
  type MetricDefinition,
  type MetricInherited,
  metricDefinition,
} from '@narval/contracts'
import { batches } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import type { NewMetric } from '../monitoring.store.ts'
import type { ScannerEntry } from './model.ts'

/** Metrics that one scanner may bring unless its kind says otherwise: a hostile probe must not fill the database (S57). */
const MAX_METRICS = 500
/** Longest name of a metric, as the API allows it. */
const NAME_MAX = 160

export interface ScannerResult {
  readonly result: CheckResult
  readonly scanner: ScannerEntry
}

/**
 * The metrics that these results bring for the first time, with what their first value settles; `unknown` counts values
 * whose key the scanner never produces, or beyond its quota.
 */
export const findNewMetrics = async (
  database: Database,
  results: readonly ScannerResult[],
): Promise<{ readonly metrics: readonly NewMetric[]; readonly unknown: number }> => {
  const bringing = results.filter(({ result, scanner }) =>
    Object.keys(result.values).some(key => !scanner.metrics.has(key)),
  )
  if (bringing.length === 0) return { metrics: [], unknown: 0 }
  const scanners = bringing.map(({ scanner }) => scanner)
  const parametersOf = await readParameters(database, scanners)
  const found = new Map<number, Map<string, NewMetric>>()
  let unknown = 0
  for (const { result, scanner } of bringing) {
    const { maxMetrics = MAX_METRICS } = CHECKS[scanner.kind]
    const own = found.get(scanner.id) ?? new Map<string, NewMetric>()
    found.set(scanner.id, own)
    for (const [key, value] of Object.entries(result.values)) {
      if (scanner.metrics.has(key) || own.has(key)) continue
      const definition = metricDefinition(scanner.kind, key, parametersOf(scanner.id))
      if (definition === null || key === AVAILABILITY_KEY || scanner.metrics.size + own.size >= maxMetrics) unknown += 1
      else own.set(key, newMetric(scanner, key, definition, result, value))
    }
  }
  return { metrics: [...found.values()].flatMap(own => [...own.values()]), unknown }
}

/** The words of its instance and what is expected from now on come from the first result: they are then the metric's own. */
const newMetric = (
  scanner: ScannerEntry,
  key: string,
  definition: MetricDefinition & { readonly instance: string | null },
  result: CheckResult,
  value: number,
): NewMetric => {
  const label = labelOf(definition, result)
  const learned = definition.learn?.(value)
  const own: MetricInherited[] = []
  if (label !== undefined) own.push('name')
  if (learned !== undefined) own.push('thresholds')
  const thresholds = learned === undefined ? {} : { thresholds: { ...definition.thresholds, ...learned } }
  return {
    hostId: scanner.host.id,
    scannerId: scanner.id,
    key,
    definition: { ...definition, name: nameWithLabel(definition, result), ...thresholds },
    own,
  }
}

interface Named {
  readonly name: string
  readonly instance: string | null
}
type Labels = Pick<CheckResult, 'labels'>
const labelOf = ({ instance }: Named, { labels }: Labels): string | undefined =>
  instance === null ? undefined : labels?.[instance]

/** The name of a metric with its instance in the equipment's own words, where a result has them. */
export const nameWithLabel = (named: Named, result: Labels): string => {
  const label = labelOf(named, result)
  const name = label === undefined ? named.name : named.name.replace(named.instance ?? '', () => label)
  return name.slice(0, NAME_MAX)
}

/** The parameters of scanners whose kind defines metrics by them, read once for all; undefined for the others. */
const readParameters = async (database: Database, scanners: readonly ScannerEntry[]) => {
  const ids = scanners.filter(scanner => CHECKS[scanner.kind].metricsOf !== undefined).map(({ id }) => id)
  const rows = new Map<number, Record<string, unknown>>()
  for (const some of batches([...new Set(ids)])) {
    const found = await database.db.selectFrom('scanner').select(['id', 'parameters']).where('id', 'in', some).execute()
    for (const row of found) rows.set(row.id, JSON.parse(row.parameters))
  }
  return (id: number) => rows.get(id)
}
