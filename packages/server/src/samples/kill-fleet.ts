import type { Batch } from './sample-store.ts'

/** Numbered batches whose content follows from their number alone: parent and child agree on what must be there. */
export const KILL_START_MS = Date.UTC(2026, 2, 2)
export const BATCH_STEP_MS = 10 * 60_000
export const KILL_SERIES = 12
/** Every batch also rewrites a sample of this many batches before, and brings a late one between two. */
const LATE_BATCHES = 40

const reading = (sequence: number, series: number, salt: number): number =>
  ((Math.imul(sequence * 31 + series, 2654435761) >>> 0) % 100_000) / 1000 + salt

export function rowsOf(sequence: number): [series: number, atMs: number, value: number][] {
  const atMs = KILL_START_MS + sequence * BATCH_STEP_MS
  const rows: [number, number, number][] = []
  for (let series = 1; series <= KILL_SERIES; series++) rows.push([series, atMs + series, reading(sequence, series, 0)])
  if (sequence > LATE_BATCHES) {
    const lateMs = KILL_START_MS + (sequence - LATE_BATCHES) * BATCH_STEP_MS
    rows.push([1, lateMs + 1, reading(sequence, 1, 500)])
    rows.push([2, lateMs + 5 * 60_000, reading(sequence, 2, 700)])
  }
  return rows
}

export function batchNumber(sequence: number): Batch {
  const rows = rowsOf(sequence)
  return {
    probe: 1,
    boot: 'b',
    lane: 'live',
    sequence,
    arrivedMs: KILL_START_MS + (sequence + 1) * BATCH_STEP_MS,
    attachment: Uint8Array.of(sequence & 255),
    samples: {
      series: Int32Array.from(rows, row => row[0]),
      atMs: Float64Array.from(rows, row => row[1]),
      value: Float64Array.from(rows, row => row[2]),
    },
  }
}

/** What each series must hold once the batches 1 … `last` are stored, ascending. */
export function expectedSeries(last: number): Map<number, [atMs: number, value: number][]> {
  const series = new Map<number, Map<number, number>>()
  for (let sequence = 1; sequence <= last; sequence++) {
    for (const [id, atMs, value] of rowsOf(sequence)) {
      const samples = series.get(id) ?? new Map<number, number>()
      samples.set(atMs, value)
      series.set(id, samples)
    }
  }
  return new Map([...series].map(([id, samples]) => [id, [...samples].sort((a, b) => a[0] - b[0])]))
}
