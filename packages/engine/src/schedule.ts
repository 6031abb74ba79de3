/**
 * When a check runs. Times are epoch-like milliseconds of a clock that never steps (the caller anchors a monotonic clock),
 * so that a wall clock being set neither skips nor repeats a run.
 *
 * Each scanner owns a fixed grid, `spreadOffset + n × interval`: the runs of a fleet are spread evenly and never drift.
 */
export interface ScheduleRule {
  readonly scanner: number
  readonly intervalMs: number
  readonly retryIntervalMs: number
  /** Failures in a row that are followed by the retry interval, the last one excepted. */
  readonly attempts: number
}

export interface ScheduleState {
  readonly dueMs: number
  /** When the present run started; null when none is under way. */
  readonly runningSinceMs: number | null
  readonly failuresInRow: number
  /** Asked for while it ran: it runs once more when it ends. */
  readonly again: boolean
}

/** `late`: how many due times could not be met; counted, never skipped in silence. */
export type ScheduleEvent = { readonly kind: 'start' } | { readonly kind: 'late'; readonly count: number }

export interface Scheduled {
  readonly state: ScheduleState
  readonly events: readonly ScheduleEvent[]
}

/** A run that starts later than this after its due time is late. */
export const LATE_TOLERANCE_MS = 1_000

const NOTHING: readonly ScheduleEvent[] = []

/** Place of a scanner in its interval, in [0, interval): a hash, so that neighbouring ids land far apart. */
export const spreadOffset = (scanner: number, intervalMs: number): number => {
  let hash = scanner | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return Math.floor((((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * intervalMs)
}

/** The first time of the scanner's grid that is after `nowMs`. */
export const nextOnGrid = (scanner: number, intervalMs: number, nowMs: number): number => {
  const offset = spreadOffset(scanner, intervalMs)
  return (Math.floor((nowMs - offset) / intervalMs) + 1) * intervalMs + offset
}

/**
 * State of a check that is new: its first run comes within `windowMs`, at the scanner's place in that window, and the
 * following ones on its grid; with a window of an interval or more it begins on the grid, the load being even from the start.
 */
export const scheduleNew = (rule: ScheduleRule, nowMs: number, windowMs: number): ScheduleState => ({
  dueMs:
    windowMs < rule.intervalMs
      ? nowMs + spreadOffset(rule.scanner, windowMs)
      : nextOnGrid(rule.scanner, rule.intervalMs, nowMs),
  runningSinceMs: null,
  failuresInRow: 0,
  again: false,
})

/**
 * What to do with a check at `nowMs`: start it, wait, or, when a whole interval passed while nothing ran (the process was
 * frozen), count what was missed and go on at the next place of the grid, so that a thaw does not run all checks at once.
 */
export const scheduleTick = (state: ScheduleState, rule: ScheduleRule, nowMs: number): Scheduled => {
  if (state.runningSinceMs !== null || nowMs < state.dueMs) return { state, events: NOTHING }
  if (nowMs - state.dueMs < rule.intervalMs) return { state, events: [{ kind: 'start' }] }
  const dueMs = nextOnGrid(rule.scanner, rule.intervalMs, nowMs)
  const count = Math.ceil((dueMs - state.dueMs) / rule.intervalMs)
  return { state: { ...state, dueMs }, events: [{ kind: 'late', count }] }
}

/** The run starts now; it counts as late beyond the tolerance. A check that runs already is left as it is. */
export const scheduleStarted = (state: ScheduleState, nowMs: number): Scheduled => {
  if (state.runningSinceMs !== null) return { state, events: NOTHING }
  const late = nowMs - state.dueMs > LATE_TOLERANCE_MS
  return {
    state: { ...state, runningSinceMs: nowMs, again: false },
    events: late ? [{ kind: 'late', count: 1 }] : NOTHING,
  }
}

/**
 * The run ended. While it fails, and until the number of attempts is reached, the next run comes at the retry interval;
 * otherwise at the next place of the grid. Places of the grid that the run covered are counted as late.
 */
export const scheduleFinished = (
  state: ScheduleState,
  rule: ScheduleRule,
  failed: boolean,
  nowMs: number,
): Scheduled => {
  const startedMs = state.runningSinceMs ?? nowMs
  const failuresInRow = failed ? Math.min(state.failuresInRow + 1, rule.attempts) : 0
  const retry = failed && failuresInRow < rule.attempts
  const rest = { runningSinceMs: null, failuresInRow, again: false }
  if (state.again) return { state: { ...rest, dueMs: nowMs }, events: NOTHING }
  if (retry) {
    const dueMs = Math.max(nowMs, startedMs + Math.min(rule.retryIntervalMs, rule.intervalMs))
    return { state: { ...rest, dueMs }, events: NOTHING }
  }
  const dueMs = nextOnGrid(rule.scanner, rule.intervalMs, nowMs)
  const covered = Math.round((dueMs - nextOnGrid(rule.scanner, rule.intervalMs, startedMs)) / rule.intervalMs)
  return { state: { ...rest, dueMs }, events: covered > 0 ? [{ kind: 'late', count: covered }] : NOTHING }
}

/** An order to run now, out of schedule: at once, or once more after the run that is under way. */
export const scheduleRecheck = (state: ScheduleState, nowMs: number): ScheduleState =>
  state.runningSinceMs === null ? { ...state, dueMs: Math.min(state.dueMs, nowMs) } : { ...state, again: true }

/** The rule changed: what is under way goes on, and the next run is at most `windowMs` away. */
export const scheduleChanged = (
  state: ScheduleState,
  rule: ScheduleRule,
  nowMs: number,
  windowMs: number,
): ScheduleState => {
  const failuresInRow = Math.min(state.failuresInRow, Math.max(0, rule.attempts - 1))
  if (state.runningSinceMs !== null) return { ...state, failuresInRow, again: true }
  return { ...scheduleNew(rule, nowMs, windowMs), failuresInRow }
}
