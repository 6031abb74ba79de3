import { useCallback, useEffect, useRef, useState } from 'react'
import { type MapView, pointOf, worldOf } from '../../lib/map-view.ts'

const FLIGHT_MS = 150
const TURN = 2 * Math.PI

/** The view between two others: the way as the crow flies, the scale by equal factors. */
const between = (from: MapView, to: MapView, share: number): MapView => {
  const [fromX, fromY] = worldOf(from.centre)
  const [toX, toY] = worldOf(to.centre)
  const across = toX - fromX - TURN * Math.round((toX - fromX) / TURN)
  return {
    centre: pointOf([fromX + across * share, fromY + (toY - fromY) * share]),
    scale: from.scale * (to.scale / from.scale) ** share,
  }
}

/** What the map shows: `initial` until somebody moves it. `fly` goes there within 150 ms, or at once where motion is not wanted. */
export const useView = (initial: MapView) => {
  const [moved, setMoved] = useState<MapView | null>(null)
  const view = moved ?? initial
  const flight = useRef(0)
  const current = useRef(view)
  useEffect(() => {
    current.current = view
  }, [view])
  const stop = useCallback(() => cancelAnimationFrame(flight.current), [])
  useEffect(() => stop, [stop])

  const change = useCallback(
    (next: (view: MapView) => MapView): void => {
      stop()
      // Several may come between two frames: each from where the one before led.
      current.current = next(current.current)
      setMoved(current.current)
    },
    [stop],
  )
  const fly = useCallback(
    (to: MapView): void => {
      stop()
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
        change(() => to)
        return
      }
      const from = current.current
      const startMs = performance.now()
      const step = (nowMs: number): void => {
        const share = Math.max(0, Math.min(1, (nowMs - startMs) / FLIGHT_MS))
        current.current = share === 1 ? to : between(from, to, share)
        setMoved(current.current)
        if (share < 1) flight.current = requestAnimationFrame(step)
      }
      flight.current = requestAnimationFrame(step)
    },
    [change, stop],
  )
  return { view, change, fly }
}
