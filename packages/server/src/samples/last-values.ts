import { createSlots } from './slots.ts'

/**
 * The newest sample of each series that is in files, as far as it was looked up or sealed since the start: files are
 * looked through once a series.
 */
export interface LastValues {
  /** A sample that has just been sealed. */
  note(series: number, atMs: number, value: number): void
  /** Place of the series once its files were looked through, else -1. */
  find(series: number): number
  /** -Infinity when the files have none. */
  atMs(place: number): number
  value(place: number): number
  /** What the files know, null for nothing: from here on the memory answers alone. Gives the series' place. */
  complete(series: number, stored: { readonly atMs: number; readonly value: number } | null): number
  /** Places are 0 … size − 1. */
  readonly size: number
  series(place: number): number
  /** Grows with each change. */
  readonly changes: number
}

export function createLastValues(): LastValues {
  const slots = createSlots()
  let at = new Float64Array(1024)
  let values = new Float64Array(1024)
  let ids = new Float64Array(1024)
  let changes = 0

  function set(place: number, atMs: number, value: number): void {
    if (atMs < (at[place] ?? 0)) return
    changes++
    at[place] = atMs
    values[place] = value
  }

  return {
    note(series, atMs, value) {
      const place = slots.get(series)
      if (place >= 0) set(place, atMs, value)
    },
    find: series => slots.get(series),
    atMs: place => at[place] ?? 0,
    value: place => values[place] ?? 0,
    complete(series, stored) {
      const place = slots.add(series)
      if (place >= at.length) {
        at = grown(at)
        values = grown(values)
        ids = grown(ids)
      }
      ids[place] = series
      changes++
      at[place] = Number.NEGATIVE_INFINITY
      if (stored !== null) set(place, stored.atMs, stored.value)
      return place
    },
    get size() {
      return slots.size
    },
    series: place => ids[place] ?? 0,
    get changes() {
      return changes
    },
  }
}

function grown(from: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.ceil(from.length * 1.5))
  larger.set(from)
  return larger
}
