import { Button, SegmentedControl } from '@mantine/core'
import type { IncidentEvent, IncidentEventKind } from '@narval/contracts'
import {
  IconArrowsJoin2,
  IconArrowsSplit2,
  IconBell,
  IconBellX,
  IconCircleDot,
  IconClockOff,
  IconPlugConnected,
  IconPlugConnectedX,
  IconTool,
  IconUserCheck,
  IconUsers,
  IconUserX,
  IconWaveSine,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './timeline.module.css'
import { showsSeverity, TIMELINE_GROUPS, type TimelineGroup, timelineView } from './timeline-view.ts'

const icon = (Icon: typeof IconBell): ReactNode => <Icon size={16} stroke={1.7} />
const ICONS: Readonly<Record<IncidentEventKind, ReactNode>> = {
  opened: icon(IconCircleDot),
  worsened: icon(IconCircleDot),
  eased: icon(IconCircleDot),
  reopened: icon(IconCircleDot),
  closed: icon(IconCircleDot),
  merged: icon(IconArrowsJoin2),
  separated: icon(IconArrowsSplit2),
  'flapping-started': icon(IconWaveSine),
  'flapping-ended': icon(IconWaveSine),
  unreachable: icon(IconPlugConnectedX),
  reachable: icon(IconPlugConnected),
  opinion: icon(IconUsers),
  acknowledged: icon(IconUserCheck),
  unacknowledged: icon(IconUserX),
  'acknowledgement-expired': icon(IconClockOff),
  'acknowledgement-cleared': icon(IconUserX),
  owned: icon(IconUserCheck),
  'maintenance-started': icon(IconTool),
  'maintenance-ended': icon(IconTool),
  notified: icon(IconBell),
  'notification-failed': icon(IconBellX),
}

/** What happened to an incident, oldest first: what comes is added below, nothing that is read moves. */
export const Timeline = ({ events }: { readonly events: readonly IncidentEvent[] }) => {
  const [group, setGroup] = useState<TimelineGroup>('all')
  const [whole, setWhole] = useState(false)
  const { head, hidden, tail, groups } = timelineView(events, group, whole)
  return (
    <Card title={fr.timeline}>
      {groups.length > 2 && (
        <SegmentedControl
          className={classes.filter ?? ''}
          size="xs"
          aria-label={fr.timelineFilter}
          value={group}
          onChange={value => {
            setWhole(false)
            setGroup(TIMELINE_GROUPS.find(one => one === value) ?? 'all')
          }}
          data={groups.map(value => ({ value, label: fr.groups[value] }))}
        />
      )}
      {head.length === 0 && <p className={classes.none}>{fr.timelineNone}</p>}
      <ol className={classes.list} aria-label={fr.timeline}>
        {head.map(event => (
          <Line key={event.id} event={event} />
        ))}
        {hidden > 0 && (
          <li className={classes.more}>
            <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
              {fr.timelineHidden(hidden)}
            </Button>
          </li>
        )}
        {tail.map(event => (
          <Line key={event.id} event={event} />
        ))}
      </ol>
    </Card>
  )
}

const Line = ({ event }: { readonly event: IncidentEvent }) => (
  <li className={classes.line} data-failed={event.kind === 'notification-failed' || undefined}>
    <span className={classes.icon} aria-hidden="true">
      {event.severity !== null && showsSeverity(event) ? (
        <SeverityIcon severity={event.severity} size={17} />
      ) : (
        ICONS[event.kind]
      )}
    </span>
    <div className={classes.text}>
      <div>
        <strong>{fr.events[event.kind]}</strong>
        {event.actor !== null && <span className={classes.detail}> {fr.by(event.actor)}</span>}
      </div>
      {event.text !== '' && <div className={classes.detail}>{event.text}</div>}
    </div>
    <span className={classes.time}>
      <span>{formatDateTime(event.at)}</span>
      <Ago at={event.at} />
    </span>
  </li>
)
