import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { formatDateTime, formatValue } from '../../lib/format.ts'
import { type Aligned, type ChartSeries, placesIn, valueAt } from './series.ts'
import type { ChartState } from './use-chart.ts'
import { keyAction, middleOf, panned, steppedPlace, zoomed } from './view.ts'

/** A chart by its keys; `said` is what they came upon, for who does not see it. */
export const useKeys = ({ content, plots, cursor, setCursor }: ChartState, onBack: () => void) => {
  const { data, view, visible, show } = content
  const [said, setSaid] = useState('')
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
    const places = placesIn(data.at, view)
    const around = cursor === null ? middleOf(view) : (data.at[cursor] ?? 0) * 1_000
    const isPointing = said !== ''
    if (action.type !== 'step' && action.type !== 'edge') leave()
    if (action.type === 'step') point(steppedPlace(cursor, action.by, places))
    else if (action.type === 'edge') point(steppedPlace(null, action.end === 'first' ? 1 : -1, places))
    else if (action.type === 'pan') show(panned(view, action.share, Date.now()), 'move')
    else if (action.type === 'zoom') show(zoomed(view, action.factor, around, Date.now()), 'zoom')
    else if (!isPointing) onBack()
  }
  /** The pointer moves: what keys came upon is left. */
  const moved = (): void => setSaid('')
  return { said, leave, pressed, moved }
}

const CLICK_PX = 4
/** A click on the curves, which is no drag, picks an instant. */
export const usePick = ({ content: { view }, plots, pick }: ChartState) => {
  const down = useRef(0)
  return {
    onMouseDown: (event: MouseEvent): void => {
      down.current = event.clientX
      // What moves the curves marks no text, and begins no scrolling.
      if (event.shiftKey || event.button === 1) event.preventDefault()
    },
    onClick: (event: MouseEvent): void => {
      const { target } = event
      const over = [...plots.current.values()].find(plot => target instanceof Node && plot.over.contains(target))?.over
      if (over === undefined || Math.abs(event.clientX - down.current) > CLICK_PX) return
      if (event.shiftKey || event.detail !== 1) return
      const share = (event.clientX - over.getBoundingClientRect().left) / over.clientWidth
      pick(view.fromMs + share * (view.toMs - view.fromMs))
    },
  }
}

const sentenceAt = (series: readonly ChartSeries[], data: Aligned, place: number): string =>
  `${formatDateTime((data.at[place] ?? 0) * 1_000)}\u202f: ${series
    .map(({ key, name, unit, states }) => {
      const value = formatValue(valueAt(data.of.get(key)?.[0], place), unit, states)
      return series.length === 1 ? value : `${name} ${value}`
    })
    .join(', ')}`
