import uPlot from 'uplot'
import { chart as words } from '../../i18n/chart.ts'
import { formatDateTime, formatEnd } from '../../lib/format.ts'
import { colour } from './draw.ts'
import { edgesOf, NO_OVERLAY, plotData, plotOptions } from './plot-options.ts'
import type { ChartContent } from './use-chart.ts'

const WIDTH_PX = 1_200
const PANEL_PX = 360
const MARGIN_PX = 24
const HEAD_PX = 58
const LEGEND_PX = 22
/** Pixels of the image in one of the page, at least. */
const SCALE = 2

type Pictured = Pick<ChartContent, 'panels' | 'visible' | 'data' | 'view' | 'colours' | 'overlays'>

/** The chart as an image at twice its size: title, period, curves that are shown and their legend, on the ground of the page. */
export const chartPng = async (title: string, content: Pictured): Promise<Blob> => {
  const factor = SCALE / uPlot.pxRatio
  const { panels, visible } = content
  const canvas = document.createElement('canvas')
  const height = HEAD_PX + panels.length * PANEL_PX + visible.length * LEGEND_PX + MARGIN_PX * 2
  canvas.width = WIDTH_PX * SCALE
  canvas.height = height * SCALE
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.scale(SCALE, SCALE)
  context.fillStyle = colour('--surface-card')
  context.fillRect(0, 0, WIDTH_PX, height)
  drawHead(context, title, content)
  for (const [index] of panels.entries()) {
    const picture = await panelPicture(content, index, factor)
    context.drawImage(picture, MARGIN_PX, MARGIN_PX + HEAD_PX + index * PANEL_PX, WIDTH_PX - MARGIN_PX * 2, PANEL_PX)
  }
  drawLegend(context, content, MARGIN_PX + HEAD_PX + panels.length * PANEL_PX + 8)
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => (blob === null ? reject(new Error('no image')) : resolve(blob)), 'image/png')
  })
}

const fontOf = (px: number, weight = 400): string => `${weight} ${px}px "Inter Variable", system-ui, sans-serif`

const drawHead = (context: CanvasRenderingContext2D, title: string, { view }: Pictured): void => {
  context.textBaseline = 'top'
  context.fillStyle = colour('--text')
  context.font = fontOf(20, 600)
  context.fillText(title, MARGIN_PX, MARGIN_PX, WIDTH_PX - MARGIN_PX * 2)
  context.fillStyle = colour('--text-secondary')
  context.font = fontOf(13)
  context.fillText(
    words.span(formatDateTime(view.fromMs), formatEnd(view.fromMs, view.toMs)),
    MARGIN_PX,
    MARGIN_PX + 28,
  )
}

const drawLegend = (context: CanvasRenderingContext2D, { visible, colours }: Pictured, top: number): void => {
  context.textBaseline = 'middle'
  context.font = fontOf(13)
  for (const [line, { key, name, before }] of visible.entries()) {
    const y = top + line * LEGEND_PX + LEGEND_PX / 2
    context.strokeStyle = colours.get(key) ?? ''
    context.lineWidth = 3
    context.setLineDash(before === undefined ? [] : [5, 4])
    context.beginPath()
    context.moveTo(MARGIN_PX, y)
    context.lineTo(MARGIN_PX + 24, y)
    context.stroke()
    context.fillStyle = colour('--text')
    context.fillText(name, MARGIN_PX + 34, y, WIDTH_PX - MARGIN_PX * 2 - 34)
  }
}

/** A panel drawn anew as large as the image wants it, out of sight. */
const panelPicture = async (content: Pictured, index: number, factor: number): Promise<HTMLCanvasElement> => {
  const panel = content.panels[index] ?? { scales: [], series: [] }
  const shown = new Set(content.visible.map(({ key }) => key))
  const options = plotOptions(panel, content.view, {
    ...{ width: WIDTH_PX - MARGIN_PX * 2, height: PANEL_PX, factor, colours: content.colours },
    ...edgesOf(content.panels, WIDTH_PX),
    isShown: key => shown.has(key),
    overlay: () => content.overlays[index] ?? NO_OVERLAY,
  })
  const plot = new uPlot(options, plotData(panel, content.data), document.createElement('div'))
  // It draws when the work at hand is done.
  await new Promise(resolve => setTimeout(resolve))
  const { canvas } = plot.ctx
  plot.destroy()
  return canvas
}
