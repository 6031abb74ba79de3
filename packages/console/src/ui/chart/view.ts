import { SHORTEST_MS, type View } from '../../lib/chart-range.ts'

const LONGEST_MS = 5 * 366 * 86_400_000

const upTo = ({ fromMs, toMs }: View, nowMs: number): View =>
  toMs <= nowMs ? { fromMs, toMs } : { fromMs: fromMs - (toMs - nowMs), toMs: nowMs }

/** Moved by a share of its width, never past now. */
export const panned = (view: View, share: number, nowMs: number): View => {
  const by = (view.toMs - view.fromMs) * share
  return upTo({ fromMs: view.fromMs + by, toMs: view.toMs + by }, nowMs)
}

/** `factor` times as wide, with an instant at this share of it. */
export const placed = (view: View, factor: number, atMs: number, share: number, nowMs: number): View => {
  const width = Math.min(Math.max((view.toMs - view.fromMs) * factor, SHORTEST_MS), LONGEST_MS)
  return upTo({ fromMs: atMs - share * width, toMs: atMs + (1 - share) * width }, nowMs)
}

/** `factor` times as wide; `aroundMs` stays where it is. */
export const zoomed = (view: View, factor: number, aroundMs: number, nowMs: number): View =>
  placed(view, factor, aroundMs, (aroundMs - view.fromMs) / (view.toMs - view.fromMs), nowMs)
export const middleOf = ({ fromMs, toMs }: View): number => (fromMs + toMs) / 2

/** What a key does to a chart that has the focus. */
export type KeyAction =
  | { readonly type: 'step'; readonly by: number }
  | { readonly type: 'edge'; readonly end: 'first' | 'last' }
  | { readonly type: 'pan'; readonly share: number }
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'back' }

export const PAN_SHARE = 0.5
export const ZOOM_FACTOR = 2
interface Pressed {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}
export const keyAction = ({ key, shiftKey, ctrlKey, altKey, metaKey }: Pressed): KeyAction | null => {
  if (ctrlKey || altKey || metaKey) return null
  switch (key) {
    case 'ArrowLeft':
      return shiftKey ? { type: 'pan', share: -PAN_SHARE } : { type: 'step', by: -1 }
    case 'ArrowRight':
      return shiftKey ? { type: 'pan', share: PAN_SHARE } : { type: 'step', by: 1 }
    case 'Home':
      return { type: 'edge', end: 'first' }
    case 'End':
      return { type: 'edge', end: 'last' }
    case '+':
    case '=':
      return { type: 'zoom', factor: 1 / ZOOM_FACTOR }
    case '-':
      return { type: 'zoom', factor: ZOOM_FACTOR }
    case 'Escape':
      return { type: 'back' }
    default:
      return null
  }
}

/** The next measured place from one, within [first, end): where a cursor goes by the arrows. */
export const steppedPlace = (
  place: number | null,
  by: number,
  [first, end]: readonly [number, number],
): number | null => {
  if (end <= first) return null
  if (place === null || place < first || place >= end) return by < 0 ? end - 1 : first
  return Math.min(Math.max(place + by, first), end - 1)
}

/** Curves that are shown after one was pressed in the legend: null stands for all. */
export const isolated = (
  shown: ReadonlySet<string> | null,
  key: string,
  adds: boolean,
  all: readonly string[],
): ReadonlySet<string> | null => {
  if (!adds) return shown?.size === 1 && shown.has(key) ? null : new Set([key])
  const next = new Set(shown ?? [])
  if (shown === null) next.add(key)
  else if (!next.delete(key)) next.add(key)
  return next.size === 0 || all.every(one => next.has(one)) ? null : next
}
