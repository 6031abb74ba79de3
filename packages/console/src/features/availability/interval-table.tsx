import type { AvailabilityInterval } from '@narval/contracts'
import { Link } from 'react-router'
import { fr as words } from '../../i18n/fr.ts'
import { formatDateTime, formatDuration, NOTHING } from '../../lib/format.ts'
import { ReasonMark } from '../../ui/availability-bar.tsx'
import classes from './availability.module.css'
import { fr } from './fr.ts'

/** What is neither simply good nor out of the question: what one looks for. */
export const isEvent = ({ reason }: AvailabilityInterval): boolean =>
  reason !== 'available' && reason !== 'out-of-service'

interface IntervalTableProps {
  readonly intervals: readonly AvailabilityInterval[]
  /** Of the table; a sheet of paper has its own. */
  readonly className: string | undefined
}

/** Intervals one by one: when, how long, what they count as, and where that comes from. */
export const IntervalTable = ({ intervals, className }: IntervalTableProps) => (
  <table className={className} aria-label={fr.intervals}>
    <thead>
      <tr>
        <th>{fr.interval.reason}</th>
        <th>{fr.interval.from}</th>
        <th>{fr.interval.to}</th>
        <th data-right>{fr.interval.duration}</th>
        <th>{fr.interval.state}</th>
        <th>{fr.interval.link}</th>
      </tr>
    </thead>
    <tbody>
      {intervals.map(interval => (
        <tr key={interval.from} data-interval={interval.reason}>
          <td>
            <ReasonMark reason={interval.reason} />
          </td>
          <td className={classes.when}>{formatDateTime(interval.from)}</td>
          <td className={classes.when}>{formatDateTime(interval.to)}</td>
          <td data-right>{formatDuration(Date.parse(interval.to) - Date.parse(interval.from))}</td>
          <td>
            <State interval={interval} />
          </td>
          <td>
            <Links interval={interval} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** What the host's state was, and how that is known; before it was there it had none. */
const State = ({ interval: { reason, state, source } }: { readonly interval: AvailabilityInterval }) => {
  if (reason === 'not-monitored' && state !== 'disabled') return NOTHING
  return (
    <>
      {words.hostState[state]}
      {fr.sources[source] !== '' && <span className={classes.source}>{fr.sources[source]}</span>}
    </>
  )
}

const Links = ({ interval: { incident, maintenances } }: { readonly interval: AvailabilityInterval }) => (
  <span className={classes.links}>
    {incident !== null && <Link to={`/dashboard/live-view/incident/${incident.id}`}>{incident.title}</Link>}
    {maintenances.map(({ id, comment }, index) =>
      id === null ? (
        <span key={`gone-${index}`}>{comment}</span>
      ) : (
        <Link key={id} to={`/dashboard/live-view/maintenance/${id}`}>
          {comment}
        </Link>
      ),
    )}
  </span>
)
