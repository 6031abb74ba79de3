import type { StateWords, Unit } from '@narval/contracts'
import { formatNumber, formatRatio, formatValue, NNBSP, UNIT_LABELS } from '../../lib/format.ts'

const DECIMAL = [1, 2, 5]
const decimals = (fromPower: number, toPower: number): number[] =>
  Array.from({ length: toPower - fromPower + 1 }, (_, index) => fromPower + index).flatMap(power =>
    DECIMAL.map(digit => Number((digit * 10 ** power).toPrecision(1))),
  )
/** Seconds that people count in, from a second to some hundred days. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200]
const DAYS = [1, 2, 5, 7, 14, 30, 90, 180, 365, 730, 1_825, 3_650].map(days => days * 86_400)
const TIMES = [...SECONDS, ...DAYS]

/** Distances between two ticks of a scale that read well in its unit. */
export const incrementsOf = (unit: Unit, states: StateWords): number[] => {
  if (states !== null || unit === 'code') return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000]
  if (unit === 's') return [...decimals(-6, -1), ...TIMES]
  if (unit === 'ms') return [...decimals(-6, 2), ...TIMES.map(seconds => seconds * 1_000)]
  return decimals(-9, 18)
}

/** What stands beside the ticks, all of them told apart; between two states there is nothing to name. */
export const tickTexts = (ticks: readonly number[], unit: Unit, states: StateWords, increment: number): string[] => {
  if (states !== null) return ticks.map(tick => states[tick] ?? '')
  // As many decimals as tell one tick from the next.
  const fine = (scale: number): number => Math.min(9, Math.max(0, Math.ceil(-Math.log10(increment * scale) - 1e-9)))
  if (unit === 'ratio') return ticks.map(tick => formatRatio(tick, fine(100)))
  const texts = ticks.map(tick => formatValue(tick, unit))
  if (new Set(texts).size === texts.length) return texts
  const label = unit === '' ? '' : `${NNBSP}${UNIT_LABELS[unit]}`
  return ticks.map(tick => `${formatNumber(tick, fine(1))}${label}`)
}

/** Of these zero says nothing: only how they move is looked at. */
const FLOATING: readonly Unit[] = ['volts', 'hertz', 'celsius', 'dbm']
const ROOM = 0.08

/** What a scale spans for values from `low` to `high`; null where there is none. */
export const scaleRange = (unit: Unit, low: number | null, high: number | null): [number, number] => {
  if (low === null || high === null) return [0, 1]
  if (unit === 'ratio' && low >= 0) return [0, Math.max(1, high)]
  if (FLOATING.includes(unit)) {
    const room = Math.max((high - low) * ROOM, Math.abs(high) * 0.005, 0.1)
    return [low - room, high + room]
  }
  const room = Math.max(high, 0) - Math.min(low, 0)
  if (room === 0) return [0, 1]
  return [low < 0 ? low - room * ROOM : 0, high > 0 ? high + room * ROOM : 0]
}

const timeOf = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' })
const preciseOf = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayOf = new Intl.DateTimeFormat('fr-FR', { day: '2-digit', month: '2-digit' })
const monthOf = new Intl.DateTimeFormat('fr-FR', { month: 'short', year: 'numeric' })
const DAY_S = 86_400

/** As wide as the digits of the axis are at most, of the height of its letters. */
const DIGIT_EM = 0.6
/** Texts of ticks without those that the right edge would cut: the room beside the plot is that of a short one. */
export const uncut = (texts: readonly string[], rightPx: readonly number[], fontPx: number): string[] =>
  texts.map((text, index) => ((text.length * DIGIT_EM * fontPx) / 2 > (rightPx[index] ?? 0) ? '' : text))

/** Ticks of time in the reader's zone: by day at midnight, months of a year, seconds of a minute. */
export const timeTexts = (seconds: readonly number[], increment: number): string[] =>
  seconds.map(second => {
    const date = new Date(second * 1_000)
    if (increment >= 27 * DAY_S) return monthOf.format(date)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0
    if (increment >= DAY_S || isMidnight) return dayOf.format(date)
    return (increment < 60 ? preciseOf : timeOf).format(date)
  })
