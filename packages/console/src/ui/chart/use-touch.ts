import { type RefObject, useEffect, useEffectEvent } from 'react'
import type uPlot from 'uplot'
import { decided, type Finger, landed, type Touch, touchedView } from './touch.ts'
import type { ViewDrag } from './use-view.ts'

/** Fingers on a chart: two stretch the period, one across moves it; one along scrolls the page, as the sheet's `touch-action` has it. */
export const useTouch = (
  box: RefObject<HTMLElement | null>,
  plots: RefObject<ReadonlyMap<number, uPlot>>,
  drag: ViewDrag,
): void => {
  const seen = useEffectEvent(drag.seen)
  const move = useEffectEvent(drag.move)
  const drop = useEffectEvent(drag.drop)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let touch: Touch | null = null
    const fingersOf = (event: TouchEvent): Finger[] => {
      const frame = plots.current.get(0)?.over.getBoundingClientRect()
      // Of curves in several panels each finger may hold another one.
      const own = [...event.touches].filter(({ target }) => target instanceof Node && element.contains(target))
      return own.map(({ clientX, clientY }) => ({ x: clientX - (frame?.left ?? 0), y: clientY - (frame?.top ?? 0) }))
    }
    const end = (ended: Touch | null): void => {
      if (ended?.mode === 'zooms' || ended?.mode === 'moves') drop(ended.mode === 'zooms' ? 'zoom' : 'move')
    }
    const change = (event: TouchEvent): void => {
      const before = touch
      touch = landed(touch, fingersOf(event), seen())
      // What the browser has begun to scroll, it goes on scrolling.
      if (touch?.mode === 'zooms' && event.cancelable) event.preventDefault()
      if (touch === null) end(before)
    }
    const follow = (event: TouchEvent): void => {
      const width = plots.current.get(0)?.over.clientWidth ?? 0
      if (touch === null || width === 0) return
      const fingers = fingersOf(event)
      if (!event.cancelable) end(touch)
      touch = event.cancelable ? decided(touch, fingers) : { ...touch, mode: 'scrolls' }
      if (touch.mode === 'waits' || touch.mode === 'scrolls') return
      event.preventDefault()
      move(touchedView(touch, fingers, width, Date.now()))
    }
    const listening = new AbortController()
    // React listens to fingers as one that never holds them back.
    const options = { signal: listening.signal, passive: false }
    for (const name of ['touchstart', 'touchend', 'touchcancel'] as const)
      element.addEventListener(name, change, options)
    element.addEventListener('touchmove', follow, options)
    return () => listening.abort()
  }, [box, plots])
}
