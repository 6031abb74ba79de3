import type * as z from 'zod/mini'
import type { CheckDefinition, MetricDefinition } from './check-definition.ts'
import { KINDS } from './check-kinds.ts'

export { NO_THRESHOLDS, type Thresholds } from '@narval/engine'

export type CheckKind = keyof typeof KINDS
type Schema<K extends CheckKind> = (typeof KINDS)[K]['parameters']
export type CheckParameters<K extends CheckKind = CheckKind> = z.output<Schema<K>>

/** What is known of each kind. Values without a definition are refused at ingest. */
export const CHECKS: Readonly<Record<CheckKind, CheckDefinition<CheckKind>>> = KINDS

const isKind = (name: string): name is CheckKind => Object.hasOwn(KINDS, name)
export const CHECK_KINDS: readonly CheckKind[] = Object.keys(KINDS).filter(isKind)

const INSTANCE = /^([a-z][a-z0-9_]{0,63})(?:\[(.{1,128})\])?$/su

/** Splits `key[instance]`; null when it is not a metric key at all. */
export const parseMetricKey = (text: string): { key: string; instance: string | null } | null => {
  const match = INSTANCE.exec(text)
  return match?.[1] === undefined ? null : { key: match[1], instance: match[2] ?? null }
}

/**
 * Definition of a metric key for a scanner of this kind with these parameters, or null when it never produces it. Without
 * parameters only what every scanner of the kind produces is known.
 */
export const metricDefinition = (
  kind: CheckKind,
  text: string,
  parameters?: Readonly<Record<string, unknown>>,
): (MetricDefinition & { instance: string | null }) | null => {
  const parsed = parseMetricKey(text)
  if (parsed === null) return null
  const own = parameters === undefined ? undefined : ownMetrics(kind, parameters).find(metric => metric.key === text)
  if (own !== undefined) return { ...own, instance: parsed.instance }
  const definition = CHECKS[kind].metrics.find(metric => metric.key === parsed.key)
  if (definition === undefined) return null
  const hasSlot = definition.name.includes('{instance}')
  if (hasSlot !== (parsed.instance !== null)) return null
  return {
    ...definition,
    // A function: in a text, what an instance is called could be read as a pattern (`$&`).
    name: definition.name.replace('{instance}', () => parsed.instance ?? ''),
    instance: parsed.instance,
  }
}

/** The metrics that a scanner's own parameters define, keys and names whole; none when they are not of the kind's shape. */
export const ownMetrics = (
  kind: CheckKind,
  parameters: Readonly<Record<string, unknown>>,
): readonly MetricDefinition[] => {
  const { metricsOf, parameters: schema } = CHECKS[kind]
  if (metricsOf === undefined) return []
  const parsed = schema.safeParse(parameters)
  return parsed.success ? metricsOf(parsed.data) : []
}

/** The host's credentials that a scanner shows to its target; null: none. */
export const credentialOf = (kind: CheckKind, parameters: Readonly<Record<string, unknown>>) => {
  const { credential, parameters: schema } = CHECKS[kind]
  if (credential === undefined) return null
  const parsed = schema.safeParse(parameters)
  return parsed.success ? credential(parsed.data) : null
}
