import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { View } from '../../lib/chart-range.ts'
import { columnsOf, type PlotLook, type PlotOverlay, type PlotTold, plotData, plotOptions } from './plot-options.ts'
import type { Aligned, ChartPanel } from './series.ts'

interface PlotPanelProps {
  readonly panel: ChartPanel
  readonly data: Aligned
  readonly view: View
  readonly width: number
  readonly height: number
  readonly leftPx: number
  readonly rightPx: number
  readonly colours: ReadonlyMap<string, string>
  /** Keys of the curves that are shown; null: all. */
  readonly shown: ReadonlySet<string> | null
  readonly overlay: PlotOverlay
  readonly told: PlotTold
  readonly onPlot: (plot: uPlot | null) => void
}

/**
 * Curves of one panel. The plot is made once for its curves and its look: values, period and what is shown of it are given to the
 * plot that stands, so that nothing flickers.
 */
export const PlotPanel = (props: PlotPanelProps) => {
  const { panel, data, view, width, height, shown, overlay, colours } = props
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const made = [...panel.series.map(one => `${one.key}=${one.unit}=${colours.get(one.key)}`), props.told.sync].join()

  useEffect(() => {
    if (box.current === null || latest.current.width === 0) return
    const { current } = latest
    const look: PlotLook = {
      ...{
        width: current.width,
        height: current.height,
        leftPx: current.leftPx,
        rightPx: current.rightPx,
        colours: current.colours,
        factor: 1,
      },
      isShown: key => latest.current.shown?.has(key) ?? true,
      overlay: () => latest.current.overlay,
    }
    const one = new uPlot(
      plotOptions(current.panel, current.view, look, toldBy(latest)),
      plotData(current.panel, current.data),
      box.current,
    )
    plot.current = one
    current.onPlot(one)
    return () => {
      plot.current = null
      latest.current.onPlot(null)
      one.destroy()
    }
  }, [made, width === 0, props.leftPx, props.rightPx])

  useEffect(() => {
    plot.current?.setSize({ width, height })
  }, [width, height])
  useEffect(() => {
    const one = plot.current
    if (one === null) return
    one.batch(() => {
      one.setData(plotData(latest.current.panel, data), false)
      one.setScale('x', { min: view.fromMs / 1_000, max: view.toMs / 1_000 })
    })
  }, [data, view.fromMs, view.toMs])
  useEffect(() => {
    const one = plot.current
    if (one === null) return
    for (const [index, { key }] of latest.current.panel.series.entries()) {
      const show = shown?.has(key) ?? true
      for (const column of columnsOf(index))
        if (one.series[column]?.show !== show) one.setSeries(column, { show }, false)
    }
  }, [shown, made])
  useEffect(() => {
    plot.current?.redraw(false)
  }, [overlay])

  return <div ref={box} style={{ height }} />
}

/** Calls of the plot go to what the panel was told last. */
const toldBy = (latest: { readonly current: PlotPanelProps }): PlotTold => ({
  sync: latest.current.told.sync,
  onCursor: place => latest.current.told.onCursor(place),
  onSelect: view => latest.current.told.onSelect(view),
  onGrab: event => latest.current.told.onGrab(event),
})
