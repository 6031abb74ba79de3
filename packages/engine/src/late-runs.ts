/** One run of a host's life test that came too late to be judged; `atMs` by the probe's clock. */
export interface LateRun {
  readonly atMs: number
  readonly good: boolean
  readonly intervalMs: number
  /** Nothing heard for longer is silence: two runs farther apart have a hole between them. */
  readonly staleMs: number
  /** Failures in a row that confirm that it is down, as of a run that is judged when it comes; 1 … 20. */
  readonly attempts: number
}

/** Runs of one outcome in a row; `untilMs` is no more in it. */
export interface LateRow {
  readonly fromMs: number
  readonly untilMs: number
  readonly good: boolean
  /** Of a bad one: when its first runs failed, in order, as many as confirm it at most. */
  readonly failures?: readonly number[]
  /** Of a bad one: when its failures were enough; null: they never were. */
  readonly confirmedMs?: number | null
}

/**
 * The rows once one more run is known: in order, never overlapping, two that touch of different outcomes, as given. A run
 * speaks for its interval, and for the time to the one before and the one after where that is no silence. A run that is
 * known already changes nothing.
 */
export const addLateRun = (rows: readonly LateRow[], run: LateRun): readonly LateRow[] => {
  const { atMs, good, intervalMs, staleMs } = run
  const place = rows.findLastIndex(row => row.fromMs <= atMs)
  const before = rows[place]
  const after = rows[place + 1]
  // Within what is known already it speaks for itself alone.
  const isInside = before !== undefined && before.untilMs > atMs + intervalMs
  const untilMs = isInside ? atMs + intervalMs : reach(atMs, atMs + intervalMs, after, staleMs)
  const put = (count: number, instead: readonly LateRow[]): readonly LateRow[] =>
    joined([...rows.slice(0, place + 1 - count), ...instead, ...rows.slice(place + 1)], run)
  if (before === undefined) return put(0, [rowOf(run, untilMs)])
  if (before.fromMs === atMs && before.good !== good) {
    // Two probes of two minds at one instant: the failure stays.
    if (!before.good) return rows
    const endMs = Math.min(untilMs, before.untilMs)
    return put(1, [rowOf(run, endMs), ...restOf(before, endMs, run)])
  }
  const isHeard = atMs - before.untilMs < staleMs - intervalMs
  if (!isHeard) return put(0, [rowOf(run, untilMs)])
  if (before.good === good)
    return put(1, [withFailures(before, Math.max(before.untilMs, untilMs), good ? [] : [atMs], run)])
  return put(1, [untilOf(before, atMs), rowOf(run, untilMs), ...restOf(before, untilMs, run)])
}

const rowOf = (run: LateRun, untilMs: number): LateRow => {
  const row = { fromMs: run.atMs, untilMs, good: run.good }
  return run.good ? row : withFailures(row, untilMs, [run.atMs], run)
}

/** A row that lasts so long, with more of its failures known. What was confirmed before them is no more looked at. */
const withFailures = (row: LateRow, untilMs: number, more: readonly number[], { attempts }: LateRun): LateRow => {
  const { fromMs, good, failures = [], confirmedMs = null } = row
  if (good) return { fromMs, untilMs, good }
  if (confirmedMs !== null && more.every(at => at >= confirmedMs))
    return { fromMs, untilMs, good, failures, confirmedMs }
  const known = [...new Set([...failures, ...more])].sort((a, b) => a - b).slice(0, attempts)
  return { fromMs, untilMs, good, failures: known, confirmedMs: known[attempts - 1] ?? null }
}

/** What remains of a row before an instant. */
const untilOf = (row: LateRow, untilMs: number): LateRow => {
  const { fromMs, good, failures = [], confirmedMs = null } = row
  if (good) return { fromMs, untilMs, good }
  const isConfirmed = confirmedMs !== null && confirmedMs < untilMs
  return {
    ...{ fromMs, untilMs, good, failures: failures.filter(at => at < untilMs) },
    confirmedMs: isConfirmed ? confirmedMs : null,
  }
}

/**
 * What remains of a row after an instant, if anything. Failures beyond those that confirmed it are not known any more: one
 * at each interval.
 */
const restOf = (row: LateRow, fromMs: number, run: LateRun): LateRow[] => {
  const { untilMs, good, failures = [], confirmedMs = null } = row
  if (untilMs <= fromMs) return []
  if (good) return [{ fromMs, untilMs, good }]
  const known = failures.filter(at => at >= fromMs)
  const guessed =
    confirmedMs === null
      ? []
      : Array.from({ length: run.attempts }, (_, index) => fromMs + index * run.intervalMs).filter(at => at < untilMs)
  return [withFailures({ fromMs, untilMs, good }, untilMs, [...known, ...guessed], run)]
}

/** How far a run that starts at `atMs` speaks: to the next row where that one follows without a silence. */
const reach = (atMs: number, untilMs: number, after: LateRow | undefined, staleMs: number): number => {
  if (after === undefined) return untilMs
  return after.fromMs - atMs < staleMs ? after.fromMs : Math.min(untilMs, after.fromMs)
}

/** Rows that touch and agree are one. */
const joined = (rows: readonly LateRow[], run: LateRun): LateRow[] => {
  const found: LateRow[] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last === undefined || last.good !== row.good || row.fromMs > last.untilMs) found.push(row)
    else found[found.length - 1] = oneOf(last, row, run)
  }
  return found
}

/** A row that was confirmed stays so at the same moment; the failures of one that was not count for the next. */
const oneOf = (last: LateRow, row: LateRow, run: LateRun): LateRow => {
  const one = withFailures(last, Math.max(last.untilMs, row.untilMs), row.failures ?? [], run)
  const confirmedMs = [one.confirmedMs, row.confirmedMs].filter(at => at != null)
  return one.good || confirmedMs.length === 0 ? one : { ...one, confirmedMs: Math.min(...confirmedMs) }
}
