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

/** Lines of hosts that fall or come back are one line when they follow each other so closely, counted from the first. */
const JOIN_MS = 120_000
const HOSTS_LINE = /^(\d+) équipements? (.+?)s?\u202f: (.+)\.$/

/** « 2 équipements injoignables : a, b. » and « 1 équipement injoignable : c. » as one sentence; others one after the other. */
const joinedText = (first: string, second: string): string => {
  const [one, other] = [HOSTS_LINE.exec(first), HOSTS_LINE.exec(second)]
  if (one === null || other === null) return [first, second].filter(Boolean).join(' ')
  const [, count = '', words = '', names = ''] = one
  // « et 8 de plus » ends a list: another one stands apart from it.
  const apart = names.endsWith(' de plus') ? '\u202f; ' : ', '
  return `${Number(count) + Number(other[1])} équipements ${words}s\u202f: ${names}${apart}${other[3]}.`
}

const joined = (events: readonly IncidentEvent[]): readonly IncidentEvent[] => {
  const lines: IncidentEvent[] = []
  for (const event of events) {
    const last = lines.at(-1)
    const isHosts = event.kind === 'reachable' || event.kind === 'unreachable'
    if (
      last !== undefined &&
      isHosts &&
      last.kind === event.kind &&
      Date.parse(event.at) - Date.parse(last.at) <= JOIN_MS
    )
      lines[lines.length - 1] = { ...last, text: joinedText(last.text, event.text) }
    else lines.push(event)
  }
  return lines
}

/** The severity is the icon of what changes the state; what people do has its own, however bad the state was. */
export const showsSeverity = ({ kind, severity }: IncidentEvent): boolean =>
  severity !== null && GROUP_OF[kind] !== 'people'

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
  const chosen = joined(events.filter(event => group === 'all' || GROUP_OF[event.kind] === group))
  if (whole || chosen.length <= HEAD + TAIL) return { head: chosen, hidden: 0, tail: [], groups }
  return { head: chosen.slice(0, HEAD), hidden: chosen.length - HEAD - TAIL, tail: chosen.slice(-TAIL), groups }
}
