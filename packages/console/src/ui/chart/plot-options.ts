import type { Thresholds } from '@narval/contracts'
import uPlot from 'uplot'
import type { View } from '../../lib/chart-range.ts'
import { incrementsOf, scaleRange, tickTexts, timeTexts, uncut } from './axis.ts'
import { type ChartMark, colour, drawInstants, drawMarks, drawSpans, drawThresholds } from './draw.ts'
import type { EventSpan } from './events.ts'
import { type Aligned, type ChartPanel, type ChartScale, lonePlaces, scaleKey } from './series.ts'

/** What is drawn besides the curves. */
export interface PlotOverlay {
  readonly thresholds: { readonly of: Thresholds; readonly scale: string } | null
  readonly spans: readonly EventSpan[]
  readonly instants: readonly number[]
  readonly marks: readonly ChartMark[]
  /** The instant that the reader picked. */
  readonly pickedMs: number | null
}

export const NO_OVERLAY: PlotOverlay = { thresholds: null, spans: [], instants: [], marks: [], pickedMs: null }

export interface PlotLook {
  readonly width: number
  readonly height: number
  /** Room for the scales: the same in each panel, so that their times stand under one another. */
  readonly leftPx: number
  readonly rightPx: number
  readonly colours: ReadonlyMap<string, string>
  readonly isShown: (key: string) => boolean
  /** 1 on the page; an image is drawn larger. */
  readonly factor: number
  readonly overlay: () => PlotOverlay
}

/** What the reader does to a plot. */
export interface PlotTold {
  readonly sync: string
  readonly onCursor: (place: number | null) => void
  readonly onSelect: (view: View) => void
  readonly onGrab: (event: MouseEvent) => void
}

const FIGURES_PX = { wide: 76, narrow: 60 }
const WORDS_PX = { wide: 110, narrow: 84 }
/** Right of a plot without a scale there. */
const RIGHT_PX = 18
/** A chart that is less wide is read on a phone: its curves need the room. */
const NARROW_PX = 520
const scalePx = (scale: ChartScale | undefined, width: number): number => {
  if (scale === undefined) return RIGHT_PX
  return (scale.states === null ? FIGURES_PX : WORDS_PX)[width < NARROW_PX ? 'narrow' : 'wide']
}
/** Room for the scales beside the curves of a chart, the same in each of its panels. */
export const edgesOf = (panels: readonly ChartPanel[], width: number): { leftPx: number; rightPx: number } => ({
  leftPx: Math.max(...panels.map(({ scales }) => scalePx(scales[0], width))),
  rightPx: Math.max(...panels.map(({ scales }) => scalePx(scales[1], width))),
})

const COLUMNS = 3
/** Columns as uPlot draws them: seconds, then value, lowest and highest of each curve. */
export const plotData = (panel: ChartPanel, data: Aligned): uPlot.AlignedData => [
  data.at,
  ...panel.series.flatMap(({ key }) => data.of.get(key) ?? [[], [], []]),
]
/** Places in a plot of the columns of a curve. */
export const columnsOf = (index: number): number[] => [0, 1, 2].map(column => 1 + index * COLUMNS + column)

const LEAST_DRAG_PX = 6

const FONT_PX = 12
const axesOf = ({ scales }: ChartPanel, { leftPx, rightPx, factor }: PlotLook): uPlot.Axis[] => {
  const axis = {
    stroke: colour('--text-secondary'),
    ticks: { show: false },
    font: `${FONT_PX * factor}px "Inter Variable", system-ui, sans-serif`,
    gap: 5 * factor,
  }
  const grid = { stroke: colour('--line'), width: factor }
  return [
    {
      ...axis,
      grid,
      size: 28 * factor,
      space: 56 * factor,
      values: (plot, splits, _axis, _space, increment) => {
        const right = plot.width - leftPx * factor
        const rooms = splits.map(split => right - plot.valToPos(split, 'x'))
        return uncut(timeTexts(splits, increment), rooms, FONT_PX * factor)
      },
    },
    ...scales.map(
      (scale, place): uPlot.Axis => ({
        ...axis,
        scale: scale.key,
        side: place === 0 ? 3 : 1,
        grid: place === 0 ? grid : { show: false },
        size: (place === 0 ? leftPx : rightPx) * factor,
        space: 32 * factor,
        incrs: incrementsOf(scale.unit, scale.states),
        values: (_, splits, _axis, _space, increment) => tickTexts(splits, scale.unit, scale.states, increment),
      }),
    ),
  ]
}

const seriesOf = ({ series }: ChartPanel, { colours, isShown, factor }: PlotLook): uPlot.Series[] => [
  {},
  ...series.flatMap((one): uPlot.Series[] => {
    const shared = { scale: scaleKey(one), show: isShown(one.key), spanGaps: false, points: { show: false } }
    const stroke = colours.get(one.key) ?? ''
    const line =
      one.before === undefined
        ? { width: 1.6 * factor }
        : { width: 1.4 * factor, dash: [5 * factor, 4 * factor], alpha: 0.8 }
    return [
      // A measure alone between two gaps is a point: as a line it would not be seen.
      { ...shared, stroke, ...line, points: { show: true, filter: drawsAlone, size: 5 * factor, fill: stroke } },
      { ...shared, stroke: 'transparent' },
      { ...shared, stroke: 'transparent' },
    ]
  }),
]

const drawsAlone = (plot: uPlot, index: number): number[] => lonePlaces(plot.data[index] ?? [])

const bandsOf = ({ series }: ChartPanel, { colours }: PlotLook): uPlot.Band[] => {
  const share = series.length > 1 ? 12 : 18
  return series.flatMap((one, index): uPlot.Band[] => {
    const [, min = 0, max = 0] = columnsOf(index)
    const fill = `color-mix(in srgb, ${colours.get(one.key)} ${share}%, transparent)`
    return one.before === undefined ? [{ series: [max, min], fill }] : []
  })
}

const drawOverlay = (plot: uPlot, { overlay, factor }: PlotLook): void => {
  const { instants, marks, pickedMs } = overlay()
  const ratio = uPlot.pxRatio * factor
  drawInstants(plot, instants, '--text-secondary', ratio)
  drawMarks(plot, marks, ratio)
  if (pickedMs !== null) drawInstants(plot, [pickedMs], '--accent', ratio)
}
const drawUnder = (plot: uPlot, { overlay, factor }: PlotLook): void => {
  const { thresholds, spans } = overlay()
  if (thresholds !== null) drawThresholds(plot, thresholds.of, thresholds.scale)
  drawSpans(plot, spans, uPlot.pxRatio * factor)
}

const isMove = (event: string): boolean => event === 'mousemove' || event === 'mouseleave'

const cursorOf = ({ sync, onGrab }: PlotTold): uPlot.Cursor => ({
  y: false,
  drag: { x: true, y: false, setScale: false },
  // What is dragged over one is told by it alone: each of those that share a cursor would tell it again.
  sync: { key: sync, filters: { pub: isMove, sub: isMove } },
  points: { size: 7 },
  bind: {
    mousedown: (_plot, _target, handler) => event => {
      if (event.button === 1 || event.shiftKey) onGrab(event)
      else handler(event)
      return null
    },
    // A double click goes back, which the chart does itself.
    dblclick: () => null,
  },
})

/** A plot of a panel; without `told` a picture that nobody touches. */
export const plotOptions = (panel: ChartPanel, view: View, look: PlotLook, told?: PlotTold): uPlot.Options => {
  const { width, height, factor } = look
  const right = panel.scales.length > 1 ? 0 : RIGHT_PX
  return {
    width: width * factor,
    height: height * factor,
    padding: [8 * factor, right * factor, 0, 0],
    legend: { show: false },
    cursor: told === undefined ? { show: false } : cursorOf(told),
    scales: {
      x: { time: true, min: view.fromMs / 1_000, max: view.toMs / 1_000 },
      ...Object.fromEntries(
        panel.scales.map(({ key, unit }) => [
          key,
          { range: (_: uPlot, low: number | null, high: number | null) => scaleRange(unit, low, high) },
        ]),
      ),
    },
    axes: axesOf(panel, look),
    series: seriesOf(panel, look),
    bands: bandsOf(panel, look),
    hooks: {
      drawClear: [plot => drawUnder(plot, look)],
      draw: [plot => drawOverlay(plot, look)],
      ...(told !== undefined && {
        setCursor: [plot => told.onCursor(plot.cursor.idx ?? null)],
        setSelect: [plot => select(plot, told)],
      }),
    },
  }
}

const select = (plot: uPlot, { onSelect }: PlotTold): void => {
  const { left, width } = plot.select
  if (width < LEAST_DRAG_PX) return
  onSelect({ fromMs: plot.posToVal(left, 'x') * 1_000, toMs: plot.posToVal(left + width, 'x') * 1_000 })
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}
