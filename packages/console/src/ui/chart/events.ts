import type { MetricEvent } from '@narval/contracts'
import { chart as words } from '../../i18n/chart.ts'
import type { View } from '../../lib/chart-range.ts'
import { formatDateTime } from '../../lib/format.ts'

/** Events that stand too near to be told apart, at the place of the first. */
export interface EventBundle {
  readonly key: string
  /** Place in the view, 0 … 1. */
  readonly at: number
  readonly events: readonly MetricEvent[]
}

/** As wide as a mark and the finger that touches it. */
export const MARK_PX = 24

/** The event's beginning, or the view's where it began before. */
const startIn = (event: MetricEvent, view: View): number => Math.max(Date.parse(event.from), view.fromMs)
const endOf = ({ from, to, lasts }: MetricEvent): number => (lasts ? Number.POSITIVE_INFINITY : Date.parse(to ?? from))

export const eventsIn = (events: readonly MetricEvent[], view: View): MetricEvent[] =>
  events.filter(event => Date.parse(event.from) <= view.toMs && endOf(event) >= view.fromMs)

/** Marks of the events of a view that is `widthPx` wide. */
export const bundled = (events: readonly MetricEvent[], view: View, widthPx: number): EventBundle[] => {
  const width = view.toMs - view.fromMs
  if (widthPx <= 0 || width <= 0) return []
  const bundles: { key: string; at: number; events: MetricEvent[] }[] = []
  for (const event of eventsIn(events, view).toSorted((a, b) => startIn(a, view) - startIn(b, view))) {
    const at = (startIn(event, view) - view.fromMs) / width
    const last = bundles.at(-1)
    if (last !== undefined && (at - last.at) * widthPx < MARK_PX) last.events.push(event)
    else bundles.push({ key: eventKey(event), at, events: [event] })
  }
  return bundles
}
export const eventKey = ({ kind, id }: MetricEvent): string => `${kind}:${id}`

/** A tinted part of the chart. */
export interface EventSpan extends View {
  readonly tint: string
  readonly isHatched: boolean
}
/** What took time: incidents in the colour of their severity, maintenances hatched, comments on a range. */
export const spansOf = (events: readonly MetricEvent[]): EventSpan[] =>
  events.flatMap(event => {
    if (event.to === null && !event.lasts) return []
    const { kind, severity } = event
    const tint = kind === 'incident' ? (severity ?? 'unknown') : kind === 'maintenance' ? 'maintenance' : 'accent'
    return { fromMs: Date.parse(event.from), toMs: endOf(event), tint, isHatched: kind === 'maintenance' }
  })

/** « du 20/11/2026 08:00:00 au 20/11/2026 09:00:00 », « 20/11/2026 08:00:00 », or since when it lasts. */
export const whenText = ({ from, to, lasts }: Pick<MetricEvent, 'from' | 'to' | 'lasts'>): string =>
  lasts
    ? `depuis le ${formatDateTime(from)} (${words.lasts})`
    : to === null
      ? formatDateTime(from)
      : words.span(formatDateTime(from), formatDateTime(to))

/** Where an event is read whole; null where it is nowhere. */
export const eventPath = ({ kind, id, maintenanceId, object, objectId }: MetricEvent): string | null => {
  if (kind === 'incident') return `/dashboard/live-view/incident/${id}`
  if (kind === 'maintenance') return maintenanceId === null ? null : `/dashboard/live-view/maintenance/${maintenanceId}`
  return object === 'scanner' ? `/scanner/edit/${objectId}` : `/${object}/${objectId}`
}
