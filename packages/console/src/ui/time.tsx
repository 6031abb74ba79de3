import { useSyncExternalStore } from 'react'
import { formatAgo, formatDateTime, formatDuration, NOTHING } from '../lib/format.ts'

/** One timer for all the relative times of the screen; it stops when none is shown. */
const TICK_MS = 1_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    nowMs = Date.now()
    timer = setInterval(() => {
      nowMs = Date.now()
      for (const one of [...listeners]) one()
    }, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Between two subscriptions nothing ticks: the first reading after it must not be an old one. */
const current = (): number => {
  if (listeners.size === 0 && Date.now() - nowMs >= TICK_MS) nowMs = Date.now()
  return nowMs
}

/** What is read of the present time, once a second; a value that compares by itself (a text, a number). */
export const useTicking = <T extends string | number | boolean>(read: (nowMs: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(current()))

interface TimeProps {
  /** ISO 8601, or null for never. */
  readonly at: string | null
}

/** « il y a 3 min », with the exact time on hover; renders only when its text changes. */
export const Ago = ({ at }: TimeProps) => {
  const text = useSyncExternalStore(subscribe, () => (at === null ? NOTHING : formatAgo(at, current())))
  if (at === null) return <span>{NOTHING}</span>
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {text}
    </time>
  )
}

/** « 3 min 12 s »: how long since, with the exact time on hover. */
export const Since = ({ at }: TimeProps) => {
  const text = useSyncExternalStore(subscribe, () =>
    at === null ? NOTHING : formatDuration(current() - Date.parse(at)),
  )
  if (at === null) return <span>{NOTHING}</span>
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {text}
    </time>
  )
}
