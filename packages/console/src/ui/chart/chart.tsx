import { type ReactNode, useId } from 'react'
import { chart as words } from '../../i18n/chart.ts'
import type { ChartSummary } from '../../lib/chart-data.ts'
import { formatValue } from '../../lib/format.ts'
import hiddenClasses from '../hidden.module.css'
import classes from './chart.module.css'
import { EventStrip } from './event-strip.tsx'
import { Legend, Readout } from './legend.tsx'
import { edgesOf, NO_OVERLAY } from './plot-options.ts'
import { PlotPanel } from './plot-panel.tsx'
import type { ChartSeries } from './series.ts'
import { type ChartContent, type ChartInput, type ChartState, useBox, useChart } from './use-chart.ts'
import { useKeys, usePick } from './use-keys.ts'
import { useTouch } from './use-touch.ts'

interface ChartProps extends ChartInput {
  readonly name: string
  /** Of each panel, in pixels. */
  readonly height?: number
  /** Charts with the same key share their cursor. */
  readonly sync?: string
  readonly isLoading?: boolean
  /** A legend that isolates, instead of a line of figures. */
  readonly hasLegend?: boolean
  readonly onBack: () => void
  /** Above the curves; where there are any, an instant can be picked. */
  readonly tools?: (content: ChartContent) => ReactNode
  /** Below the legend. */
  readonly foot?: (content: ChartContent) => ReactNode
}

const HEIGHT_PX = 200

/**
 * Curves over time: the mean as a line, from the lowest to the highest as a band, thresholds and events behind, gaps as gaps. Dragging
 * zooms, Shift and dragging moves, Ctrl and the wheel zooms, a double click goes back; all of it by keys and by fingers too.
 */
export const Chart = (props: ChartProps) => {
  const id = useId()
  const chart = useChart(props)
  const { content, events, summaries, isEmpty } = chart
  const { box, width } = useBox(chart.turn)
  useTouch(box, chart.plots, chart.drag)
  const edges = edgesOf(content.panels, width)
  const { leftPx, rightPx } = edges
  const keys = useKeys(chart, props.onBack)
  const picking = usePick(chart)
  return (
    <div className={classes.root}>
      {props.tools?.(content)}
      {events.length > 0 && (
        <EventStrip
          events={events}
          view={content.view}
          left={leftPx}
          right={rightPx}
          width={width - leftPx - rightPx}
        />
      )}
      <div
        ref={box}
        className={classes.chart}
        role="application"
        aria-roledescription={words.role}
        aria-label={labelOf(props.name, content.series, summaries)}
        aria-describedby={`${id}-keys`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked through by keys
        tabIndex={0}
        onKeyDown={keys.pressed}
        onBlur={keys.leave}
        onMouseMove={keys.moved}
        onMouseDown={picking.onMouseDown}
        onClick={props.tools === undefined ? undefined : picking.onClick}
        onDoubleClick={() => {
          chart.pick(null)
          props.onBack()
        }}
      >
        <Panels
          chart={chart}
          edges={edges}
          width={width}
          height={props.height ?? HEIGHT_PX}
          sync={props.sync ?? id}
          onHover={chart.setCursor}
        />
        {isEmpty && props.isLoading !== true && (
          <div className={classes.empty} style={{ left: leftPx, right: rightPx }}>
            {words.none}
          </div>
        )}
      </div>
      <p id={`${id}-keys`} className={hiddenClasses.hidden}>
        {words.keys}
      </p>
      <p className={hiddenClasses.hidden} aria-live="polite">
        {keys.said}
      </p>
      {props.hasLegend === true ? (
        <Legend
          {...{ series: content.series, data: content.data, colours: content.colours, summaries }}
          {...{ shown: chart.shown, cursor: chart.cursor, isPaused: chart.isPaused, onPress: chart.press }}
        />
      ) : (
        <Readout {...{ series: content.series, data: content.data, summaries, cursor: chart.cursor }} />
      )}
      {props.foot?.(content)}
    </div>
  )
}

interface PanelsProps {
  readonly chart: ChartState
  readonly edges: ReturnType<typeof edgesOf>
  readonly width: number
  readonly height: number
  readonly sync: string
  readonly onHover: (place: number | null) => void
}
const Panels = ({ chart, edges, width, height, sync, onHover }: PanelsProps) => {
  const { content, plots, shown, grab } = chart
  const { panels, data, view, colours, overlays, show } = content
  return panels.map((panel, index) => (
    <PlotPanel
      key={panels.length === 1 ? 'one' : panel.scales[0]?.key}
      {...{ panel, data, view, width, height, colours, shown, ...edges }}
      overlay={overlays[index] ?? NO_OVERLAY}
      told={{ sync, onCursor: onHover, onSelect: selected => show(selected, 'zoom'), onGrab: grab }}
      onPlot={plot => {
        if (plot === null) plots.current.delete(index)
        else plots.current.set(index, plot)
      }}
    />
  ))
}

const labelOf = (
  name: string,
  series: readonly ChartSeries[],
  summaries: ReadonlyMap<string, ChartSummary | null>,
): string => {
  const texts = series.map(one =>
    summaryText(series.length === 1 ? { ...one, name } : one, summaries.get(one.key) ?? null),
  )
  return texts.length === 1 ? (texts[0] ?? name) : words.summary(name, texts.join('\u202f; '))
}

/** A curve in words. */
const summaryText = ({ name, unit, states }: ChartSeries, summary: ChartSummary | null): string => {
  if (summary === null) return words.summary(name, words.none.toLowerCase())
  const text = (value: number): string => formatValue(value, unit, states)
  if (states !== null) return words.summary(name, `${words.lastValue} ${text(summary.last)}`)
  const { last, min, avg, max } = summary
  return words.summary(
    name,
    `${words.lastValue} ${text(last)}, ${words.lowest} ${text(min)}, ${words.mean} ${text(avg)}, ${words.highest} ${text(max)}`,
  )
}
