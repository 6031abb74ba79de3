import { exponentOf, mantissaOf, POWERS_OF_TEN } from './codec/decimals.ts'
import type { RollupTable } from './codec/rollup-chunk.ts'
import type { SampleSink } from './codec/sample-chunk.ts'
import { FIVE_MINUTES_MS } from './periods.ts'

const FIVE_MINUTES_AN_HOUR = 12

/**
 * Recomputes the 5-minute rows of [from, to) of the day from all its samples, ascending and unique. The same samples
 * always give the same rows to the bit, whatever the order and the batches in which they came.
 */
export function rollUp(samples: SampleSink, dayMs: number, from: number, to: number, table: RollupTable): void {
  table.count.fill(0, from, to)
  let i = lowerBound(samples, dayMs + from * FIVE_MINUTES_MS)
  const endMs = dayMs + to * FIVE_MINUTES_MS
  while (i < samples.length) {
    const at = samples.at[i] ?? 0
    if (at >= endMs) break
    const period = Math.floor((at - dayMs) / FIVE_MINUTES_MS)
    i = fillRow(samples, i, dayMs + (period + 1) * FIVE_MINUTES_MS, table, period)
  }
}

/** First sample at or after a time. */
export function lowerBound(samples: SampleSink, atMs: number): number {
  let low = 0
  let high = samples.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((samples.at[middle] ?? 0) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

function fillRow(samples: SampleSink, first: number, endMs: number, table: RollupTable, period: number): number {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let exponent = 0
  let i = first
  for (; i < samples.length && (samples.at[i] ?? 0) < endMs; i++) {
    const value = samples.value[i] ?? 0
    if (value < min) min = value
    if (value > max) max = value
    sum += value
    if (exponent >= 0) exponent = exponentOf(value, exponent)
  }
  table.count[period] = i - first
  table.min[period] = min
  table.max[period] = max
  table.sum[period] = tidySum(sum, exponent)
  table.last[period] = samples.value[i - 1] ?? 0
  return i
}

/** A sum of decimals is a decimal: drops the noise of binary addition, which would cost 6 bytes a row. */
function tidySum(sum: number, exponent: number): number {
  if (!Number.isFinite(sum)) return sum < 0 ? -Number.MAX_VALUE : Number.MAX_VALUE
  if (exponent < 0) return sum
  const power = POWERS_OF_TEN[exponent] ?? 1
  const tidy = Math.round(sum * power) / power
  return Number.isNaN(mantissaOf(tidy, exponent)) ? sum : tidy + 0
}

/** Recomputes the hours [from, to) of the day from its 5-minute rows; the day's first hour is row `firstRow` of the table. */
export function rollUpHours(
  fiveMinutes: RollupTable,
  from: number,
  to: number,
  hours: RollupTable,
  firstRow = 0,
): void {
  for (let hour = from; hour < to; hour++) {
    const first = hour * FIVE_MINUTES_AN_HOUR
    const row = firstRow + hour
    clearRow(hours, row)
    let exponent = 0
    for (let i = first; i < first + FIVE_MINUTES_AN_HOUR; i++) {
      if ((fiveMinutes.count[i] ?? 0) === 0) continue
      addRow(hours, row, fiveMinutes, i)
      if (exponent >= 0) exponent = exponentOf(fiveMinutes.sum[i] ?? 0, exponent)
    }
    if ((hours.count[row] ?? 0) > 0) hours.sum[row] = tidySum(hours.sum[row] ?? 0, exponent)
  }
}

export function clearRow(table: RollupTable, row: number): void {
  table.count[row] = 0
  table.min[row] = Number.POSITIVE_INFINITY
  table.max[row] = Number.NEGATIVE_INFINITY
  table.sum[row] = 0
  table.last[row] = 0
}

/** Adds a later row to an earlier one. */
export function addRow(into: RollupTable, row: number, from: RollupTable, i: number): void {
  into.count[row] = (into.count[row] ?? 0) + (from.count[i] ?? 0)
  into.min[row] = Math.min(into.min[row] ?? 0, from.min[i] ?? 0)
  into.max[row] = Math.max(into.max[row] ?? 0, from.max[i] ?? 0)
  into.sum[row] = (into.sum[row] ?? 0) + (from.sum[i] ?? 0)
  into.last[row] = from.last[i] ?? 0
}
