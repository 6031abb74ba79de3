import type { MaintenanceLoss, MaintenanceReport, MaintenanceRun } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatDateTime, formatDuration } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { ErrorState, LoadingState } from '../../ui/page.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './maintenance.module.css'
import { ExtendButton } from './maintenance-extend.tsx'
import { runsQuery } from './maintenance-queries.ts'
import own from './maintenance-runs.module.css'
import { spanText } from './maintenance-when.ts'

interface RunsProps {
  readonly id: number
  /** The last one may be opened again. */
  readonly canExtend: boolean
  readonly onChanged: () => void
}

/** Each time that a maintenance took place, the last first, with what it left broken. */
export const Runs = ({ id, canExtend, onChanged }: RunsProps) => {
  const { data, error, refetch } = useQuery(runsQuery(id))
  const writes = useSession().can('incident_write')
  if (data === undefined)
    return error === null ? <LoadingState height={160} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  if (data.length === 0) return <p className={classes.quiet}>{fr.noRun}</p>
  return data.map((run, index) => (
    <article key={run.id} className={own.run}>
      <Run run={run} />
      {index === 0 && canExtend && writes && (
        <div className={own.runActions}>
          <ExtendButton id={id} onChanged={onChanged} />
        </div>
      )}
    </article>
  ))
}

/** Red: something did not come back; green: all is fine; neither while something was bad before and still is. */
const outcome = ({ brokenCount, stillBrokenCount }: MaintenanceReport): string | undefined =>
  brokenCount > 0 ? classes.bad : stillBrokenCount > 0 ? own.neutral : own.good

const Run = ({ run }: { readonly run: MaintenanceRun }) => {
  const { startedAt, endedAt, until, endedBy, hosts, metrics, report } = run
  return (
    <>
      <div className={own.runHead}>
        <strong>{spanText({ from: startedAt, to: endedAt ?? until })}</strong>
        <span className={classes.quiet}>
          {endedAt === null ? fr.running : formatDuration(Date.parse(endedAt) - Date.parse(startedAt))} ·{' '}
          {fr.covered(hosts, metrics)}
          {endedBy !== null && ` · ${fr.endedBy(endedBy)}`}
        </span>
      </div>
      {report === null ? (
        endedAt !== null && <p className={classes.quiet}>{fr.noReport}</p>
      ) : (
        <>
          <p className={outcome(report)}>{fr.report(report.brokenCount, report.stillBrokenCount)}</p>
          <Losses losses={report.broken} count={report.brokenCount} />
          {report.stillBrokenCount > 0 && (
            <details open={report.brokenCount === 0}>
              <summary>{fr.stillBroken(report.stillBrokenCount)}</summary>
              <Losses losses={report.stillBroken} count={report.stillBrokenCount} />
            </details>
          )}
          <p className={classes.quiet}>{fr.backCount(report.back)}</p>
        </>
      )}
    </>
  )
}

const Losses = ({ losses, count }: { readonly losses: readonly MaintenanceLoss[]; readonly count: number }) =>
  losses.length === 0 ? null : (
    <ul className={own.losses}>
      {losses.map(({ metricId, name, severity, since }) => (
        <li key={metricId} className={own.loss}>
          <SeverityBadge severity={severity} />
          <Link to={`/metric/${metricId}`}>{name}</Link>
          <span className={classes.quiet}>
            {fr.since} {formatDateTime(since)}
          </span>
        </li>
      ))}
      {count > losses.length && <li>{fr.others(count - losses.length)}</li>}
    </ul>
  )
