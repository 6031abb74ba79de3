/** Figures of collection and judgement where nothing else is set (design: engine.md). */
export const COLLECT_DEFAULTS = {
  intervalMs: 60_000,
  /** Interval while a bad result is not confirmed. */
  retryIntervalMs: 20_000,
  /** Bad results in a row before a state is confirmed. */
  attempts: 3,
  timeoutMs: 5_000,
} as const

/** Bounds of `attempts`. */
export const ATTEMPTS_BOUNDS = { min: 1, max: 20 } as const
