/** Past this many a whole sort is cheaper than to keep the best in order. */
const KEPT_IN_ORDER = 2_000

export interface FirstOf<T> {
  offer(one: T): void
  /** The first ones, in order. */
  take(): T[]
}

/** The first `count` of many, without sorting all of them: each is compared with the last that is kept. */
export const firstOf = <T>(count: number, order: (a: T, b: T) => number): FirstOf<T> => {
  const kept: T[] = []
  if (count > KEPT_IN_ORDER)
    return {
      offer: one => void kept.push(one),
      take: () => kept.sort(order).slice(0, count),
    }
  return {
    offer(one) {
      const last = kept[kept.length - 1]
      if (kept.length === count && (last === undefined || order(one, last) >= 0)) return
      kept.splice(placeOf(kept, one, order), 0, one)
      if (kept.length > count) kept.pop()
    },
    take: () => kept,
  }
}

const placeOf = <T>(kept: readonly T[], one: T, order: (a: T, b: T) => number): number => {
  let [low, high] = [0, kept.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const held = kept[middle]
    if (held !== undefined && order(held, one) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
