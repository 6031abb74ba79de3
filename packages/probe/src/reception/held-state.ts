import type { EventSeverity } from '@narval/contracts'

/** Until when a scanner is in alert and in error, by the wall clock; 0: it is not. */
export interface HeldState {
  readonly warningUntilMs: number
  readonly errorUntilMs: number
}
export const CALM: HeldState = { warningUntilMs: 0, errorUntilMs: 0 }
/** Until somebody says that all is well. */
const FOREVER = Number.MAX_SAFE_INTEGER

/** The state after a message; `holdMinutes` 0: it lasts until a message of the other kind. */
export const heldAfter = (held: HeldState, severity: EventSeverity, holdMinutes: number, nowMs: number): HeldState => {
  if (severity === 'ok') return CALM
  const untilMs = holdMinutes === 0 ? FOREVER : nowMs + holdMinutes * 60_000
  return severity === 'error' ? { ...held, errorUntilMs: untilMs } : { ...held, warningUntilMs: untilMs }
}

/** 0 all is well, 1 alert, 2 error: the value of the metric. */
export const heldValue = ({ warningUntilMs, errorUntilMs }: HeldState, nowMs: number): 0 | 1 | 2 =>
  nowMs < errorUntilMs ? 2 : nowMs < warningUntilMs ? 1 : 0
