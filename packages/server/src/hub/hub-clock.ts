/** Time as the hubs see it; injected so that tests own it. `every` and `after` return their cancellation. */
export interface HubClock {
  /** Epoch milliseconds, only compared with the ends of tokens. */
  wallMs(): number
  /** Milliseconds that never go back, for durations. */
  monotonicMs(): number
  every(periodMs: number, run: () => void): () => void
  after(delayMs: number, run: () => void): () => void
}

/** The machine's clock; its timers never keep the process alive. */
export const systemHubClock: HubClock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  every(periodMs, run) {
    const timer = setInterval(run, periodMs).unref()
    return () => clearInterval(timer)
  },
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves as `work` does, or rejects after `limitMs`. */
export function within<T>(clock: HubClock, limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limitMs, () => reject(new Error(`No answer within ${limitMs} ms`)))
    work.then(resolve, reject).finally(cancel)
  })
}
