import type { MetricState } from './metric-state.ts'

/**
 * What a host that hangs on others says of them. `open`: nothing above explains a failure of its own. `unreachable`: all
 * of them are cut off. `hold`: one may turn out to be, so that a failure is not confirmed yet.
 */
export type Reachability = 'open' | 'unreachable' | 'hold'

/** The life test of a host, as those that hang on it are judged by. */
export type LifeState = Pick<MetricState, 'severity' | 'kind' | 'hardSeverity' | 'hardCause'>

/** What one parent says: it answers (or nothing is known of it), it is cut off, it fails unconfirmed, it was not heard. */
export type Standing = 'reachable' | 'cut' | 'doubtful' | 'unheard'

export interface ParentInput {
  /** Null: it has no life test, and says nothing. */
  readonly life: LifeState | null
  /** When its life test was last heard as good, as far as it counts for its children; -Infinity: never. */
  readonly vouchedMs: number
}

/** Confirmed as failing, or unreachable itself: nothing behind it can be told from it. */
export const isCutOff = (life: LifeState | null): boolean =>
  life !== null &&
  life.severity !== 'ok' &&
  (life.hardSeverity === 'error' || (life.hardSeverity === 'unknown' && life.hardCause === 'host-unreachable'))

/** `sinceMs`: when the failure began that is to be explained. */
export const standingOf = ({ life, vouchedMs }: ParentInput, sinceMs: number): Standing => {
  if (life === null) return 'reachable'
  if (isCutOff(life)) return 'cut'
  if (life.kind === 'soft' && life.severity === 'error') return 'doubtful'
  if (life.severity === 'ok' && vouchedMs < sinceMs) return 'unheard'
  return 'reachable'
}

/** How long past its own confirmation a failure waits for the word of what it hangs on. */
export const HOLD_MS = 60_000

export interface Problem {
  /** First bad result of the failure; null: it begins now. */
  readonly problemSinceMs: number | null
  readonly attempts: number
  readonly retryIntervalMs: number
}

/** When a failure is confirmed whatever those above it say: it fails open, so that nothing waits for ever. */
export const holdEndsMs = ({ problemSinceMs, attempts, retryIntervalMs }: Problem, nowMs: number): number =>
  (problemSinceMs ?? nowMs) + (attempts - 1) * retryIntervalMs + HOLD_MS

/**
 * What becomes of a failing host by those that it hangs on, disabled ones left out. One that answers is enough to reach
 * it; all of them cut off make it unreachable; otherwise it waits for those not known yet, for a while.
 */
export const reachability = (parents: readonly ParentInput[], problem: Problem, nowMs: number): Reachability => {
  if (parents.length === 0) return 'open'
  const sinceMs = problem.problemSinceMs ?? nowMs
  let isCut = true
  for (const parent of parents) {
    const standing = standingOf(parent, sinceMs)
    if (standing === 'reachable') return 'open'
    if (standing !== 'cut') isCut = false
  }
  if (isCut) return 'unreachable'
  return nowMs < holdEndsMs(problem, nowMs) ? 'hold' : 'open'
}

/** All that hangs on a thing, in whatever number of steps, each once: cycles end. */
export const descendantsOf = <T>(start: T, childrenOf: (one: T) => readonly T[]): T[] => {
  const found = new Set<T>([start])
  for (const one of found) for (const child of childrenOf(one)) found.add(child)
  found.delete(start)
  return [...found]
}

/**
 * Where a cut begins: going up through what is cut off, those above which nothing is (their own failure explains the
 * rest), each once. In a cycle of things that are all cut off, nothing: none of them explains itself.
 */
export const rootsOfCut = <T>(start: T, parentsOf: (one: T) => readonly T[], isCut: (one: T) => boolean): T[] => {
  const seen = new Set<T>([start])
  const roots: T[] = []
  for (const one of seen) {
    const above = parentsOf(one)
    const cut = above.filter(isCut)
    // One that still has a way is not cut by the others: its own failure is what counts.
    const isExplained = above.length > 0 && cut.length === above.length
    if (one !== start && !isExplained) roots.push(one)
    else for (const parent of isExplained ? cut : []) seen.add(parent)
  }
  return roots
}
