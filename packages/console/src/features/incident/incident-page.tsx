import { Button } from '@mantine/core'
import type { IncidentDetail } from '@narval/contracts'
import { IconArrowsJoin2, IconArrowsSplit2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { formatDuration } from '../../lib/format.ts'
import { spanWords } from '../../lib/incident-time.ts'
import { useSession } from '../../lib/session.ts'
import { CommentPanel } from '../../ui/comment-panel.tsx'
import { DeliveryList } from '../../ui/delivery-list.tsx'
import { useFreshness } from '../../ui/freshness.tsx'
import { FailsSince } from '../../ui/incident-age.tsx'
import { Instructions } from '../../ui/instructions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { MissingRecord, RecordView } from '../../ui/record.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { TwoColumns } from '../../ui/two-columns.tsx'
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
  return id === null ? MISSING : <Incident key={id} id={id} />
}

const MISSING = <MissingRecord words={fr} list="/dashboard/live-view/incident" />

const Incident = ({ id }: { readonly id: number }) => {
  const query = useLiveIncident(id)
  const changed = useIncidentChanged(id)
  return (
    <RecordView query={query} height={LOADING_PX} missing={MISSING}>
      {detail => (
        <>
          <Head detail={detail} onChanged={changed} />
          <div className={classes.notices}>
            <Instructions kind="incident" id={id} sheets={detail.instructions} />
            <MergedInto detail={detail} onChanged={changed} />
          </div>
          <TwoColumns
            side={
              <Side detail={detail} onChanged={changed} age={<Age at={query.dataUpdatedAt} failed={query.isError} />} />
            }
          >
            <Chain incident={detail.incident} chain={detail.chain} />
            {detail.incident.opinion !== null && <Opinion opinion={detail.incident.opinion} />}
            <IncidentChart incident={detail.incident} />
            <Timeline events={detail.timeline} />
          </TwoColumns>
        </>
      )}
    </RecordView>
  )
}

interface PartProps {
  readonly detail: IncidentDetail
  readonly onChanged: () => void
}

const Side = ({
  detail: { incident, merged, effects, effectHosts, effectsEver },
  onChanged,
  age,
}: PartProps & { readonly age: ReactNode }) => (
  <>
    <Situation incident={incident} age={age} />
    <Effects
      effects={effects}
      count={effectHosts}
      ever={effectsEver}
      kind={incident.kind}
      over={incident.closedAt !== null}
    />
    <Merged merged={merged} onChanged={onChanged} />
    <CommentPanel kind="incident" id={incident.id} on={incident} />
    <Card title={fr.deliveries}>
      <DeliveryList incidentId={incident.id} />
    </Card>
  </>
)

const Head = ({ detail: { incident }, onChanged }: PartProps) => {
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
            <FailsSince incident={incident} />
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
            ? ` · ${incident.ownerLost ? fr.inNobodysCharge(incident.owner) : fr.ownedBy(incident.owner)}`
            : incident.acknowledgedBy !== null && ` · ${fr.isAcknowledgedBy(incident.acknowledgedBy)}`}
        </>
      }
      actions={!over && <Actions incident={incident} onChanged={onChanged} />}
    />
  )
}

const MergedInto = ({ detail: { incident }, onChanged }: PartProps) => {
  const acts = useSession().canOn(incident, 'incident_write')
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
  const isStale = useFreshness('metric') === 'stale'
  const off = failed || isStale
  return (
    <p className={classes.age} data-off={off || undefined}>
      <span className={classes.dot} aria-hidden="true" />
      <span>
        {off ? fr.ageInterrupted : fr.age} <Ago at={new Date(at).toISOString()} />
      </span>
    </p>
  )
}
