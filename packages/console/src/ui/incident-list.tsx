import { type Incident, incidentRoutes } from '@narval/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { formatDateTime, formatDuration } from '../lib/format.ts'
import classes from './incident-list.module.css'
import { ErrorState } from './page.tsx'
import { SeverityIcon } from './severity.tsx'
import { Since } from './time.tsx'

interface IncidentListProps {
  readonly hostId: number
  /** Only those of this metric. */
  readonly metricId?: number
}
export const incidentKey = (hostId: number) => ['incidents', hostId] as const
export const incidentsQuery = (hostId: number) =>
  queryOptions({
    queryKey: incidentKey(hostId),
    queryFn: ({ signal }) => call(incidentRoutes.list, { query: { host: String(hostId) }, signal }),
  })

/** Incidents of a host or of one of its metrics, the newest first. */
export const IncidentList = ({ hostId, metricId }: IncidentListProps) => {
  const { data, error, refetch } = useQuery(incidentsQuery(hostId))
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  const shown = (data ?? []).filter(incident => metricId === undefined || incident.metricId === metricId)
  if (data !== undefined && shown.length === 0) return <p className={classes.none}>Aucun incident.</p>
  return (
    <ul className={classes.list}>
      {shown.slice(0, 20).map(incident => (
        <IncidentLine key={incident.id} incident={incident} />
      ))}
    </ul>
  )
}

const IncidentLine = ({ incident }: { readonly incident: Incident }) => (
  <li className={classes.line} data-open={incident.closedAt === null || undefined}>
    <SeverityIcon
      severity={incident.closedAt === null ? incident.severity : 'ok'}
      label={incident.closedAt === null ? 'En cours' : 'Terminé'}
    />
    <div>
      <div className={classes.name}>{incident.metricName}</div>
      <div className={classes.detail}>
        {formatDateTime(incident.openedAt)} ·{' '}
        {incident.closedAt === null ? (
          <>
            depuis <Since at={incident.openedAt} />
          </>
        ) : (
          `a duré ${formatDuration(Date.parse(incident.closedAt) - Date.parse(incident.openedAt))}`
        )}
      </div>
      <div className={classes.detail}>{incident.information}</div>
      {incident.opinion !== null && <OpinionLine opinion={incident.opinion} />}
      {incident.acknowledgedBy !== null && (
        <div className={classes.detail}>
          Acquitté par {incident.acknowledgedBy} : « {incident.acknowledgedComment} »
        </div>
      )}
    </div>
  </li>
)

const OpinionLine = ({ opinion }: { readonly opinion: NonNullable<Incident['opinion']> }) => (
  <div className={classes.detail}>
    Second avis de {opinion.probeName}, {formatDateTime(opinion.at)}
    {'\u202f'}: {opinion.verdict === 'answers' ? 'l’équipement lui répond' : `échec aussi — ${opinion.message}`}
  </div>
)
