import { SERVICE_RATE_MS } from '@narval/contracts'

/**
 * How much of a count that only grows there is per second, over the last minute or since the first reading; null until
 * two readings are a second apart. `atMs` by a clock that never goes back.
 */
export const createMeter = (count: () => number, atMs: () => number = () => performance.now()) => {
  const readings: { readonly atMs: number; readonly count: number }[] = []
  return (): number | null => {
    const last = { atMs: atMs(), count: count() }
    readings.push(last)
    while (readings.length > 2 && (readings[1]?.atMs ?? last.atMs) <= last.atMs - SERVICE_RATE_MS) readings.shift()
    const first = readings[0] ?? last
    const spanMs = last.atMs - first.atMs
    return spanMs < 900 ? null : ((last.count - first.count) * 1_000) / spanMs
  }
}
