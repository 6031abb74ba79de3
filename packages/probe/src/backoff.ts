/** How long to wait before trying again: doubles from half a second to 30 s, half of it random so that probes spread (R12). */
export const BACKOFF_BASE_MS = 500
export const BACKOFF_CAP_MS = 30_000
/** Longest Retry-After that is obeyed. */
export const RETRY_AFTER_MAX_MS = 10 * 60_000

/** `failures` ≥ 1 failures in a row; `random` in [0, 1). */
export const backoffMs = (failures: number, random: number): number => {
  const full = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.min(failures - 1, 20))
  return Math.round(full / 2 + (full / 2) * random)
}

/** Retry-After is a least: up to a fifth more, so that all do not come back at once. */
export const retryAfterWithJitter = (retryAfterMs: number, random: number): number =>
  Math.round(retryAfterMs * (1 + 0.2 * random))

/** Milliseconds that a Retry-After header asks for (seconds or a date); null when it is absent or wrong. */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | null => {
  if (header === undefined) return null
  const text = header.trim()
  const isDate = text.endsWith('GMT')
  if (!isDate && !/^\d{1,9}$/.test(text)) return null
  const ms = isDate ? Date.parse(text) - nowMs : Number(text) * 1_000
  return Number.isFinite(ms) ? Math.min(RETRY_AFTER_MAX_MS, Math.max(0, ms)) : null
}

/** Waits; ends early, without error, when the signal is aborted or `wake` is called. */
export const createSleeper = () => {
  const wakers = new Set<() => void>()
  return {
    sleep: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise(resolve => {
        if (signal.aborted) return resolve()
        const end = (): void => {
          clearTimeout(timer)
          wakers.delete(end)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        wakers.add(end)
        signal.addEventListener('abort', end, { once: true })
      }),
    wake: (): void => {
      for (const end of [...wakers]) end()
    },
  }
}
export type Sleeper = ReturnType<typeof createSleeper>
