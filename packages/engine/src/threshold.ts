import type { Severity } from './severity.ts'

/** In the order of forms and audits: two severities, each above and below, each with where it ends. */
export const THRESHOLD_SIDES = [
  'warningHigh',
  'warningHighClear',
  'warningLow',
  'warningLowClear',
  'errorHigh',
  'errorHighClear',
  'errorLow',
  'errorLowClear',
] as const

/**
 * Thresholds beyond which a value is bad: above a high one, below a low one, never at it. A `clear` value says from where
 * on it is good again, itself included; null: 5 % of the threshold inside it. Same shape as on the wire.
 */
export type Thresholds = Readonly<Record<(typeof THRESHOLD_SIDES)[number], number | null>>

export const NO_THRESHOLDS: Thresholds = {
  warningHigh: null,
  warningHighClear: null,
  warningLow: null,
  warningLowClear: null,
  errorHigh: null,
  errorHighClear: null,
  errorLow: null,
  errorLowClear: null,
}

/** Share of the threshold's absolute value that a value must come back by, where no clear value is given. */
export const DEFAULT_CLEAR_RATIO = 0.05

/** Bits of `raised`: the thresholds that were crossed and not cleared yet. */
export const RAISED = { warningHigh: 1, warningLow: 2, errorHigh: 4, errorLow: 8 } as const
export type RaisedSide = keyof typeof RAISED

const WARNING_BITS = RAISED.warningHigh | RAISED.warningLow
const ERROR_BITS = RAISED.errorHigh | RAISED.errorLow

export interface Judgement {
  readonly severity: Severity
  /** Memory for the next judgement: bits of `RAISED`. */
  readonly raised: number
  /** The threshold to name in a message: the worst raised one; null when the value is good. */
  readonly crossed: RaisedSide | null
}

/**
 * Severity of a finite value: each threshold is raised beyond it and stays so until its clear value, an error wins over
 * a warning. `raised` is what the last judgement gave, 0 at first.
 */
export const judge = (value: number, thresholds: Thresholds, raised: number): Judgement => {
  const next = nextRaised(value, thresholds, raised)
  return { severity: raisedSeverity(next), raised: next, crossed: worstRaised(next) }
}

/** The hysteresis alone, as bits of `RAISED`: for the hot path. */
export const nextRaised = (value: number, t: Thresholds, raised: number): number => {
  let next = 0
  const low = nearestLow(t)
  const high = nearestHigh(t)
  if (isHighRaised(value, t.warningHigh, t.warningHighClear, low, raised & RAISED.warningHigh))
    next |= RAISED.warningHigh
  if (isLowRaised(value, t.warningLow, t.warningLowClear, high, raised & RAISED.warningLow)) next |= RAISED.warningLow
  if (isHighRaised(value, t.errorHigh, t.errorHighClear, low, raised & RAISED.errorHigh)) next |= RAISED.errorHigh
  if (isLowRaised(value, t.errorLow, t.errorLowClear, high, raised & RAISED.errorLow)) next |= RAISED.errorLow
  return next
}

/** Severity that these bits of `RAISED` mean. */
export const raisedSeverity = (raised: number): Severity =>
  (raised & ERROR_BITS) !== 0 ? 'error' : (raised & WARNING_BITS) !== 0 ? 'warning' : 'ok'

const worstRaised = (raised: number): RaisedSide | null => {
  if ((raised & RAISED.errorHigh) !== 0) return 'errorHigh'
  if ((raised & RAISED.errorLow) !== 0) return 'errorLow'
  if ((raised & RAISED.warningHigh) !== 0) return 'warningHigh'
  return (raised & RAISED.warningLow) !== 0 ? 'warningLow' : null
}

/** The threshold on the other side that a value meets first: an error may stand across from a warning alone. */
const nearestLow = (t: Thresholds): number | null => t.warningLow ?? t.errorLow
const nearestHigh = (t: Thresholds): number | null => t.warningHigh ?? t.errorHigh

const isHighRaised = (value: number, high: number | null, clear: number | null, low: number | null, was: number) =>
  high !== null && (value > high || (was !== 0 && value > highClear(high, clear, low)))

const isLowRaised = (value: number, low: number | null, clear: number | null, high: number | null, was: number) =>
  low !== null && (value < low || (was !== 0 && value < lowClear(low, clear, high)))

// A default clear value stops at the middle of a narrow band: there must always be a way back to good.
const highClear = (
  high: number,
  clear: number | null,
  low: number | null,
  ratio: number = DEFAULT_CLEAR_RATIO,
): number => {
  if (clear !== null) return Math.min(clear, high)
  const inside = high - Math.abs(high) * ratio
  return low === null || low > high ? inside : Math.max(inside, middle(low, high))
}

const lowClear = (
  low: number,
  clear: number | null,
  high: number | null,
  ratio: number = DEFAULT_CLEAR_RATIO,
): number => {
  if (clear !== null) return Math.max(clear, low)
  const inside = low + Math.abs(low) * ratio
  return high === null || low > high ? inside : Math.min(inside, middle(low, high))
}

const middle = (low: number, high: number): number => low + (high - low) / 2

/** Clear values in force, defaults filled in: what a form shows beside each threshold. */
export interface ClearValues {
  readonly warningHigh: number | null
  readonly warningLow: number | null
  readonly errorHigh: number | null
  readonly errorLow: number | null
}

export const effectiveClear = (t: Thresholds, ratio: number = DEFAULT_CLEAR_RATIO): ClearValues => ({
  warningHigh: t.warningHigh === null ? null : highClear(t.warningHigh, t.warningHighClear, nearestLow(t), ratio),
  warningLow: t.warningLow === null ? null : lowClear(t.warningLow, t.warningLowClear, nearestHigh(t), ratio),
  errorHigh: t.errorHigh === null ? null : highClear(t.errorHigh, t.errorHighClear, nearestLow(t), ratio),
  errorLow: t.errorLow === null ? null : lowClear(t.errorLow, t.errorLowClear, nearestHigh(t), ratio),
})

/** The thresholds with every clear value written out, by this share of the threshold where none is given; as they are at 5 %. */
export const withClearValues = (t: Thresholds, ratio: number): Thresholds => {
  if (ratio === DEFAULT_CLEAR_RATIO) return t
  const clear = effectiveClear(t, ratio)
  return {
    ...t,
    warningHighClear: clear.warningHigh,
    warningLowClear: clear.warningLow,
    errorHighClear: clear.errorHigh,
    errorLowClear: clear.errorLow,
  }
}

/** What can be wrong with thresholds; the field named is the one to correct. */
export const THRESHOLD_FAULTS = [
  'not-finite',
  'low-not-below-high',
  'error-inside-warning',
  'clear-without-threshold',
  'clear-on-wrong-side',
  'clear-past-opposite',
] as const
export type ThresholdFaultCode = (typeof THRESHOLD_FAULTS)[number]
export interface ThresholdFault {
  readonly code: ThresholdFaultCode
  readonly field: keyof Thresholds
}

const PAIRS = [
  { high: 'warningHigh', highClear: 'warningHighClear', low: 'warningLow', lowClear: 'warningLowClear' },
  { high: 'errorHigh', highClear: 'errorHighClear', low: 'errorLow', lowClear: 'errorLowClear' },
] as const

/** Everything incoherent in these thresholds, at most once a field and code; empty when they can be used. */
export const thresholdFaults = (t: Thresholds): readonly ThresholdFault[] => {
  const notFinite = THRESHOLD_SIDES.filter(field => t[field] !== null && !Number.isFinite(t[field]))
  if (notFinite.length > 0) return notFinite.map(field => ({ code: 'not-finite', field }))
  const faults: ThresholdFault[] = []
  for (const low of ['warningLow', 'errorLow'] as const) {
    if (isAtLeast(t[low], t.warningHigh) || isAtLeast(t[low], t.errorHigh))
      faults.push({ code: 'low-not-below-high', field: low })
  }
  if (isAbove(t.warningHigh, t.errorHigh)) faults.push({ code: 'error-inside-warning', field: 'errorHigh' })
  if (isAbove(t.errorLow, t.warningLow)) faults.push({ code: 'error-inside-warning', field: 'errorLow' })
  for (const pair of PAIRS) faults.push(...clearFaults(t, pair))
  return faults
}

const clearFaults = (t: Thresholds, pair: (typeof PAIRS)[number]): ThresholdFault[] => {
  const faults: ThresholdFault[] = []
  const check = (clear: 'highClear' | 'lowClear', own: number | null, isWrong: boolean, isPast: boolean) => {
    const field = pair[clear]
    if (t[field] === null) return
    if (own === null) faults.push({ code: 'clear-without-threshold', field })
    else if (isWrong) faults.push({ code: 'clear-on-wrong-side', field })
    else if (isPast) faults.push({ code: 'clear-past-opposite', field })
  }
  const high = t[pair.high]
  const low = t[pair.low]
  check('highClear', high, isAbove(t[pair.highClear], high), isAbove(nearestLow(t), t[pair.highClear]))
  check('lowClear', low, isAbove(low, t[pair.lowClear]), isAbove(t[pair.lowClear], nearestHigh(t)))
  return faults
}

const isAbove = (a: number | null, b: number | null): boolean => a !== null && b !== null && a > b
const isAtLeast = (a: number | null, b: number | null): boolean => a !== null && b !== null && a >= b
