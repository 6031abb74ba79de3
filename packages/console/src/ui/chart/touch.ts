import type { View } from '../../lib/chart-range.ts'
import { placed } from './view.ts'

/** Where a finger lies, px from the upper left corner of the curves. */
export interface Finger {
  readonly x: number
  readonly y: number
}

/** What the fingers on a chart do: it is not known yet, the page scrolls, the period moves, it is stretched. */
export type TouchMode = 'waits' | 'scrolls' | 'moves' | 'zooms'

/** Fingers on a chart, from the first that lands to the last that leaves. */
export interface Touch {
  readonly mode: TouchMode
  /** As they lay when one landed or left last. */
  readonly fingers: readonly Finger[]
  /** What was seen then. */
  readonly view: View
}

/** A finger that went less far means nothing yet. */
const SLOP_PX = 8
/** Fingers that all but touch would tear the time apart. */
const NEAREST_PX = 24

/** A finger landed or left: what follows counts from here. Null without any; one that stays after a zoom goes on moving. */
export const landed = (before: Touch | null, fingers: readonly Finger[], view: View): Touch | null => {
  if (fingers.length === 0) return null
  const mode = before?.mode === 'scrolls' ? 'scrolls' : fingers.length > 1 ? 'zooms' : (before?.mode ?? 'waits')
  return { mode, fingers, view }
}

/** One finger that goes along is the page's, across it is the chart's. */
export const decided = (touch: Touch, [finger]: readonly Finger[]): Touch => {
  const [start] = touch.fingers
  if (touch.mode !== 'waits' || start === undefined || finger === undefined) return touch
  const [across, along] = [Math.abs(finger.x - start.x), Math.abs(finger.y - start.y)]
  if (Math.max(across, along) < SLOP_PX) return touch
  return { ...touch, mode: across > along ? 'moves' : 'scrolls' }
}

/** What is seen once the fingers lie so: the instant between them stays between them, and what they hold grows as they part. */
export const touchedView = (touch: Touch, fingers: readonly Finger[], widthPx: number, nowMs: number): View => {
  const { fromMs, toMs } = touch.view
  const heldMs = fromMs + (middleX(touch.fingers) / widthPx) * (toMs - fromMs)
  return placed(touch.view, apart(touch.fingers) / apart(fingers), heldMs, middleX(fingers) / widthPx, nowMs)
}

const middleX = ([a, b]: readonly Finger[]): number => (a === undefined ? 0 : b === undefined ? a.x : (a.x + b.x) / 2)
const apart = ([a, b]: readonly Finger[]): number =>
  a === undefined || b === undefined ? NEAREST_PX : Math.max(NEAREST_PX, Math.hypot(a.x - b.x, a.y - b.y))
