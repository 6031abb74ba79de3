/** Past this many, to put all that is asked for in its place is cheaper than to keep the best in order. */
const KEPT_IN_ORDER = 2_000

type Order<T> = (a: T, b: T) => number

export interface PageOf<T> {
  offer(one: T): void
  /** The page, in order; asked for once. */
  take(): T[]
}

/**
 * From `start` on the first `length` of many, without sorting all of them. The order must tell any two apart: a page
 * would otherwise repeat what the one before it had.
 */
export const pageOf = <T>(start: number, length: number, order: Order<T>): PageOf<T> =>
  start + length > KEPT_IN_ORDER ? placed(start, length, order) : keptInOrder(start, length, order)

/** Each is compared with the last that is kept. */
const keptInOrder = <T>(start: number, length: number, order: Order<T>): PageOf<T> => {
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

/** Both ends of the page are brought to their place, and only what lies between is sorted. */
const placed = <T>(start: number, length: number, order: Order<T>): PageOf<T> => {
  const all: T[] = []
  return {
    offer: one => void all.push(one),
    take() {
      if (start >= all.length) return []
      const end = Math.min(start + length, all.length)
      const last = all.length - 1
      if (!place(all, 0, last, start, order) || !place(all, start, last, end - 1, order)) all.sort(order)
      return all.slice(start, end).sort(order)
    },
  }
}

/**
 * Reorders from `low` to `high` so that what belongs at `wanted` stands there, the smaller ones before it and the greater
 * ones behind. False when the splits were so uneven that a whole sort is cheaper.
 */
const place = <T>(all: T[], low: number, high: number, wanted: number, order: Order<T>): boolean => {
  let from = low
  let to = high
  for (let splits = 0; from < to; splits++) {
    if (splits > 64) return false
    const at = split(all, from, to, order)
    if (at === wanted) return true
    if (at < wanted) from = at + 1
    else to = at - 1
  }
  return true
}

/** Splits at the middle one of the first, the middle and the last; gives back where it stands then. */
const split = <T>(all: T[], from: number, to: number, order: Order<T>): number => {
  const middle = (from + to) >> 1
  sortTwo(all, from, middle, order)
  sortTwo(all, middle, to, order)
  sortTwo(all, from, middle, order)
  swap(all, middle, to)
  const pivot = all[to]
  let at = from
  for (let index = from; index < to; index++) {
    const one = all[index]
    if (one === undefined || pivot === undefined || order(one, pivot) >= 0) continue
    swap(all, index, at)
    at += 1
  }
  swap(all, at, to)
  return at
}

const sortTwo = <T>(all: T[], left: number, right: number, order: Order<T>): void => {
  const a = all[left]
  const b = all[right]
  if (a !== undefined && b !== undefined && order(a, b) > 0) swap(all, left, right)
}

const swap = <T>(all: T[], left: number, right: number): void => {
  const a = all[left]
  const b = all[right]
  if (a === undefined || b === undefined) return
  all[left] = b
  all[right] = a
}
