import type { UnknownCause } from './metric-state.ts'

/** A metric is never called silent before this, however short its interval. */
export const STALE_FLOOR_MS = 90_000
/** A probe that says nothing for this long is offline: known before any of its metrics grows stale. */
export const PROBE_OFFLINE_AFTER_MS = 60_000

/** How long a metric may be silent: so many intervals, but no shorter than the floor. */
export const silenceAfterMs = (intervalMs: number, factor: number, floorMs: number): number =>
  Math.max(factor * intervalMs, floorMs)

/** The same where nothing else is set: three intervals, 90 s at least. */
export const staleAfterMs = (intervalMs: number): number => silenceAfterMs(intervalMs, 3, STALE_FLOOR_MS)

/**
 * Since when the server listens without a pause. A pass that comes more than one period late means that the server
 * slept (SIGSTOP, a laptop's lid): nothing said meanwhile could be heard, so silence is counted from now on (R24).
 */
export const listeningSince = (sinceMs: number, lastPassMs: number, nowMs: number, periodMs: number): number =>
  nowMs - lastPassMs > 2 * periodMs || nowMs < lastPassMs ? nowMs : sinceMs

/** True when a probe heard of at `heardMs` (0: never) is offline, for a server that listens since `listeningMs`. */
export const isProbeSilent = (
  heardMs: number,
  listeningMs: number,
  nowMs: number,
  afterMs: number = PROBE_OFFLINE_AFTER_MS,
): boolean => nowMs - Math.max(heardMs, listeningMs) >= afterMs

export interface Silence {
  /** When a result of the metric last arrived, or when the metric was created: epoch ms of the server. */
  readonly heardMs: number
  /** When silence was last judged (`unknown` evaluated) since then; 0 when it was not. */
  readonly judgedMs: number
  /** Since when the server listens (`listeningSince`). */
  readonly listeningMs: number
  readonly intervalMs: number
  readonly retryIntervalMs: number
}

/**
 * True when the freshness pass owes the metric one `unknown`: first when it grows stale, then at each retry interval,
 * so that silence obeys the attempts as any bad result does.
 */
export const isSilenceDue = (silence: Silence, nowMs: number): boolean => {
  const staleMs = Math.max(silence.heardMs, silence.listeningMs) + staleAfterMs(silence.intervalMs)
  return nowMs >= staleMs && nowMs - silence.judgedMs >= silence.retryIntervalMs
}

export interface SilenceContext {
  readonly isProbeOffline: boolean
  /** All its parents are down, or its own life test is. */
  readonly isHostUnreachable: boolean
  /** The metric is its scanner's availability. */
  readonly isAvailability: boolean
  /** The scanner's availability is bad or silent too. */
  readonly isScannerFailing: boolean
}

/** Why a metric is silent: the widest cause wins, so that each trouble has one incident and not one a metric. */
export const silenceCause = (context: SilenceContext): UnknownCause => {
  if (context.isProbeOffline) return 'probe-offline'
  if (context.isHostUnreachable) return 'host-unreachable'
  if (context.isAvailability) return 'no-data'
  return context.isScannerFailing ? 'scanner-failed' : 'metric-vanished'
}

/**
 * True when a result must not be evaluated because one as new was: a repeat, or one that was overtaken. Both times are
 * measured ones (probe's clock, skew corrected); `lastAtMs` is the newest evaluated, `-Infinity` at first.
 */
export const isLate = (atMs: number, lastAtMs: number): boolean => atMs <= lastAtMs

/**
 * True when a result was so old on arrival that it would be stale at once: it belongs to charts and availability, and
 * must not page in retrospect. `atMs` is skew corrected.
 */
export const isBacklog = (atMs: number, arrivedMs: number, intervalMs: number): boolean =>
  arrivedMs - atMs >= staleAfterMs(intervalMs)
