const FIRST_MS = 5_000
const LONGEST_MS = 600_000
/** Share by which a wait is drawn longer or shorter, so that many do not come back at once. */
const SPREAD = 0.2
export const GIVE_UP_MS = 24 * 3_600_000
/** Tries before anything is given up: a server that was off for a day has tried nothing. */
const TRIES_MIN = 10

/** How long to wait after so many tries in vain: 5 s, doubled each time, 10 min at most. */
export const backoffMs = (attempts: number, random: () => number): number => {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempts - 1, 20))
  return Math.round(base * (1 - SPREAD + 2 * SPREAD * random()))
}

export const isGivenUp = (attempts: number, firstMs: number, nowMs: number): boolean =>
  attempts >= TRIES_MIN && nowMs - firstMs >= GIVE_UP_MS
