import type { Incident, SecondOpinion } from '@narval/contracts'
import { IconTool, IconUserOff, IconWaveSine } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatDateTime, formatDuration } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { Card } from '../../ui/page.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './incident-page.module.css'

interface SituationProps {
  readonly incident: Incident
  readonly age: ReactNode
}

/** Since when, how bad it was, who has it: what one must know before acting. */
export const Situation = ({ incident, age }: SituationProps) => {
  const seesProbes = useSession().can('probe_write')
  return (
    <Card title={fr.situation} aside={age}>
      <div className={classes.badges}>
        {incident.flapping && (
          <span className={classes.badge} title={fr.flappingHelp}>
            <IconWaveSine size={15} aria-hidden="true" />
            {fr.flapping}
          </span>
        )}
        {incident.inMaintenance && (
          <span className={classes.badge} title={fr.inMaintenanceHelp}>
            <IconTool size={15} aria-hidden="true" />
            {fr.inMaintenance}
          </span>
        )}
      </div>
      <Facts facts={factsOf(incident, seesProbes)} />
    </Card>
  )
}

const factsOf = (incident: Incident, seesProbes: boolean): Fact[] => {
  const { facts: words } = fr
  const { openedAt, closedAt } = incident
  return [
    { label: words.opened, value: formatDateTime(openedAt) },
    closedAt === null
      ? { label: words.lasts, value: <Since at={incident.failsSince} /> }
      : {
          label: words.lasted,
          // It was fine in between: its ends and its reopenings say it.
          value: incident.reopened > 0 ? null : formatDuration(Date.parse(closedAt) - Date.parse(openedAt)),
        },
    { label: words.closed, value: closedAt === null ? null : formatDateTime(closedAt) },
    { label: words.information, value: incident.information },
    {
      label: words.worst,
      value: incident.worst === incident.severity ? null : <SeverityBadge severity={incident.worst} />,
    },
    { label: words.reopened, value: incident.reopened === 0 ? null : fr.reopened(incident.reopened) },
    { label: words.owner, value: incident.ownerLost ? <LostOwner who={incident.owner ?? ''} /> : incident.owner },
    {
      label: words.acknowledged,
      value: incident.acknowledgedBy === null ? null : <Acknowledged incident={incident} />,
    },
    {
      label: words.metric,
      value: incident.metricId === null ? null : <Link to={`/metric/${incident.metricId}`}>{incident.metricName}</Link>,
    },
    {
      label: words.probe,
      value:
        incident.probeId === null ? null : seesProbes ? (
          <Link to={`/probe/edit/${incident.probeId}`}>{incident.probeName}</Link>
        ) : (
          incident.probeName
        ),
    },
  ]
}

const LostOwner = ({ who }: { readonly who: string }) => (
  <>
    {who}{' '}
    <span className={classes.badge}>
      <IconUserOff size={15} aria-hidden="true" />
      {fr.ownerLost}
    </span>
  </>
)

const Acknowledged = ({ incident }: { readonly incident: Incident }) => {
  const { acknowledgedBy, acknowledgedAt, acknowledgedUntil, acknowledgedComment, acknowledgedSticky } = incident
  return (
    <>
      {fr.acknowledgedBy(acknowledgedBy ?? '')} <Ago at={acknowledgedAt} />
      {acknowledgedComment !== null && <span className={classes.quote}>{`«\u202f${acknowledgedComment}\u202f»`}</span>}
      <span className={classes.detail}>
        {[
          acknowledgedUntil === null ? '' : fr.acknowledgedUntil(formatDateTime(acknowledgedUntil)),
          acknowledgedSticky ? fr.acknowledgedSticky : '',
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
    </>
  )
}

/** What another probe found when the host failed, and what follows from it. */
export const Opinion = ({ opinion }: { readonly opinion: SecondOpinion }) => (
  <Card title={fr.opinionTitle}>
    <ul className={classes.effects}>
      <li>
        <SeverityIcon severity={opinion.verdict === 'answers' ? 'ok' : 'error'} />
        <span>
          {opinion.verdict === 'answers' ? fr.opinionAnswers(opinion.probeName) : fr.opinionFails(opinion.probeName)}
          <span className={classes.quote}>
            <span className={classes.detail}>
              {opinion.message !== '' && `${opinion.message} · `}
              <Ago at={opinion.at} />
            </span>
          </span>
        </span>
      </li>
    </ul>
  </Card>
)
