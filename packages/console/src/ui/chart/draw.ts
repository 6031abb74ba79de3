import type { Thresholds } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import type uPlot from 'uplot'
import type { EventSpan } from './events.ts'

/** An instant to show across the chart, with its word. */
export interface ChartMark {
  readonly atMs: number
  readonly label: string
  readonly severity: Severity
}

/** A colour of the sheet of the console, as the look of now has it. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const xOf = (plot: uPlot, ms: number): number => {
  const { left, width } = plot.bbox
  return Math.min(Math.max(plot.valToPos(ms / 1_000, 'x', true), left), left + width)
}

/** Bands beyond the thresholds of the one curve that has the scale, behind it. */
export const drawThresholds = (plot: uPlot, thresholds: Thresholds, scale: string): void => {
  const { ctx, bbox } = plot
  const bottom = bbox.top + bbox.height
  const band = (from: number | null, up: boolean, tint: string) => {
    if (from === null) return
    const edge = Math.min(Math.max(plot.valToPos(from, scale, true), bbox.top), bottom)
    ctx.fillStyle = colour(tint)
    if (up) ctx.fillRect(bbox.left, bbox.top, bbox.width, edge - bbox.top)
    else ctx.fillRect(bbox.left, edge, bbox.width, bottom - edge)
  }
  ctx.save()
  ctx.globalAlpha = 0.75
  band(thresholds.warningHigh, true, '--warning-soft')
  band(thresholds.errorHigh, true, '--error-soft')
  band(thresholds.warningLow, false, '--warning-soft')
  band(thresholds.errorLow, false, '--error-soft')
  ctx.restore()
}

const HATCH_PX = 8
const hatch = (plot: uPlot, left: number, right: number, ratio: number): void => {
  const { ctx, bbox } = plot
  ctx.beginPath()
  ctx.rect(left, bbox.top, right - left, bbox.height)
  ctx.clip()
  ctx.beginPath()
  for (let x = left - bbox.height; x < right; x += HATCH_PX * ratio) {
    ctx.moveTo(x, bbox.top + bbox.height)
    ctx.lineTo(x + bbox.height, bbox.top)
  }
  ctx.globalAlpha = 0.35
  ctx.stroke()
}

/** What took time, behind the curves: tinted, an edge at its start and end. `ratio`: pixels of the canvas in one of the page. */
export const drawSpans = (plot: uPlot, spans: readonly EventSpan[], ratio: number): void => {
  const { ctx, bbox } = plot
  for (const { fromMs, toMs, tint, isHatched } of spans) {
    const left = xOf(plot, fromMs)
    const right = Math.max(xOf(plot, Math.min(toMs, 8.64e15)), left + ratio)
    ctx.save()
    ctx.fillStyle = colour(`--${tint}`)
    ctx.strokeStyle = colour(`--${tint}`)
    ctx.lineWidth = ratio
    ctx.globalAlpha = 0.09
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
    ctx.globalAlpha = 0.8
    ctx.fillRect(left, bbox.top, right - left, 3 * ratio)
    if (isHatched) hatch(plot, left, right, ratio)
    ctx.restore()
  }
}

/** Broken lines over the chart at instants, each with its word at the top. */
export const drawMarks = (plot: uPlot, marks: readonly ChartMark[], ratio: number): void => {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.lineWidth = ratio
  ctx.font = `${11 * ratio}px "Inter Variable", system-ui, sans-serif`
  ctx.textBaseline = 'top'
  for (const [line, { atMs, label, severity }] of marks.entries()) {
    const x = Math.round(plot.valToPos(atMs / 1_000, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.strokeStyle = colour(`--${severity}`)
    ctx.fillStyle = colour(`--${severity}-text`)
    dashedLine(plot, x, ratio)
    // On the side that has room for it.
    const isRight = x + ctx.measureText(label).width + 10 * ratio < bbox.left + bbox.width
    ctx.textAlign = isRight ? 'left' : 'right'
    // Each on a line of its own: instants that are close would write over one another.
    ctx.fillText(label, x + (isRight ? 5 : -5) * ratio, bbox.top + (3 + line * 14) * ratio)
  }
  ctx.restore()
}

const dashedLine = ({ ctx, bbox }: uPlot, x: number, ratio: number): void => {
  ctx.setLineDash([4 * ratio, 3 * ratio])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
}

/** Instants without a word: those of events, which have theirs in the marks above, and the one that was picked. */
export const drawInstants = (plot: uPlot, instants: readonly number[], tint: string, ratio: number): void => {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.lineWidth = ratio
  ctx.strokeStyle = colour(tint)
  ctx.globalAlpha = 0.55
  for (const atMs of instants) {
    const x = Math.round(plot.valToPos(atMs / 1_000, 'x', true))
    if (x >= bbox.left && x <= bbox.left + bbox.width) dashedLine(plot, x, ratio)
  }
  ctx.restore()
}
