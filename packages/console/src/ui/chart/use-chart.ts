import { useComputedColorScheme } from '@mantine/core'
import type { MetricEvent } from '@narval/contracts'
import { useEffect, useMemo, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { summarise } from '../../lib/chart-data.ts'
import type { View } from '../../lib/chart-range.ts'
import type { ChartMark } from './draw.ts'
import { spansOf } from './events.ts'
import type { PlotOverlay } from './plot-options.ts'
import { type Aligned, aligned, type ChartPanel, type ChartSeries, coloursOf, panelsOf, scaleKey } from './series.ts'
import { useHeld, useView, type ViewChange } from './use-view.ts'
import { isolated } from './view.ts'

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
  /** The instant that the reader picked. */
  readonly pickedMs: number | null
  readonly show: (view: View, how: ViewChange) => void
}

export interface ChartInput {
  readonly series: readonly ChartSeries[]
  readonly stepMs: number
  readonly view: View
  /** It moves with the clock; it rests while somebody looks at a point of it. */
  readonly isLive?: boolean
  readonly marks?: readonly ChartMark[]
  readonly events?: readonly MetricEvent[]
  readonly onView: (view: View, how: ViewChange) => void
}

const NO_EVENTS: readonly MetricEvent[] = []
const NO_MARKS: readonly ChartMark[] = []

/** What a chart shows of what it is given: held while it is looked at, the part that is moved to, without what the legend hides. */
export const useChart = ({ marks = NO_MARKS, events = NO_EVENTS, ...input }: ChartInput) => {
  const plots = useRef(new Map<number, uPlot>())
  const [cursor, setCursor] = useState<number | null>(null)
  const [shownKeys, setShownKeys] = useState<ReadonlySet<string> | null>(null)
  const [pickedMs, setPickedMs] = useState<number | null>(null)
  const isDark = useComputedColorScheme() === 'dark'
  const offered = useMemo(
    () => ({ series: input.series, data: aligned(input.series, input.stepMs), view: input.view }),
    [input.series, input.stepMs, input.view.fromMs, input.view.toMs],
  )
  const keys = input.series.map(one => one.key)
  const [moving, setMoving] = useState<View | null>(null)
  const isHeld = input.isLive === true && (cursor !== null || moving !== null)
  const held = useHeld(offered, isHeld, `${keys} ${input.isLive} ${input.view.toMs - input.view.fromMs}`)
  const { series, data } = held
  const moved = useView(held.view, plots, input.onView, [moving, setMoving])
  const shown = shownKeys !== null && keys.some(key => shownKeys.has(key)) ? shownKeys : null
  const panels = useMemo(() => panelsOf(series), [series])
  const colours = useMemo(() => coloursOf(series, isDark), [series, isDark])
  const visible = useMemo(() => series.filter(({ key }) => shown?.has(key) ?? true), [series, shown])
  const overlays = useMemo(
    () => panels.map(panel => overlayOf(panel, visible, events, marks, pickedMs)),
    [panels, visible, events, marks, pickedMs],
  )
  const summaries = useMemo(() => new Map(series.map(one => [one.key, summarise(one.data)])), [series])
  const content: ChartContent = {
    ...{ panels, series, visible, data, colours, overlays, pickedMs },
    ...{ view: moved.shown, show: moved.show },
  }
  return {
    ...{ content, plots, cursor, setCursor, shown, summaries, events },
    pick: setPickedMs,
    press: (key: string, adds: boolean): void => setShownKeys(isolated(shown, key, adds, keys)),
    drag: moved.drag,
    grab: moved.grab,
    turn: moved.turn,
    isEmpty: [...summaries.values()].every(summary => summary === null),
    /** Newer values wait. */
    isPaused: isHeld && held !== offered,
  }
}
export type ChartState = ReturnType<typeof useChart>

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
    thresholds: isAlone ? { of: only.thresholds, scale: scaleKey(only) } : null,
    spans: spansOf(events),
    instants: events.flatMap(event => (event.to === null && !event.lasts ? Date.parse(event.from) : [])),
    marks,
    pickedMs,
  }
}

/** Width of the box that charts are drawn in, which hears the wheel. */
export const useBox = (turn: (event: WheelEvent) => void) => {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const turning = useRef(turn)
  turning.current = turn
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
  return { box, width }
}
