import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { bounded, type MapSize, type MapView, viewBetween } from '../../lib/map-view.ts'
import { usePlace } from './use-place.ts'

const FLIGHT_MS = 150

/**
 * What the map shows: the place in the address (`?at=`), else `initial`, until somebody moves it; the address then
 * follows. `fly` goes there within 150 ms, or at once where motion is not wanted.
 */
export const useView = (initial: MapView, size: MapSize) => {
  const [moved, setMoved] = useState<MapView | null>(null)
  const flight = useRef(0)
  const stop = useCallback(() => cancelAnimationFrame(flight.current), [])
  useEffect(() => stop, [stop])
  const { asked, follow } = usePlace(() => {
    stop()
    setMoved(null)
  })
  const place = useMemo(() => (asked === null ? null : bounded(asked, size)), [asked, size])
  const view = moved ?? place ?? initial
  const current = useRef(view)
  useEffect(() => {
    current.current = view
  }, [view])

  const show = useCallback(
    (to: MapView): void => {
      current.current = to
      setMoved(to)
      follow(to)
    },
    [follow],
  )
  const change = useCallback(
    (next: (view: MapView) => MapView): void => {
      stop()
      // Several may come between two frames: each from where the one before led.
      show(next(current.current))
    },
    [show, stop],
  )
  const fly = useCallback(
    (to: MapView): void => {
      stop()
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
        show(to)
        return
      }
      const from = current.current
      const startMs = performance.now()
      const step = (nowMs: number): void => {
        const share = Math.max(0, Math.min(1, (nowMs - startMs) / FLIGHT_MS))
        show(share === 1 ? to : viewBetween(from, to, share))
        if (share < 1) flight.current = requestAnimationFrame(step)
      }
      flight.current = requestAnimationFrame(step)
    },
    [show, stop],
  )
  return { view, change, fly }
}
