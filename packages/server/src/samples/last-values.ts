import { createSlots } from './slots.ts'

/** The newest sample of each series seen since the start, and whether older files were looked through for it. */
export interface LastValues {
  note(series: number, atMs: number, value: number): void
  /** Place of the series, -1 when it was never noted. */
  find(series: number): number
  atMs(place: number): number
  value(place: number): number
  isComplete(place: number): boolean
  /** What the files know, null for nothing: from here on the memory answers alone. */
  complete(series: number, stored: { readonly atMs: number; readonly value: number } | null): void
}

export function createLastValues(): LastValues {
  const slots = createSlots()
  let at = new Float64Array(1024)
  let values = new Float64Array(1024)
  let completed = new Uint8Array(1024)

  function place(series: number): number {
    const known = slots.get(series)
    if (known >= 0) return known
    const added = slots.add(series)
    if (added >= at.length) {
      const size = Math.ceil(at.length * 1.5)
      at = grown(at, new Float64Array(size))
      values = grown(values, new Float64Array(size))
      const flags = new Uint8Array(size)
      flags.set(completed)
      completed = flags
    }
    at[added] = Number.NEGATIVE_INFINITY
    return added
  }

  function note(series: number, atMs: number, value: number): void {
    const i = place(series)
    if (atMs < (at[i] ?? 0)) return
    at[i] = atMs
    values[i] = value
  }

  return {
    note,
    find: series => slots.get(series),
    atMs: i => at[i] ?? 0,
    value: i => values[i] ?? 0,
    isComplete: i => completed[i] === 1,
    complete(series, stored) {
      const i = place(series)
      completed[i] = 1
      // At the same time the journal, which the memory came from, is the later word.
      if (stored !== null && stored.atMs > (at[i] ?? 0)) note(series, stored.atMs, stored.value)
    },
  }
}

function grown(from: Float64Array, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  into.set(from)
  return into
}
