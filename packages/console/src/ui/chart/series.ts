import type { StateWords, Thresholds, Unit } from '@narval/contracts'
import { chartColumns, type Series } from '../../lib/chart-data.ts'
import type { View } from '../../lib/chart-range.ts'

/** One curve. */
export interface ChartSeries {
  /** Tells it from the others of its chart, and stays the same while its values move. */
  readonly key: string
  readonly name: string
  readonly unit: Unit
  /** Words of the values of a state; null where values are figures. */
  readonly states: StateWords
  readonly data: Series | undefined
  readonly thresholds?: Thresholds
  /** What it was before: dashed, in the colour of the curve of that key. */
  readonly before?: string
}

/** Told apart by people who see fewer colours as far as twelve can be; the legend isolates. */
const LIGHT = '#0b72c9 #c2410c #0f766e #9333ea #a16207 #be185d #4d7c0f #1e3a8a #b91c1c #0e7490 #6b4f2a #475569'.split(
  ' ',
)
const DARK = '#4aa8f0 #fb923c #2dd4bf #c084fc #facc15 #f472b6 #a3e635 #93a8ff #f87171 #22d3ee #d6b38a #cbd5e1'.split(
  ' ',
)

/** Colour of each curve by its key; of a comparison, that of its curve. */
export const coloursOf = (series: readonly ChartSeries[], isDark: boolean): ReadonlyMap<string, string> => {
  const palette = isDark ? DARK : LIGHT
  const own = series.filter(({ before }) => before === undefined)
  const places = new Map(own.map(({ key }, place) => [key, place]))
  return new Map(
    series.map(({ key, before }) => [key, palette[(places.get(before ?? key) ?? 0) % palette.length] ?? '']),
  )
}

/** A scale of values: curves of one unit share it. */
export interface ChartScale {
  readonly key: string
  readonly unit: Unit
  readonly states: StateWords
}
/** Curves drawn over one another, on one or two scales. */
export interface ChartPanel {
  readonly scales: readonly ChartScale[]
  readonly series: readonly ChartSeries[]
}

/** States of other words are another scale: their values do not compare. */
export const scaleKey = ({ unit, states }: Pick<ChartSeries, 'unit' | 'states'>): string =>
  states === null ? `y:${unit}` : `y:${JSON.stringify(states)}`

const SCALES_A_PANEL = 2
/** One panel for one or two units; for more, one each, that share time. */
export const panelsOf = (series: readonly ChartSeries[]): ChartPanel[] => {
  const scales = new Map<string, ChartScale>()
  for (const one of series) {
    const key = scaleKey(one)
    if (!scales.has(key)) scales.set(key, { key, unit: one.unit, states: one.states })
  }
  const all = [...scales.values()]
  if (all.length <= SCALES_A_PANEL) return [{ scales: all, series }]
  return all.map(scale => ({ scales: [scale], series: series.filter(one => scaleKey(one) === scale.key) }))
}

/** Undefined: another series was measured at that time, this one was not. Null: a gap. */
export type Cell = number | null | undefined
export interface Aligned {
  /** Seconds. */
  readonly at: number[]
  /** By the key of the series: value, lowest and highest of each time. */
  readonly of: ReadonlyMap<string, readonly [value: Cell[], min: Cell[], max: Cell[]]>
}

/** All curves on one line of times. */
export const aligned = (series: readonly ChartSeries[], stepMs: number): Aligned => {
  const columns = series.map(one => [one.key, chartColumns(one.data, stepMs)] as const)
  const at = [...new Set(columns.flatMap(([, [times]]) => times))].toSorted((a, b) => a - b)
  const places = new Map(at.map((time, place) => [time, place]))
  const spread = (times: readonly number[], values: readonly (number | null)[]): Cell[] => {
    const cells: Cell[] = new Array(at.length).fill(undefined)
    times.forEach((time, index) => {
      cells[places.get(time) ?? 0] = values[index]
    })
    return widened(cells)
  }
  return {
    at,
    of: new Map(
      columns.map(([key, [times, value, min, max]]) => [
        key,
        [spread(times, value), spread(times, min), spread(times, max)] as const,
      ]),
    ),
  }
}

/** A gap goes on over the times of other series: else a line would be drawn there. */
const widened = (cells: Cell[]): Cell[] => {
  for (const [from, step] of [
    [0, 1],
    [cells.length - 1, -1],
  ] as const) {
    let isGap = false
    for (let place = from; place >= 0 && place < cells.length; place += step) {
      const cell = cells[place]
      if (cell === undefined && isGap) cells[place] = null
      else if (cell !== undefined) isGap = cell === null
    }
  }
  return cells
}

/** Values that stand alone between two gaps or ends: of them no line is seen. */
export const lonePlaces = (cells: ArrayLike<Cell>): number[] => {
  const lone: number[] = []
  let last: { place: number; isLone: boolean } | null = null
  for (let place = 0; place < cells.length; place++) {
    const cell = cells[place]
    if (cell === undefined) continue
    if (cell === null) {
      if (last?.isLone === true) lone.push(last.place)
      last = null
    } else last = { place, isLone: last === null }
  }
  if (last?.isLone === true) lone.push(last.place)
  return lone
}

/** Times of twelve series that are not measured together, twice over. */
const NEAR_PLACES = 24
/** The value shown at a place: that of the nearest time at which the series has one or a gap; null far from any. */
export const valueAt = (cells: readonly Cell[] | undefined, place: number): number | null => {
  if (cells === undefined) return null
  for (let away = 0; away <= NEAR_PLACES; away++)
    for (const cell of [cells[place - away], cells[place + away]]) if (cell !== undefined) return cell
  return null
}

/** The places of the times within a view: first, and one past the last. */
export const placesIn = (at: readonly number[], { fromMs, toMs }: View): readonly [first: number, end: number] => {
  const first = at.findIndex(time => time * 1_000 >= fromMs)
  if (first < 0) return [0, 0]
  const end = at.findIndex(time => time * 1_000 > toMs)
  return [first, end < 0 ? at.length : end]
}
