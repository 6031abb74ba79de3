import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { MapPixel } from '../lib/map-view.ts'

export interface MapGestures {
  readonly zoom: (factor: number, at: MapPixel) => void
  readonly pan: (by: MapPixel) => void
  readonly pick: (at: MapPixel) => void
  /** Where the pointer rests; null once it left. */
  readonly hover: (at: MapPixel | null) => void
}

/** A press that moved less is a click. */
const CLICK_PX = 5
/** A wheel that has just scrolled the page goes on scrolling it when the map comes under the pointer. */
const SCROLLING_MS = 400

/** What mouse, pen and fingers do on a map: a drag pans, two fingers zoom, the wheel zooms, a click picks. */
export const useMapGestures = (frame: RefObject<HTMLElement | null>, gestures: MapGestures): void => {
  const zoom = useEffectEvent(gestures.zoom)
  const pan = useEffectEvent(gestures.pan)
  const pick = useEffectEvent(gestures.pick)
  const hover = useEffectEvent(gestures.hover)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const pointers = new Map<number, MapPixel>()
    let travelled = 0
    let several = false
    let scrolledMs = 0
    const place = (event: MouseEvent): MapPixel => {
      const box = element.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }
    const onDown = (event: PointerEvent): void => {
      if (event.button !== 0) return
      if (pointers.size === 0) {
        travelled = 0
        several = false
      }
      pointers.set(event.pointerId, place(event))
      several ||= pointers.size > 1
      element.setPointerCapture(event.pointerId)
    }
    const onMove = (event: PointerEvent): void => {
      const before = pointers.get(event.pointerId)
      const now = place(event)
      if (before === undefined) {
        hover(now)
        return
      }
      travelled += Math.hypot(now[0] - before[0], now[1] - before[1])
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      pointers.set(event.pointerId, now)
      if (other !== undefined) {
        const ratio = distance(now, other) / Math.max(1, distance(before, other))
        zoom(ratio, [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2])
        pan([(now[0] - before[0]) / 2, (now[1] - before[1]) / 2])
      } else if (travelled >= CLICK_PX) pan([now[0] - before[0], now[1] - before[1]])
    }
    const onUp = (event: PointerEvent): void => {
      if (!pointers.delete(event.pointerId)) return
      if (pointers.size === 0 && !several && travelled < CLICK_PX) pick(place(event))
    }
    const onCancel = (event: PointerEvent): void => {
      pointers.delete(event.pointerId)
      travelled = CLICK_PX
    }
    const onLeave = (): void => hover(null)
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && performance.now() - scrolledMs < SCROLLING_MS) return
      event.preventDefault()
      zoom(Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.002 : 0.06)), place(event))
    }
    const onScroll = (): void => {
      scrolledMs = performance.now()
    }
    const listening = new AbortController()
    const { signal } = listening
    element.addEventListener('pointerdown', onDown, { signal })
    element.addEventListener('pointermove', onMove, { signal })
    element.addEventListener('pointerup', onUp, { signal })
    element.addEventListener('pointercancel', onCancel, { signal })
    element.addEventListener('pointerleave', onLeave, { signal })
    // React's own wheel listener is passive: it could not keep the page from scrolling.
    element.addEventListener('wheel', onWheel, { signal, passive: false })
    addEventListener('scroll', onScroll, { signal, capture: true, passive: true })
    return () => listening.abort()
  }, [frame])
}

const distance = (a: MapPixel, b: MapPixel): number => Math.hypot(a[0] - b[0], a[1] - b[1])
