import type { MetricState } from './metric-state.ts'
import { moveSeverity, NO_COUNTS, type SeverityCounts, subtractCounts, sumCounts } from './severity.ts'

/**
 * Metrics of a host, or of a site, by confirmed (hard) severity: what tiles and roll-ups show. `soft` counts apart those
 * that have an unconfirmed problem; they are in `counts` too, by their last confirmed severity.
 */
export interface MetricTally {
  readonly counts: SeverityCounts
  readonly soft: number
}
export const EMPTY_TALLY: MetricTally = { counts: NO_COUNTS, soft: 0 }

/** What a tally reads of a metric. */
export type TalliedMetric = Pick<MetricState, 'hardSeverity' | 'kind'>

/** One metric's change (null: it did not exist, or does no more). The same object when it changes no count. */
export const tallyMetric = (
  tally: MetricTally,
  before: TalliedMetric | null,
  after: TalliedMetric | null,
): MetricTally => {
  const counts = moveSeverity(tally.counts, before?.hardSeverity ?? null, after?.hardSeverity ?? null)
  const soft = tally.soft - softness(before) + softness(after)
  return counts === tally.counts && soft === tally.soft ? tally : { counts, soft }
}

const softness = (metric: TalliedMetric | null): number => (metric?.kind === 'soft' ? 1 : 0)

/** Two tallies together. */
export const addTally = (a: MetricTally, b: MetricTally): MetricTally => ({
  counts: sumCounts(a.counts, b.counts),
  soft: a.soft + b.soft,
})

/** True when both count the same. */
export const isSameTally = (a: MetricTally, b: MetricTally): boolean =>
  a === b ||
  (a.soft === b.soft &&
    a.counts.error === b.counts.error &&
    a.counts.warning === b.counts.warning &&
    a.counts.unknown === b.counts.unknown &&
    a.counts.ok === b.counts.ok)

/** A tally without a part of it. Throws a RangeError where the part is not in it: the caller lost count. */
export const removeTally = (whole: MetricTally, part: MetricTally): MetricTally => {
  if (part.soft > whole.soft) throw new RangeError('More soft metrics removed than counted')
  return { counts: subtractCounts(whole.counts, part.counts), soft: whole.soft - part.soft }
}
