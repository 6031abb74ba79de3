import { useComputedColorScheme } from '@mantine/core'
import type { MetricData, StateWords, Thresholds, Unit } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { chartColumns, summarise } from '../lib/chart-data.ts'
import { formatDateTime, formatValue, NOTHING } from '../lib/format.ts'
import classes from './chart.module.css'

/** An instant to show across the chart, with its word. */
export interface ChartMark {
  readonly atMs: number
  readonly label: string
  readonly severity: Severity
}

interface ChartProps {
  readonly name: string
  readonly unit: Unit
  /** Words of the values of a state. */
  readonly states?: StateWords
  readonly series: MetricData['series'][number] | undefined
  readonly stepMs: number
  readonly fromMs: number
  readonly toMs: number
  readonly thresholds?: Thresholds
  readonly marks?: readonly ChartMark[]
  readonly height?: number
  /** Charts with the same key share their cursor. */
  readonly sync?: string
  /** The reader dragged over a part: show it alone. */
  readonly onZoom?: (fromMs: number, toMs: number) => void
  readonly loading?: boolean
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const timeOf = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' })
const dayOf = new Intl.DateTimeFormat('fr-FR', { day: '2-digit', month: '2-digit' })
const DAY_S = 86_400

const axisTimes = (_: uPlot, splits: number[], _axis: number, _space: number, increment: number): string[] =>
  splits.map(second => {
    const date = new Date(second * 1_000)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
    return increment >= DAY_S || isMidnight ? dayOf.format(date) : timeOf.format(date)
  })

/** Between two states there is nothing to name. */
const axisValue = (value: number, unit: Unit, states: StateWords): string =>
  states === null ? formatValue(value, unit) : (states[value] ?? '')

/** Bands beyond the thresholds, behind the line. */
const drawThresholds = (plot: uPlot, thresholds: Thresholds): void => {
  const { ctx, bbox } = plot
  const band = (from: number | null, up: boolean, tint: string) => {
    if (from === null) return
    const edge = Math.min(Math.max(plot.valToPos(from, 'y', true), bbox.top), bbox.top + bbox.height)
    ctx.fillStyle = tint
    if (up) ctx.fillRect(bbox.left, bbox.top, bbox.width, edge - bbox.top)
    else ctx.fillRect(bbox.left, edge, bbox.width, bbox.top + bbox.height - edge)
  }
  ctx.save()
  ctx.globalAlpha = 0.75
  band(thresholds.warningHigh, true, colour('--warning-soft'))
  band(thresholds.errorHigh, true, colour('--error-soft'))
  band(thresholds.warningLow, false, colour('--warning-soft'))
  band(thresholds.errorLow, false, colour('--error-soft'))
  ctx.restore()
}

/** Broken lines over the chart at instants, each with its word at the top. */
const drawMarks = (plot: uPlot, marks: readonly ChartMark[]): void => {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  ctx.lineWidth = ratio
  ctx.font = `${11 * ratio}px "Inter Variable", system-ui, sans-serif`
  ctx.textBaseline = 'top'
  for (const [line, { atMs, label, severity }] of marks.entries()) {
    const x = Math.round(plot.valToPos(atMs / 1_000, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.strokeStyle = colour(`--${severity}`)
    ctx.fillStyle = colour(`--${severity}-text`)
    ctx.setLineDash([4 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    // On the side that has room for it.
    const isRight = x + ctx.measureText(label).width + 10 * ratio < bbox.left + bbox.width
    ctx.textAlign = isRight ? 'left' : 'right'
    // Each on a line of its own: instants that are close would write over one another.
    ctx.fillText(label, x + (isRight ? 5 : -5) * ratio, bbox.top + (3 + line * 14) * ratio)
  }
  ctx.restore()
}

const optionsOf = (
  { unit, states = null, fromMs, toMs, thresholds, marks, height = 200, sync, onZoom }: ChartProps,
  width: number,
  onCursor: (index: number | null) => void,
): uPlot.Options => {
  const axis = {
    stroke: colour('--text-secondary'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '12px "Inter Variable", system-ui, sans-serif',
  }
  const accent = colour('--accent')
  return {
    width,
    height,
    padding: [8, 18, 0, 0],
    cursor: {
      y: false,
      drag: { x: onZoom !== undefined, y: false, setScale: false },
      ...(sync === undefined ? {} : { sync: { key: sync } }),
      points: { size: 7 },
    },
    scales: {
      x: { time: true, range: [fromMs / 1_000, toMs / 1_000] },
      y: {
        range: (_, low, high) =>
          unit === 'ratio' ? [0, Math.max(1, high)] : [Math.min(0, low), high <= 0 ? 1 : high * 1.08],
      },
    },
    axes: [
      { ...axis, values: axisTimes, size: 28 },
      {
        ...axis,
        values: (_, splits) => splits.map(value => axisValue(value, unit, states)),
        size: states === null ? 76 : 110,
      },
    ],
    series: [
      {},
      { stroke: accent, width: 1.6, spanGaps: false, points: { show: false } },
      { stroke: 'transparent', spanGaps: false, points: { show: false } },
      { stroke: 'transparent', spanGaps: false, points: { show: false } },
    ],
    bands: [{ series: [3, 2], fill: `color-mix(in srgb, ${accent} 18%, transparent)` }],
    hooks: {
      drawClear: thresholds === undefined ? [] : [plot => drawThresholds(plot, thresholds)],
      draw: marks === undefined ? [] : [plot => drawMarks(plot, marks)],
      setCursor: [plot => onCursor(plot.cursor.idx ?? null)],
      setSelect: [
        plot => {
          if (onZoom === undefined || plot.select.width < 6) return
          onZoom(
            plot.posToVal(plot.select.left, 'x') * 1_000,
            plot.posToVal(plot.select.left + plot.select.width, 'x') * 1_000,
          )
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** A metric over time: mean line, band from the lowest to the highest, thresholds behind, gaps as gaps. */
export const Chart = (props: ChartProps) => {
  const { name, unit, states = null, series, stepMs, fromMs, toMs, height = 200, loading = false } = props
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [cursor, setCursor] = useState<number | null>(null)
  const scheme = useComputedColorScheme()
  const marked = (props.marks ?? []).map(mark => `${mark.atMs}${mark.severity}`).join()
  const columns = useMemo(() => chartColumns(series, stepMs), [series, stepMs])
  const summary = useMemo(() => summarise(series), [series])

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // A plot is made anew for another look or range; new points of the same range would flicker less by setData, but cost more to keep right.
  useEffect(() => {
    if (box.current === null || width === 0) return
    const plot = new uPlot(optionsOf(props, width, setCursor), columns, box.current)
    return () => plot.destroy()
  }, [columns, width, fromMs, toMs, scheme, height, unit, props.thresholds, props.sync, marked])

  const at = cursor === null ? undefined : columns[0][cursor]
  const value = cursor === null ? undefined : columns[1][cursor]
  const valueText = (value: number): string => formatValue(value, unit, states)
  const text =
    summary === null
      ? ''
      : states !== null
        ? `${name} : dernière valeur ${valueText(summary.last)}.`
        : `${name} : dernière valeur ${formatValue(summary.last, unit)}, minimum ${formatValue(summary.min, unit)}, moyenne ${formatValue(summary.avg, unit)}, maximum ${formatValue(summary.max, unit)}.`
  return (
    <div>
      <div
        className={classes.chart}
        style={{ height }}
        role="img"
        aria-label={text || `${name} : aucune mesure sur cette période`}
      >
        <div ref={box} style={{ height }} />
        {summary === null && !loading && <div className={classes.empty}>Aucune mesure sur cette période</div>}
      </div>
      <div className={classes.readout} aria-hidden="true">
        {at !== undefined && value !== undefined ? (
          <span>
            {formatDateTime(at * 1_000)} · <strong>{value === null ? NOTHING : valueText(value)}</strong>
          </span>
        ) : (
          summary !== null &&
          states === null && (
            <>
              <span>min {formatValue(summary.min, unit)}</span>
              <span>moy. {formatValue(summary.avg, unit)}</span>
              <span>max {formatValue(summary.max, unit)}</span>
            </>
          )
        )}
      </div>
    </div>
  )
}
