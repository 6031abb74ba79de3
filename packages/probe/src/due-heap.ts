/** A binary heap of what is due, the earliest first. Changed entries are pushed anew; the old ones are skipped when popped. */
export interface DueHeap<T> {
  readonly push: (dueMs: number, item: T) => void
  /** Due time of the earliest, infinity when empty. */
  readonly nextMs: () => number
  /** Takes the earliest if it is due. */
  readonly popDue: (nowMs: number) => T | null
  readonly size: () => number
}

export const createDueHeap = <T>(): DueHeap<T> => {
  const dues: number[] = []
  const items: T[] = []
  const swap = (a: number, b: number): void => {
    const [due, item] = [dues[a], items[a]]
    const [otherDue, otherItem] = [dues[b], items[b]]
    if (due === undefined || item === undefined || otherDue === undefined || otherItem === undefined) return
    dues[a] = otherDue
    dues[b] = due
    items[a] = otherItem
    items[b] = item
  }
  const dueAt = (at: number): number => dues[at] ?? Number.POSITIVE_INFINITY
  const up = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (dueAt(parent) <= dueAt(at)) return
      swap(at, parent)
      at = parent
    }
  }
  const down = (): void => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const child = dueAt(left + 1) < dueAt(left) ? left + 1 : left
      if (dueAt(at) <= dueAt(child)) return
      swap(at, child)
      at = child
    }
  }
  return {
    push: (dueMs, item) => {
      dues.push(dueMs)
      items.push(item)
      up(dues.length - 1)
    },
    nextMs: () => dueAt(0),
    popDue: nowMs => {
      if (dueAt(0) > nowMs) return null
      swap(0, dues.length - 1)
      dues.pop()
      const item = items.pop()
      down()
      return item ?? null
    },
    size: () => dues.length,
  }
}
