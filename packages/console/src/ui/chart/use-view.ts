import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react'
import type uPlot from 'uplot'
import type { View } from '../../lib/chart-range.ts'
import { panned, zoomed } from './view.ts'

/** `zoom`: another part was chosen, to which one goes back; `move`: the same one goes on. */
export type ViewChange = 'zoom' | 'move'

/** The part that is shown, moved by what goes on for a while. */
export interface ViewDrag {
  readonly seen: () => View
  readonly move: (view: View) => void
  /** It rests where it was moved to. */
  readonly drop: (how: ViewChange) => void
}
/** The part that is moved to, and not yet told; null: it rests. */
export type MovingView = readonly [View | null, Dispatch<SetStateAction<View | null>>]

const WHEEL_SETTLES_MS = 250
const WHEEL_SHARE = 0.0025

const isSame = (a: View, b: View): boolean => a.fromMs === b.fromMs && a.toMs === b.toMs

/** The part that is shown: while it is grabbed or wheeled it moves at once, and is told when it rests. */
export const useView = (
  view: View,
  plots: RefObject<ReadonlyMap<number, uPlot>>,
  onView: (view: View, how: ViewChange) => void,
  [moving, setMoving]: MovingView,
) => {
  const wheel = useRef<ReturnType<typeof setTimeout> | null>(null)
  const shown = moving ?? view
  const now = useRef({ shown, onView })
  now.current = { shown, onView }
  // What was told has come back: the part that moved is the one that is asked for.
  useEffect(() => setMoving(null), [view.fromMs, view.toMs])
  useEffect(() => () => void (wheel.current !== null && clearTimeout(wheel.current)), [])

  const rest = (next: View, how: ViewChange): void => {
    if (isSame(next, view)) setMoving(null)
    else now.current.onView(next, how)
  }
  const show = (next: View, how: ViewChange): void => {
    if (isSame(next, now.current.shown)) return
    setMoving(next)
    rest(next, how)
  }
  const drag: ViewDrag = {
    seen: () => now.current.shown,
    move: next => {
      now.current = { ...now.current, shown: next }
      setMoving(next)
    },
    drop: how => rest(now.current.shown, how),
  }
  const grab = (event: MouseEvent): void => {
    const over = event.currentTarget
    if (!(over instanceof HTMLElement)) return
    const from = { x: event.clientX, view: now.current.shown }
    const width = over.clientWidth
    const at = (move: MouseEvent): View => panned(from.view, (from.x - move.clientX) / width, Date.now())
    const move = (moved: MouseEvent): void => setMoving(at(moved))
    const drop = (dropped: MouseEvent): void => {
      window.removeEventListener('mousemove', move)
      rest(at(dropped), 'move')
    }
    window.addEventListener('mousemove', move)
    window.addEventListener('mouseup', drop, { once: true })
  }
  const turn = (event: WheelEvent): void => {
    const plot = plots.current.get(0)
    if (!event.ctrlKey || plot === undefined) return
    event.preventDefault()
    const left = event.clientX - plot.over.getBoundingClientRect().left
    const share = Math.min(Math.max(left / plot.over.clientWidth, 0), 1)
    const { fromMs, toMs } = now.current.shown
    const next = zoomed(
      now.current.shown,
      Math.exp(event.deltaY * WHEEL_SHARE),
      fromMs + (toMs - fromMs) * share,
      Date.now(),
    )
    drag.move(next)
    if (wheel.current !== null) clearTimeout(wheel.current)
    wheel.current = setTimeout(() => rest(next, 'zoom'), WHEEL_SETTLES_MS)
  }
  return { shown, show, drag, grab, turn }
}

/** What was there before while it is held: what the reader looks at does not move under his eyes. `of` is another matter altogether. */
export const useHeld = <T>(value: T, isHeld: boolean, of: string): T => {
  const [kept, setKept] = useState({ value, of })
  const isKept = isHeld && kept.of === of
  if (!isKept && (kept.value !== value || kept.of !== of)) setKept({ value, of })
  return isKept ? kept.value : value
}
