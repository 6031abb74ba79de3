/** One run of a host's life test that came too late to be judged; `atMs` by the probe's clock. */
export interface LateRun {
  readonly atMs: number
  readonly good: boolean
  readonly intervalMs: number
  /** Nothing heard for longer is silence: two runs farther apart have a hole between them. */
  readonly staleMs: number
}

/** Runs of one outcome in a row; `untilMs` is no more in it. */
export interface LateRow {
  readonly fromMs: number
  readonly untilMs: number
  readonly good: boolean
}

/**
 * The rows once one more run is known: in order and never overlapping, as given. A run speaks for its interval, and for
 * the time to the one before and the one after where that is no silence. A run that is known already changes nothing.
 */
export const addLateRun = (rows: readonly LateRow[], run: LateRun): readonly LateRow[] => {
  const { atMs, good, intervalMs, staleMs } = run
  const place = rows.findLastIndex(row => row.fromMs <= atMs)
  const before = rows[place]
  const after = rows[place + 1]
  // Within what is known already it speaks for itself alone.
  const isInside = before !== undefined && before.untilMs > atMs + intervalMs
  const untilMs = isInside ? atMs + intervalMs : reach(atMs, atMs + intervalMs, after, staleMs)
  if (before !== undefined && before.fromMs === atMs && before.good !== good) {
    // Two probes of two minds at one instant: the failure stays.
    if (!before.good) return rows
    return spliced(rows, place, [
      { fromMs: atMs, untilMs: Math.min(untilMs, before.untilMs), good },
      ...restOf(before, untilMs),
    ])
  }
  const isHeard = before !== undefined && atMs - before.untilMs < staleMs - intervalMs
  if (!isHeard) return joined(rows, place, before === undefined ? [] : [before], { fromMs: atMs, untilMs, good })
  if (before.good === good) return joined(rows, place, [], { ...before, untilMs: Math.max(before.untilMs, untilMs) })
  const own = { fromMs: atMs, untilMs, good }
  const rest = restOf(before, untilMs)
  const first = { ...before, untilMs: atMs }
  return rest.length > 0 ? spliced(rows, place, [first, own, ...rest]) : joined(rows, place, [first], own)
}

/** How far a run that starts at `atMs` speaks: to the next row where that one follows without a silence. */
const reach = (atMs: number, untilMs: number, after: LateRow | undefined, staleMs: number): number => {
  if (after === undefined) return untilMs
  return after.fromMs - atMs < staleMs ? after.fromMs : Math.min(untilMs, after.fromMs)
}

/** What remains of a row that was cut in two. */
const restOf = (row: LateRow, fromMs: number): LateRow[] => (row.untilMs > fromMs ? [{ ...row, fromMs }] : [])

/** Puts a row in the place of another, after `kept`, as one with the row that follows where they touch and agree. */
const joined = (rows: readonly LateRow[], place: number, kept: readonly LateRow[], row: LateRow): LateRow[] => {
  const after = rows[place + 1]
  if (after === undefined || after.good !== row.good || after.fromMs > row.untilMs)
    return spliced(rows, place, [...kept, row])
  const one = { ...row, untilMs: Math.max(row.untilMs, after.untilMs) }
  return [...rows.slice(0, Math.max(place, 0)), ...kept, one, ...rows.slice(place + 2)]
}

const spliced = (rows: readonly LateRow[], place: number, instead: readonly LateRow[]): LateRow[] => [
  ...rows.slice(0, Math.max(place, 0)),
  ...instead,
  ...rows.slice(place + 1),
]
