/** The four severities, worst first: the order of lists and of roll-ups. */
export const SEVERITIES = ['error', 'warning', 'unknown', 'ok'] as const
export type Severity = (typeof SEVERITIES)[number]

const RANKS: Readonly<Record<Severity, number>> = { error: 0, warning: 1, unknown: 2, ok: 3 }

/** Place in `SEVERITIES`: 0 is the worst (error), 3 the best (ok). */
export const severityRank = (severity: Severity): number => RANKS[severity]

/** Comparator for `sort`: worst first. */
export const compareSeverity = (a: Severity, b: Severity): number => RANKS[a] - RANKS[b]

/** The worse of two severities. */
export const worse = (a: Severity, b: Severity): Severity => (RANKS[a] <= RANKS[b] ? a : b)

/** The worst of several; `ok` when there is none. */
export const worst = (severities: Iterable<Severity>): Severity => {
  let result: Severity = 'ok'
  for (const severity of severities) result = worse(result, severity)
  return result
}

/** How many things have each severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>

export const NO_COUNTS: SeverityCounts = { error: 0, warning: 0, unknown: 0, ok: 0 }

/** One more thing of this severity. */
export const addSeverity = (counts: SeverityCounts, severity: Severity): SeverityCounts => ({
  ...counts,
  [severity]: counts[severity] + 1,
})

/** One thing less of this severity. Throws a RangeError where there is none: the caller lost count. */
export const removeSeverity = (counts: SeverityCounts, severity: Severity): SeverityCounts => {
  if (counts[severity] <= 0) throw new RangeError(`No ${severity} left to remove`)
  return { ...counts, [severity]: counts[severity] - 1 }
}

/** A thing goes from one severity to another; null is « not counted ». The same object when nothing changes. */
export const moveSeverity = (counts: SeverityCounts, from: Severity | null, to: Severity | null): SeverityCounts => {
  if (from === to) return counts
  const removed = from === null ? counts : removeSeverity(counts, from)
  return to === null ? removed : addSeverity(removed, to)
}

/** Counts of two groups together. */
export const sumCounts = (a: SeverityCounts, b: SeverityCounts): SeverityCounts => ({
  error: a.error + b.error,
  warning: a.warning + b.warning,
  unknown: a.unknown + b.unknown,
  ok: a.ok + b.ok,
})

/** A group's counts without those of a part. Throws a RangeError where the part is not in it: the caller lost count. */
export const subtractCounts = (whole: SeverityCounts, part: SeverityCounts): SeverityCounts => {
  for (const severity of SEVERITIES) {
    if (part[severity] > whole[severity]) throw new RangeError(`More ${severity} removed than counted`)
  }
  return {
    error: whole.error - part.error,
    warning: whole.warning - part.warning,
    unknown: whole.unknown - part.unknown,
    ok: whole.ok - part.ok,
  }
}

/** Counts of these severities, from nothing. */
export const countSeverities = (severities: Iterable<Severity>): SeverityCounts => {
  const counts = { ...NO_COUNTS }
  for (const severity of severities) counts[severity] += 1
  return counts
}

/** How many things are counted in all. */
export const totalCounts = (counts: SeverityCounts): number =>
  counts.error + counts.warning + counts.unknown + counts.ok

/** The worst severity that is counted at least once, null when nothing is counted. */
export const worstOfCounts = (counts: SeverityCounts): Severity | null =>
  SEVERITIES.find(severity => counts[severity] > 0) ?? null
