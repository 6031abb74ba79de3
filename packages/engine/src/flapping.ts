import type { Severity } from './severity.ts'

/** Changes of severity that are looked at: those among the last 21 measured results. */
export const FLAPPING_CHANGES = 20

/** From which share of weighted changes on a metric flaps, and under which it does no more: percents, start ≥ end. */
export interface FlappingRule {
  readonly startPercent: number
  readonly endPercent: number
}

/**
 * What is remembered to tell flapping, as one small integer: bits 0 … 19 say which of the last results changed the
 * severity (bit 0: the newest), bits 20 and 21 the severity last measured, bit 22 that the metric flaps. 0: nothing yet.
 */
export type FlappingMemory = number

const HISTORY = (1 << FLAPPING_CHANGES) - 1
const SEVERITY_SHIFT = FLAPPING_CHANGES
const SEVERITY_BITS = 3 << SEVERITY_SHIFT
const FLAPS = 1 << (SEVERITY_SHIFT + 2)

/** Severities that can be measured, by their two bits. */
const MEASURED = [null, 'ok', 'warning', 'error'] as const satisfies readonly (Severity | null)[]
type Measured = Exclude<Severity, 'unknown'>
const bitsOf = (severity: Measured): number =>
  (severity === 'ok' ? 1 : severity === 'warning' ? 2 : 3) << SEVERITY_SHIFT

/**
 * Weights rise linearly by 50 % from the oldest change to the newest, 0.8 … 1.2 of one in twenty (Nagios). In whole
 * numbers: 38 … 57 of 950, so that a percentage is the same on every machine.
 */
const OLDEST_WEIGHT = 38
const ALL_WEIGHTS = 950

/** The weighted share of changes among the last results, 0 … 100 %. */
export const flappingPercent = (memory: FlappingMemory): number => {
  let points = 0
  for (let left = memory & HISTORY; left !== 0; left &= left - 1) {
    // Index of the lowest bit that is set: how many results ago that change was.
    const age = 31 - Math.clz32(left & -left)
    points += OLDEST_WEIGHT + FLAPPING_CHANGES - 1 - age
  }
  return (points * 100) / ALL_WEIGHTS
}

/** True when a change is among the results that it looks at: more than the present severity tells. */
export const remembersChanges = (memory: FlappingMemory): boolean => (memory & HISTORY) !== 0

export const isFlapping = (memory: FlappingMemory): boolean => (memory & FLAPS) !== 0

/** The severity last measured; null before the first. */
export const lastMeasured = (memory: FlappingMemory): Measured | null =>
  MEASURED[(memory & SEVERITY_BITS) >> SEVERITY_SHIFT] ?? null

/**
 * The memory after one measured result; silence is none. Without a rule nothing is remembered. A metric begins to flap
 * at a change alone, and only where it may (`mayStart`): where it can't be told, it goes on as if it were steady.
 */
export const nextFlapping = (
  memory: FlappingMemory,
  severity: Measured,
  rule: FlappingRule | null | undefined,
  mayStart: boolean,
): FlappingMemory => {
  const own = bitsOf(severity)
  if (rule == null) return own
  const last = memory & SEVERITY_BITS
  const changed = last !== 0 && last !== own ? 1 : 0
  const next = own | (((memory << 1) | changed) & HISTORY)
  if ((memory & FLAPS) !== 0) return flappingPercent(next) < rule.endPercent ? next : next | FLAPS
  return changed === 1 && mayStart && flappingPercent(next) >= rule.startPercent ? next | FLAPS : next
}
