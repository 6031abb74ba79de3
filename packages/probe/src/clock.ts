import { performance } from 'node:perf_hooks'

/** Time as the probe uses it; replaced in tests. */
export interface Clock {
  /** Epoch-like milliseconds that never step: the wall clock at the start, then monotonic. For schedules and durations. */
  readonly steadyMs: () => number
  /** The wall clock, epoch ms: for what is sent and kept. */
  readonly wallMs: () => number
  /** Calls back once after `delayMs`; gives what cancels it. */
  readonly after: (delayMs: number, callback: () => void) => () => void
}

export const systemClock = (): Clock => {
  const anchorMs = Date.now() - performance.now()
  return {
    steadyMs: () => anchorMs + performance.now(),
    wallMs: () => Date.now(),
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  }
}
