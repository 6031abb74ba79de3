import { Button } from '@mantine/core'
import type { IncidentDetail } from '@narval/contracts'
import { IconArrowsJoin2, IconArrowsSplit2, IconFileUnknown } from '@tabler/icons-react'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { formatDuration } from '../../lib/format.ts'
import { ApiError } from '../../lib/http.ts'
import { useHubState } from '../../lib/hub.ts'
import { failsSince, spanWords } from '../../lib/incident-time.ts'
import { useSession } from '../../lib/session.ts'
import { CommentPanel } from '../../ui/comment-panel.tsx'
import { DeliveryList } from '../../ui/delivery-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { Actions } from './actions.tsx'
import { Chain } from './chain.tsx'
import { incidentPath } from './chain-view.ts'
import { Effects } from './effects.tsx'
import { fr } from './fr.ts'
import { IncidentChart } from './incident-chart.tsx'
import classes from './incident-page.module.css'
import { useIncidentChanged, useLiveIncident } from './incident-queries.ts'
import { Merged, useSeparate } from './merged.tsx'
import { Opinion, Situation } from './situation.tsx'
import { Timeline } from './timeline.tsx'

const LOADING_PX = 900

/** /dashboard/live-view/incident/:id: what is wrong, why, since when, what it takes along, and who does what about it. */
export const IncidentPage = () => {
  const id = useIdParam()
  return id === null ? <NotFound /> : <Incident key={id} id={id} />
}

const NotFound = () => (
  <Card>
    <EmptyState
      title={fr.notFoundTitle}
      icon={<IconFileUnknown size={28} stroke={1.6} />}
      action={
        <Button component={Link} variant="default" to="/dashboard/live-view/incident">
          {fr.toList}
        </Button>
      }
    >
      {fr.notFoundText}
    </EmptyState>
  </Card>
)

const Incident = ({ id }: { readonly id: number }) => {
  const { data, error, refetch, dataUpdatedAt, isError } = useLiveIncident(id)
  const changed = useIncidentChanged(id)
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  if (data === undefined)
    return error === null ? (
      <LoadingState height={LOADING_PX} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  const { incident, chain, timeline, merged, effects } = data
  const over = incident.closedAt !== null
  return (
    <>
      <Head detail={data} onChanged={changed} />
      <div className={classes.notices}>
        <MergedInto detail={data} onChanged={changed} />
      </div>
      <div className={classes.columns}>
        <div className={classes.main}>
          <Chain incident={incident} chain={chain} />
          {incident.opinion !== null && <Opinion opinion={incident.opinion} />}
          <IncidentChart incident={incident} />
          <Timeline events={timeline} />
        </div>
        <aside className={classes.side}>
          <Situation
            incident={incident}
            since={failsSince(incident, timeline)}
            age={<Age at={dataUpdatedAt} failed={isError} />}
          />
          <Effects effects={effects} over={over} />
          <Merged merged={merged} onChanged={changed} />
          <CommentPanel kind="incident" id={id} />
          <Card title={fr.deliveries}>
            <DeliveryList incidentId={id} />
          </Card>
        </aside>
      </div>
    </>
  )
}

interface PartProps {
  readonly detail: IncidentDetail
  readonly onChanged: () => void
}

const Head = ({ detail: { incident, timeline }, onChanged }: PartProps) => {
  const over = incident.closedAt !== null
  return (
    <PageHeader
      title={incident.title}
      lead={<SeverityIcon severity={over ? 'ok' : incident.severity} size={22} />}
      meta={
        <>
          <SeverityBadge severity={over ? 'ok' : incident.severity} plain>
            {over ? fr.closed : common.severity[incident.severity]}
          </SeverityBadge>
          {incident.closedAt === null ? ' ' : ', '}
          {incident.closedAt === null ? (
            <>
              depuis <Since at={failsSince(incident, timeline)} />
            </>
          ) : incident.reopened > 0 ? (
            spanWords(incident)
          ) : (
            fr.lasted(formatDuration(Date.parse(incident.closedAt) - Date.parse(incident.openedAt)))
          )}
          {incident.hostId !== null && (
            <>
              {' '}
              · <Link to={`/host/${incident.hostId}`}>{incident.hostName}</Link>
            </>
          )}
          {incident.siteId !== null && (
            <>
              {' '}
              · <Link to={`/site/${incident.siteId}`}>{incident.siteName}</Link>
            </>
          )}
          {incident.owner !== null
            ? ` · ${fr.ownedBy(incident.owner)}`
            : incident.acknowledgedBy !== null && ` · ${fr.isAcknowledgedBy(incident.acknowledgedBy)}`}
        </>
      }
      actions={!over && <Actions incident={incident} onChanged={onChanged} />}
    />
  )
}

const MergedInto = ({ detail: { incident }, onChanged }: PartProps) => {
  const acts = useSession().can('incident_write')
  const separation = useSeparate(onChanged)
  if (incident.parentId === null) return null
  return (
    <Notice tone="neutral" icon={<IconArrowsJoin2 size={18} />} title={fr.mergedInto}>
      <div className={classes.noticeLine}>
        <span>{fr.mergedIntoText}</span>
        <Link to={incidentPath(incident.parentId)}>{fr.openParent}</Link>
        {acts && incident.closedAt === null && (
          <Button
            variant="default"
            size="compact-sm"
            loading={separation.isPending}
            leftSection={<IconArrowsSplit2 size={15} />}
            onClick={() => separation.mutate(incident)}
          >
            {fr.separate}
          </Button>
        )}
      </div>
    </Notice>
  )
}

/** How old what is shown is; said otherwise once the stream has stopped. */
const Age = ({ at, failed }: { readonly at: number; readonly failed: boolean }) => {
  const hub = useHubState('metric')
  const off = failed || hub === 'Reconnecting' || hub === 'Disconnected'
  return (
    <p className={classes.age} data-off={off || undefined}>
      <span className={classes.dot} aria-hidden="true" />
      <span>
        {off ? fr.ageInterrupted : fr.age} <Ago at={new Date(at).toISOString()} />
      </span>
    </p>
  )
}
