/** Most decimals that a ratio is floored to: beyond, doubles no longer tell neighbours apart. */
export const MAX_RATIO_DECIMALS = 12

/**
 * The largest number of `decimals` decimals that is not above `value` (0 … 1): for anything below 1 it stays below 1, so
 * that one failure never shows as 100 %. Decimals are those of the ratio: 5 for a percentage with three.
 * Throws a RangeError outside 0 … 1 or 0 … 12 decimals.
 */
export const floorRatio = (value: number, decimals: number): number => {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${value} is not a ratio`)
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_RATIO_DECIMALS)
    throw new RangeError(`${decimals} is not a number of decimals`)
  const scale = 10 ** decimals
  const near = Math.round(value * scale)
  return near / scale <= value ? near / scale : (near - 1) / scale
}

/**
 * Share of the time that was good, floored; null when no time was monitored. Whole ms, below 2⁵³.
 * Throws a RangeError where the good time is longer than the whole.
 */
export const availabilityRatio = (goodMs: number, monitoredMs: number, decimals: number): number | null => {
  if (!(goodMs >= 0 && goodMs <= monitoredMs)) throw new RangeError(`${goodMs} ms is not a part of ${monitoredMs} ms`)
  if (monitoredMs < 1) return null
  return floorRatio(goodMs / monitoredMs, decimals)
}
