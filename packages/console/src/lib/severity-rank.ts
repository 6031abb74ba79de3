import { SEVERITIES, type Severity, severityRank } from '@narval/engine'

/** 0 for the worst; what nothing is known of comes last. */
export const rankOf = (severity: Severity | null): number =>
  severity === null ? SEVERITIES.length : severityRank(severity)

/** The worst of several; null where nothing is known of any. */
export const worstOf = (severities: Iterable<Severity | null>): Severity | null => {
  let worst: Severity | null = null
  for (const one of severities) if (rankOf(one) < rankOf(worst)) worst = one
  return worst
}
