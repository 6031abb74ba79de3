import type { AvailabilityInterval } from '@narval/contracts'
import { Link } from 'react-router'
import type { TimeReason } from '../../lib/availability.ts'
import { formatDateTime, formatDuration, NOTHING } from '../../lib/format.ts'
import { ReasonMark } from '../../ui/availability-bar.tsx'
import classes from './availability.module.css'
import { fr } from './fr.ts'

/** An interval of equipment or of a metric, as it is shown. */
export interface ShownInterval extends Omit<AvailabilityInterval, 'reason' | 'state'> {
  readonly reason: TimeReason
  /** What the state was, in words; null: there was none yet. */
  readonly state: string | null
}

/** What is neither simply good nor out of the question: what one looks for. */
export const isEvent = ({ reason }: ShownInterval): boolean =>
  reason !== 'available' && reason !== 'ok' && reason !== 'out-of-service'

interface IntervalTableProps {
  readonly intervals: readonly ShownInterval[]
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

/** What the state was, and how that is known. */
const State = ({ interval: { state, source } }: { readonly interval: ShownInterval }) => {
  if (state === null) return NOTHING
  return (
    <>
      {state}
      {fr.sources[source] !== '' && <span className={classes.source}>{fr.sources[source]}</span>}
    </>
  )
}

const Links = ({ interval: { incident, maintenances } }: { readonly interval: ShownInterval }) => (
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
