import type { IncidentEvent, IncidentEventKind } from '@narval/contracts'

/** Groups of events that a reader picks among, in the order of the control. */
export const TIMELINE_GROUPS = ['all', 'state', 'people', 'sent', 'effects'] as const
export type TimelineGroup = (typeof TIMELINE_GROUPS)[number]

const GROUP_OF: Readonly<Record<IncidentEventKind, Exclude<TimelineGroup, 'all'>>> = {
  opened: 'state',
  worsened: 'state',
  eased: 'state',
  reopened: 'state',
  closed: 'state',
  'flapping-started': 'state',
  'flapping-ended': 'state',
  merged: 'effects',
  separated: 'effects',
  unreachable: 'effects',
  reachable: 'effects',
  opinion: 'effects',
  acknowledged: 'people',
  unacknowledged: 'people',
  'acknowledgement-expired': 'people',
  'acknowledgement-cleared': 'people',
  owned: 'people',
  'maintenance-started': 'people',
  'maintenance-ended': 'people',
  notified: 'sent',
  'notification-failed': 'sent',
}

/** Of a long story the beginning and the last events are shown. */
const HEAD = 3
const TAIL = 25

export interface TimelineView {
  readonly head: readonly IncidentEvent[]
  /** Between both, left out until they are asked for. */
  readonly hidden: number
  readonly tail: readonly IncidentEvent[]
  /** Groups that have at least one event, `all` first. */
  readonly groups: readonly TimelineGroup[]
}

/** Events of a group, oldest first; of many the first and the last, unless `whole`. */
export const timelineView = (events: readonly IncidentEvent[], group: TimelineGroup, whole: boolean): TimelineView => {
  const present = new Set(events.map(event => GROUP_OF[event.kind]))
  const groups = TIMELINE_GROUPS.filter(one => one === 'all' || present.has(one))
  const chosen = events.filter(event => group === 'all' || GROUP_OF[event.kind] === group)
  if (whole || chosen.length <= HEAD + TAIL) return { head: chosen, hidden: 0, tail: [], groups }
  return { head: chosen.slice(0, HEAD), hidden: chosen.length - HEAD - TAIL, tail: chosen.slice(-TAIL), groups }
}
