import { Popover, UnstyledButton } from '@mantine/core'
import { historyRoutes, type MetricEvent } from '@narval/contracts'
import { IconMessage, IconSettings, IconTool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { chart as words } from '../../i18n/chart.ts'
import { call } from '../../lib/api.ts'
import type { View } from '../../lib/chart-range.ts'
import { NNBSP } from '../../lib/format.ts'
import { SeverityIcon } from '../severity.tsx'
import classes from './chart.module.css'
import { bundled, type EventBundle, eventKey, eventPath, whenText } from './events.ts'

const ICON_PX = 15

const EventIcon = ({ event }: { readonly event: MetricEvent }) => {
  if (event.kind === 'incident') return <SeverityIcon severity={event.severity ?? 'unknown'} size={ICON_PX} />
  const Icon = event.kind === 'maintenance' ? IconTool : event.kind === 'comment' ? IconMessage : IconSettings
  return <Icon size={ICON_PX} aria-hidden="true" />
}

const titleOf = ({ kind, object, objectName, author }: MetricEvent): string =>
  [
    words.kinds[kind],
    `${words.objects[object]} ${objectName}`,
    kind === 'change' && author !== null && words.by(author),
  ]
    .filter(Boolean)
    .join(' ')

interface EventStripProps {
  readonly events: readonly MetricEvent[]
  readonly view: View
  /** Where the curves begin and end, in pixels from the sides. */
  readonly left: number
  readonly right: number
  readonly width: number
}

/** Marks of what happened, above the curves at its time; what stands too near is one mark with its number. */
export const EventStrip = ({ events, view, left, right, width }: EventStripProps) => (
  <div className={classes.strip} style={{ marginLeft: left, marginRight: right }}>
    {bundled(events, view, width).map(bundle => (
      <EventMark key={bundle.key} bundle={bundle} />
    ))}
  </div>
)

const EventMark = ({ bundle: { at, events } }: { readonly bundle: EventBundle }) => {
  const [opened, setOpened] = useState(false)
  const [first] = events
  if (first === undefined) return null
  const label = events.length === 1 ? `${titleOf(first)}, ${whenText(first)}` : words.eventsOf(events.length)
  return (
    <Popover opened={opened} onChange={setOpened} width={340} shadow="md" withArrow trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes.mark}
          style={{ left: `${at * 100}%` }}
          data-kind={first.kind}
          aria-label={label}
          title={label}
          onClick={() => setOpened(!opened)}
        >
          {events.length === 1 ? <EventIcon event={first} /> : <strong>{events.length}</strong>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.popover} aria-label={label}>
        <ul className={classes.events}>
          {events.map(event => (
            <EventItem key={eventKey(event)} event={event} isOpen={opened} />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}

/** An event in words, with the way to it. */
const EventItem = ({ event, isOpen }: { readonly event: MetricEvent; readonly isOpen: boolean }) => {
  const path = eventPath(event)
  return (
    <li className={classes.event}>
      <div className={classes.eventHead}>
        <EventIcon event={event} />
        <span>{titleOf(event)}</span>
      </div>
      <div className={classes.eventWhen}>
        {whenText(event)}
        {event.kind === 'comment' && event.author !== null && ` · ${event.author}`}
      </div>
      {event.text !== '' && <p className={classes.eventText}>{event.text}</p>}
      {event.kind === 'change' && isOpen && <Changed event={event} />}
      {path !== null && <Link to={path}>{words.open[event.kind]}</Link>}
    </li>
  )
}

/** What was changed, as the journal tells it to this reader. */
const Changed = ({ event: { id, object, objectId } }: { readonly event: MetricEvent }) => {
  const { data } = useQuery({
    queryKey: ['history', object, objectId, 'event', id],
    queryFn: ({ signal }) =>
      call(historyRoutes.list, { query: { object, id: String(objectId), before: String(id + 1) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const entry = data?.find(one => one.id === id)
  if (entry === undefined) return null
  // Of a creation all was given: that it was created says more.
  if (entry.action.endsWith('-create')) return <p className={classes.eventText}>{words.created}</p>
  const { changes } = entry
  return changes.length === 0 ? null : (
    <dl className={classes.changes} aria-label={words.what}>
      {changes.map(({ field, label, before, after }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>
            {before || words.nothing} {words.becomes} {after || words.nothing}
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface EventListProps {
  /** Null: they are not known yet. */
  readonly events: readonly MetricEvent[] | null
  readonly isTruncated: boolean
}

/** The same events below the chart, in their order, for who reads them rather than looks for them. */
export const EventList = ({ events, isTruncated }: EventListProps) => {
  const [opened, setOpened] = useState(false)
  if (events === null) return null
  if (events.length === 0) return <p className={classes.note}>{words.noEvents}</p>
  return (
    <details className={classes.details} onToggle={event => setOpened(event.currentTarget.open)}>
      <summary>{`${words.eventsTitle}${NNBSP}: ${words.eventsOf(events.length)}`}</summary>
      {isTruncated && <p className={classes.note}>{words.truncated}</p>}
      <ul className={classes.events}>
        {events.map(event => (
          <EventItem key={eventKey(event)} event={event} isOpen={opened} />
        ))}
      </ul>
    </details>
  )
}
