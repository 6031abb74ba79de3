import { CHECKS, type CheckKind, parseMetricKey } from './check.ts'

/** French words of the values that a metric of this kind has, where it is a state. */
export const statesOf = (kind: CheckKind, key: string): Readonly<Record<number, string>> | null => {
  const parsed = parseMetricKey(key)
  return CHECKS[kind].metrics.find(metric => metric.key === parsed?.key)?.states ?? null
}
