/** Dense places for sparse series ids (1 … 2²⁴ − 1): two levels of pages, so that a large id costs 16 kB, not 64 MB. */
export interface Slots {
  /** The place of the series, -1 when it has none. */
  get(series: number): number
  /** Gives the next place to a series that has none. */
  add(series: number): number
  readonly size: number
  readonly bytes: number
}

export const MAX_SERIES = 2 ** 24 - 1
const PAGE_BITS = 12
const PAGE = 2 ** PAGE_BITS

export function createSlots(): Slots {
  const pages: (Int32Array | undefined)[] = new Array((MAX_SERIES + 1) / PAGE)
  let size = 0
  let used = 0
  return {
    get(series) {
      const page = pages[series >>> PAGE_BITS]
      return page === undefined ? -1 : (page[series & (PAGE - 1)] ?? 0) - 1
    },
    add(series) {
      let page = pages[series >>> PAGE_BITS]
      if (page === undefined) {
        page = new Int32Array(PAGE)
        pages[series >>> PAGE_BITS] = page
        used++
      }
      page[series & (PAGE - 1)] = ++size
      return size - 1
    },
    get size() {
      return size
    },
    get bytes() {
      return used * PAGE * 4 + pages.length * 8
    },
  }
}
