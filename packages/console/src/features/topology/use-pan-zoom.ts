import { useCallback, useState } from 'react'
import type { MapPixel, MapSize } from '../../lib/map-view.ts'
import type { Rect } from './diagram-layout.ts'

/** Where the diagram's corner stands in the frame, px, and how large it is shown. */
export interface Pose {
  readonly x: number
  readonly y: number
  readonly scale: number
}

const LEAST = 0.04
const MOST = 2
const MARGIN = 24

const limited = (scale: number): number => Math.max(LEAST, Math.min(MOST, scale))

/** The whole diagram in the frame, never larger than it is. */
export const wholePose = ({ width, height }: MapSize, frame: MapSize): Pose => {
  const scale = limited(
    Math.min(1, (frame.width - 2 * MARGIN) / Math.max(1, width), (frame.height - 2 * MARGIN) / Math.max(1, height)),
  )
  return { scale, x: (frame.width - width * scale) / 2, y: (frame.height - height * scale) / 2 }
}

const poseOn = (rect: Rect, frame: MapSize, scale: number): Pose => ({
  scale,
  x: frame.width / 2 - (rect.x + rect.width / 2) * scale,
  y: frame.height / 2 - (rect.y + rect.height / 2) * scale,
})

/** Moves and scales a diagram in its frame: `initial` until somebody does. */
export const usePanZoom = (initial: Pose, frame: MapSize) => {
  const [moved, setMoved] = useState<Pose | null>(null)
  const pose = moved ?? initial
  const zoom = useCallback(
    (factor: number, [x, y]: MapPixel = [frame.width / 2, frame.height / 2]): void =>
      setMoved(before => {
        const now = before ?? initial
        const scale = limited(now.scale * factor)
        const ratio = scale / now.scale
        return { scale, x: x - (x - now.x) * ratio, y: y - (y - now.y) * ratio }
      }),
    [frame, initial],
  )
  const pan = useCallback(
    ([x, y]: MapPixel): void =>
      setMoved(before => {
        const now = before ?? initial
        return { ...now, x: now.x + x, y: now.y + y }
      }),
    [initial],
  )
  return {
    pose,
    zoom,
    pan,
    show: (to: Pose | null): void => setMoved(to),
    /** Puts this in the middle, large enough to be read. */
    centre: (rect: Rect): void => setMoved(poseOn(rect, frame, Math.max(0.8, Math.min(1.2, pose.scale)))),
    /** Moves no more than needed for this to be in sight. */
    reveal: (rect: Rect): void =>
      setMoved(before => {
        const now = before ?? initial
        const left = now.x + rect.x * now.scale
        const top = now.y + rect.y * now.scale
        const by = (start: number, length: number, room: number): number =>
          start < MARGIN ? MARGIN - start : start + length > room - MARGIN ? room - MARGIN - start - length : 0
        return {
          ...now,
          x: now.x + by(left, rect.width * now.scale, frame.width),
          y: now.y + by(top, rect.height * now.scale, frame.height),
        }
      }),
  }
}
