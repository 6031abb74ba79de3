type Order<T> = (a: T, b: T) => number

export interface PageOf<T> {
  offer(one: T): void
  /** The page, in order; asked for once. */
  take(): T[]
}

/**
 * From `start` on the first `length` of many, without sorting all of them: each is compared with the last that is kept, so
 * that it suits pages near the beginning. The order must tell any two apart: a page would otherwise repeat what the one
 * before it had.
 */
export const pageOf = <T>(start: number, length: number, order: Order<T>): PageOf<T> => {
  const kept: T[] = []
  return {
    offer(one) {
      const last = kept[kept.length - 1]
      if (kept.length === start + length && (last === undefined || order(one, last) >= 0)) return
      kept.splice(placeOf(kept, one, order), 0, one)
      if (kept.length > start + length) kept.pop()
    },
    take: () => kept.slice(start),
  }
}

const placeOf = <T>(kept: readonly T[], one: T, order: Order<T>): number => {
  let low = 0
  let high = kept.length
  while (low < high) {
    const middle = (low + high) >> 1
    const held = kept[middle]
    if (held !== undefined && order(held, one) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
