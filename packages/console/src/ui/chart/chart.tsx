import { useComputedColorScheme } from '@mantine/core'
import type { MetricEvent } from '@narval/contracts'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { chart as words } from '../../i18n/chart.ts'
import { type ChartSummary, summarise } from '../../lib/chart-data.ts'
import type { View } from '../../lib/chart-range.ts'
import { formatDateTime, formatValue } from '../../lib/format.ts'
import hiddenClasses from '../hidden.module.css'
import classes from './chart.module.css'
import type { ChartMark } from './draw.ts'
import { EventStrip } from './event-strip.tsx'
import { spansOf } from './events.ts'
import { Legend, Readout } from './legend.tsx'
import { type PlotOverlay, scalePx } from './plot-options.ts'
import { PlotPanel } from './plot-panel.tsx'
import {
  type Aligned,
  aligned,
  type ChartPanel,
  type ChartSeries,
  coloursOf,
  panelsOf,
  placesIn,
  scaleKey,
  valueAt,
} from './series.ts'
import { useHeld, useView, type ViewChange } from './use-view.ts'
import { isolated, keyAction, middleOf, panned, steppedPlace, zoomed } from './view.ts'

/** What stands in a chart now, for what is done with it: tables, files, comments. */
export interface ChartContent {
  readonly panels: readonly ChartPanel[]
  readonly series: readonly ChartSeries[]
  /** Those that are not hidden by the legend. */
  readonly visible: readonly ChartSeries[]
  readonly data: Aligned
  readonly view: View
  readonly colours: ReadonlyMap<string, string>
  readonly overlays: readonly PlotOverlay[]
  readonly pickedMs: number | null
  readonly pick: (atMs: number | null) => void
  readonly show: (view: View, how: ViewChange) => void
}

interface ChartProps {
  readonly name: string
  readonly series: readonly ChartSeries[]
  readonly stepMs: number
  readonly view: View
  /** It moves with the clock; it rests while somebody looks at a point of it. */
  readonly isLive?: boolean
  readonly marks?: readonly ChartMark[]
  readonly events?: readonly MetricEvent[]
  /** Of each panel, in pixels. */
  readonly height?: number
  /** Charts with the same key share their cursor. */
  readonly sync?: string
  readonly isLoading?: boolean
  /** A legend that isolates, instead of a line of figures. */
  readonly hasLegend?: boolean
  readonly onView: (view: View, how: ViewChange) => void
  readonly onBack: () => void
  readonly tools?: (content: ChartContent) => ReactNode
  /** Below the legend. */
  readonly foot?: (content: ChartContent) => ReactNode
}

const NO_EVENTS: readonly MetricEvent[] = []
const NO_MARKS: readonly ChartMark[] = []
const CLICK_PX = 4

/**
 * Curves over time: the mean as a line, from the lowest to the highest as a band, thresholds and events behind, gaps as gaps. Dragging
 * zooms, Shift and dragging moves, Ctrl and the wheel zooms, a double click goes back; all of it by keys too.
 */
export const Chart = (props: ChartProps) => {
  const { name, marks = NO_MARKS, events = NO_EVENTS, height = 200, hasLegend = false, isLoading = false } = props
  const ownSync = useId()
  const box = useRef<HTMLDivElement>(null)
  const plots = useRef(new Map<number, uPlot>())
  const [width, setWidth] = useState(0)
  const [cursor, setCursor] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const [shownKeys, setShownKeys] = useState<ReadonlySet<string> | null>(null)
  const [pickedMs, setPickedMs] = useState<number | null>(null)
  const isDark = useComputedColorScheme() === 'dark'

  const offered = useMemo(
    () => ({ series: props.series, data: aligned(props.series, props.stepMs), view: props.view }),
    [props.series, props.stepMs, props.view.fromMs, props.view.toMs],
  )
  const keys = props.series.map(one => one.key)
  const isHeld = props.isLive === true && cursor !== null
  const held = useHeld(offered, isHeld, `${keys} ${props.isLive} ${props.view.toMs - props.view.fromMs}`)
  const { series, data } = held
  const { shown: view, show, grab, turn } = useView(held.view, plots, props.onView)
  const shown = shownKeys !== null && keys.some(key => shownKeys.has(key)) ? shownKeys : null

  const panels = useMemo(() => panelsOf(series), [series])
  const colours = useMemo(() => coloursOf(series, isDark), [series, isDark])
  const visible = useMemo(() => series.filter(({ key }) => shown?.has(key) ?? true), [series, shown])
  const overlays = useMemo(
    () => panels.map(panel => overlayOf(panel, visible, events, marks, pickedMs)),
    [panels, visible, events, marks, pickedMs],
  )
  const summaries = useMemo(() => new Map(series.map(one => [one.key, summarise(one.data)])), [series])
  const leftPx = Math.max(...panels.map(({ scales }) => scalePx(scales[0])))

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)))
    observer.observe(element)
    // React listens to wheels as one that never holds them back.
    const wheel = (event: WheelEvent): void => turning.current(event)
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', wheel)
    }
  }, [])
  const turning = useRef(turn)
  turning.current = turn

  /** The cursor on a place of the curves, told to who does not see it. */
  const point = (place: number | null): void => {
    if (place === null) return
    const at = data.at[place] ?? 0
    for (const plot of plots.current.values())
      plot.setCursor({ left: plot.valToPos(at, 'x'), top: plot.over.clientHeight / 2 }, false)
    setCursor(place)
    setSaid(sentenceAt(visible, data, place))
  }
  const leave = (): void => {
    for (const plot of plots.current.values()) plot.setCursor({ left: -10, top: -10 }, false)
    setCursor(null)
    setSaid('')
  }
  const pressed = (event: KeyboardEvent): void => {
    const action = keyAction(event)
    if (action === null || event.target !== event.currentTarget) return
    event.preventDefault()
    if (action.type === 'pan' || action.type === 'zoom') leave()
    const places = placesIn(data.at, view)
    const around = cursor === null ? middleOf(view) : (data.at[cursor] ?? 0) * 1_000
    if (action.type === 'step') point(steppedPlace(cursor, action.by, places))
    else if (action.type === 'edge')
      point(action.end === 'first' ? steppedPlace(null, 1, places) : steppedPlace(null, -1, places))
    else if (action.type === 'pan') show(panned(view, action.share, Date.now()), 'move')
    else if (action.type === 'zoom') show(zoomed(view, action.factor, around, Date.now()), 'zoom')
    else if (cursor !== null && said !== '') leave()
    else props.onBack()
  }
  const down = useRef(0)
  const clicked = (event: MouseEvent): void => {
    const over = plots.current.get(0)?.over
    if (props.tools === undefined || over === undefined || !(event.target instanceof Node)) return
    if (Math.abs(event.clientX - down.current) > CLICK_PX || event.shiftKey || event.detail !== 1) return
    if (![...plots.current.values()].some(plot => plot.over.contains(event.target as Node))) return
    const share = (event.clientX - over.getBoundingClientRect().left) / over.clientWidth
    setPickedMs(view.fromMs + share * (view.toMs - view.fromMs))
  }

  const isEmpty = [...summaries.values()].every(summary => summary === null)
  const content: ChartContent = {
    ...{ panels, series, visible, data, view, colours, overlays, pickedMs, pick: setPickedMs, show },
  }
  const right = Math.max(...panels.map(({ scales }) => scalePx(scales[1])))
  return (
    <div className={classes.root}>
      {props.tools?.(content)}
      {events.length > 0 && (
        <EventStrip events={events} view={view} left={leftPx} right={right} width={width - leftPx - right} />
      )}
      <div
        ref={box}
        className={classes.chart}
        role="application"
        aria-roledescription={words.role}
        aria-label={labelOf(name, series, summaries)}
        aria-describedby={`${ownSync}-keys`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked through by keys
        tabIndex={0}
        onKeyDown={pressed}
        onBlur={leave}
        onMouseDown={event => {
          down.current = event.clientX
        }}
        onClick={clicked}
        onDoubleClick={() => {
          setPickedMs(null)
          props.onBack()
        }}
      >
        {panels.map((panel, index) => (
          <PlotPanel
            key={panels.length === 1 ? 'one' : panel.scales[0]?.key}
            {...{ panel, data, view, width, height, leftPx, colours, shown }}
            overlay={overlays[index] ?? EMPTY_OVERLAY}
            told={{
              sync: props.sync ?? ownSync,
              onCursor: place => {
                setCursor(place)
                setSaid('')
              },
              onSelect: selected => show(selected, 'zoom'),
              onGrab: grab,
            }}
            onPlot={plot => {
              if (plot === null) plots.current.delete(index)
              else plots.current.set(index, plot)
            }}
          />
        ))}
        {isEmpty && !isLoading && (
          <div className={classes.empty} style={{ left: leftPx, right }}>
            {words.none}
          </div>
        )}
      </div>
      <p id={`${ownSync}-keys`} className={hiddenClasses.hidden}>
        {words.keys}
      </p>
      <p className={hiddenClasses.hidden} aria-live="polite">
        {said}
      </p>
      {hasLegend ? (
        <Legend
          {...{ series, summaries, colours, shown, cursor, data }}
          isPaused={isHeld && held !== offered}
          onPress={(key, adds) => setShownKeys(isolated(shown, key, adds, keys))}
        />
      ) : (
        <Readout {...{ series, summaries, cursor, data }} />
      )}
      {props.foot?.(content)}
    </div>
  )
}

const EMPTY_OVERLAY: PlotOverlay = { thresholds: null, spans: [], instants: [], marks: [], pickedMs: null }

/** Thresholds are those of the one curve that is shown: of several they would not be told apart. */
const overlayOf = (
  panel: ChartPanel,
  visible: readonly ChartSeries[],
  events: readonly MetricEvent[],
  marks: readonly ChartMark[],
  pickedMs: number | null,
): PlotOverlay => {
  const own = visible.filter(one => one.before === undefined && panel.series.includes(one))
  const [only] = own
  const isAlone = own.length === 1 && only?.thresholds !== undefined
  return {
    thresholds: isAlone && only.thresholds !== undefined ? { of: only.thresholds, scale: scaleKey(only) } : null,
    spans: spansOf(events),
    instants: events.flatMap(event => (event.to === null && !event.lasts ? Date.parse(event.from) : [])),
    marks,
    pickedMs,
  }
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

const sentenceAt = (series: readonly ChartSeries[], data: Aligned, place: number): string =>
  `${formatDateTime((data.at[place] ?? 0) * 1_000)}\u202f: ${series
    .map(({ key, name, unit, states }) => {
      const value = formatValue(valueAt(data.of.get(key)?.[0], place), unit, states)
      return series.length === 1 ? value : `${name} ${value}`
    })
    .join(', ')}`
