import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { bounded, type MapSize, type MapView, pointOf, worldOf } from '../../lib/map-view.ts'
import { usePlace } from './use-place.ts'

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
        show(share === 1 ? to : between(from, to, share))
        if (share < 1) flight.current = requestAnimationFrame(step)
      }
      flight.current = requestAnimationFrame(step)
    },
    [show, stop],
  )
  return { view, change, fly }
}
