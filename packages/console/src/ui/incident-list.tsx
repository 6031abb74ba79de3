import { GLOBAL_STREAM, type Incident, incidentRoutes } from '@narval/contracts'
import { IconArrowsJoin2, IconPlugConnectedX, IconTool, IconWaveSine } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../lib/api.ts'
import { formatCount, formatDateTime, formatDuration } from '../lib/format.ts'
import { useHubEvent } from '../lib/hub.ts'
import { reopenedShort } from '../lib/incident-time.ts'
import { FailsSince } from './incident-age.tsx'
import classes from './incident-list.module.css'
import { ErrorState } from './page.tsx'
import { SeverityIcon } from './severity.tsx'
import { useAskAgain } from './use-ask-again.ts'

type IncidentListProps =
  | {
      readonly hostId: number
      /** Only those of this metric. */
      readonly metricId?: number
    }
  | { readonly probeId: number }

export const incidentKey = (hostId: number) => ['incidents', hostId] as const
const listQuery = (
  of: readonly (string | number)[],
  query: { readonly host?: string; readonly metric?: string; readonly probe?: string },
) =>
  queryOptions({
    queryKey: ['incidents', ...of],
    queryFn: ({ signal }) => call(incidentRoutes.list, { query, signal }),
  })
export const incidentsQuery = (hostId: number) => listQuery([hostId], { host: String(hostId) })

const queryOf = (props: IncidentListProps) => {
  if ('probeId' in props) return listQuery(['probe', props.probeId], { probe: String(props.probeId) })
  const { hostId, metricId } = props
  return metricId === undefined ? incidentsQuery(hostId) : listQuery([hostId, metricId], { metric: String(metricId) })
}

const SHOWN = 20

/** Incidents of a host, of one of its metrics or of a probe, the newest first; each opens its own page. */
export const IncidentList = (props: IncidentListProps) => {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(queryOf(props))
  const again = useAskAgain(() => void client.invalidateQueries({ queryKey: queryOf(props).queryKey }))
  useHubEvent('communication', GLOBAL_STREAM, again)
  useHubEvent('metric', GLOBAL_STREAM, ({ incidents = [] }) => {
    if (incidents.length > 0) again()
  })
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data !== undefined && data.length === 0) return <p className={classes.none}>Aucun incident.</p>
  return (
    <>
      <ul className={classes.list}>
        {(data ?? []).slice(0, SHOWN).map(incident => (
          <IncidentLine key={incident.id} incident={incident} />
        ))}
      </ul>
      {(data?.length ?? 0) > SHOWN && 'hostId' in props && (
        <p className={classes.all}>
          <Link to={`/dashboard/live-view/incident?hostId=${props.hostId}&merged=true`}>Voir tous les incidents</Link>
        </p>
      )}
    </>
  )
}

const IncidentLine = ({ incident }: { readonly incident: Incident }) => (
  <li className={classes.line} data-open={incident.closedAt === null || undefined}>
    <SeverityIcon
      severity={incident.closedAt === null ? incident.severity : 'ok'}
      label={incident.closedAt === null ? 'En cours' : 'Terminé'}
    />
    <div>
      <div className={classes.name}>
        <Link to={`/dashboard/live-view/incident/${incident.id}`}>{incident.metricName ?? incident.title}</Link>
      </div>
      <div className={classes.detail}>
        {formatDateTime(incident.openedAt)} ·{' '}
        {incident.closedAt === null ? (
          <FailsSince incident={incident} />
        ) : incident.reopened > 0 ? (
          reopenedShort(incident.reopened)
        ) : (
          `a duré ${formatDuration(Date.parse(incident.closedAt) - Date.parse(incident.openedAt))}`
        )}
      </div>
      <div className={classes.detail}>{incident.information}</div>
      <Signs incident={incident} />
      {incident.opinion !== null && <OpinionLine opinion={incident.opinion} />}
      {incident.acknowledgedBy !== null && (
        <div className={classes.detail}>
          {`Acquitté par ${incident.acknowledgedBy}\u202f: «\u202f${incident.acknowledgedComment ?? ''}\u202f»`}
        </div>
      )}
      {incident.owner !== null && (
        <div className={classes.detail}>
          {incident.ownerLost
            ? `Sans responsable\u202f: ${incident.owner} n’a plus le droit d’agir`
            : `Pris en charge par ${incident.owner}`}
        </div>
      )}
    </div>
  </li>
)

const ICON = { size: 14, stroke: 1.7, 'aria-hidden': true } as const

/** What it takes along and how it behaves, in few words. */
const Signs = ({ incident }: { readonly incident: Incident }) => {
  const { unreachable, merged, flapping, inMaintenance, parentId } = incident
  const signs: readonly (readonly [boolean, ReactNode, string])[] = [
    [unreachable > 0, <IconPlugConnectedX key="u" {...ICON} />, formatCount(unreachable, 'injoignable')],
    [merged > 0, <IconArrowsJoin2 key="m" {...ICON} />, formatCount(merged, 'fusionné')],
    [parentId !== null, <IconArrowsJoin2 key="p" {...ICON} />, 'expliqué par un autre'],
    [flapping, <IconWaveSine key="f" {...ICON} />, 'bagotant'],
    [inMaintenance, <IconTool key="t" {...ICON} />, 'en maintenance'],
  ]
  const shown = signs.filter(([is]) => is)
  if (shown.length === 0) return null
  return (
    <div className={classes.signs}>
      {shown.map(([, icon, text]) => (
        <span key={text}>
          {icon}
          {text}
        </span>
      ))}
    </div>
  )
}

const OpinionLine = ({ opinion }: { readonly opinion: NonNullable<Incident['opinion']> }) => (
  <div className={classes.detail}>
    Second avis de {opinion.probeName}, {formatDateTime(opinion.at)}
    {'\u202f'}: {opinion.verdict === 'answers' ? 'l’équipement lui répond' : `échec aussi — ${opinion.message}`}
  </div>
)
