import type { CHAIN_KINDS, ChainLink, Incident } from '@narval/contracts'
import {
  IconActivity,
  IconChevronRight,
  IconCornerDownRight,
  IconPlugConnected,
  IconRadar2,
  IconServer,
  IconTarget,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatDateTime } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { Card } from '../../ui/page.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import classes from './chain.module.css'
import { type ChainStep, causeElsewhere, chainSteps, nameOf } from './chain-view.ts'
import { fr } from './fr.ts'

const ICONS: Readonly<Record<(typeof CHAIN_KINDS)[number], ReactNode>> = {
  probe: <IconRadar2 size={17} stroke={1.7} />,
  link: <IconPlugConnected size={17} stroke={1.7} />,
  host: <IconServer size={17} stroke={1.7} />,
  metric: <IconActivity size={17} stroke={1.7} />,
}

interface ChainProps {
  readonly incident: Incident
  readonly chain: readonly ChainLink[]
}

/** « Pourquoi est-ce rouge ? »: the way from the probe to what is wrong, each link with what shows its state. */
export const Chain = ({ incident, chain }: ChainProps) => {
  const seesProbes = useSession().can('probe_write')
  const over = incident.closedAt !== null
  const cause = causeElsewhere(chain)
  return (
    <Card title={(over ? fr.whyWas : fr.why)[over ? incident.worst : incident.severity]}>
      <p className={classes.lead}>
        {cause === null ? fr.chainHelp : <strong>{fr.causeIs(nameOf(cause), cause.state.toLowerCase())}</strong>}
      </p>
      {chain.length === 0 ? (
        <p className={classes.lead}>{fr.chainEmpty}</p>
      ) : (
        <ol className={classes.chain}>
          {chainSteps(chain, { incidentId: incident.id, seesProbes }).map(step => (
            <Step key={`${step.link.kind}-${step.link.id}`} step={step} over={over} />
          ))}
        </ol>
      )}
    </Card>
  )
}

const Step = ({ step, over }: { readonly step: ChainStep; readonly over: boolean }) => {
  const { link, role, to, incidentTo } = step
  return (
    <li className={classes.step} data-role={role} data-severity={link.severity}>
      <span className={classes.node} aria-hidden="true">
        {ICONS[link.kind]}
      </span>
      <div className={classes.body}>
        <div className={classes.line}>
          <span className={classes.kind}>{fr.chainKinds[link.kind]}</span>
          <span className={classes.name}>{to === null ? link.name : <Link to={to}>{link.name}</Link>}</span>
          <SeverityBadge severity={link.severity}>{link.state}</SeverityBadge>
          {link.since !== null && link.severity !== 'ok' && (
            <span className={classes.since}>
              {over ? (
                fr.from(formatDateTime(link.since))
              ) : (
                <>
                  depuis <Since at={link.since} />
                </>
              )}
            </span>
          )}
          <RoleMark role={role} />
        </div>
        {link.evidence !== '' && (
          <p className={classes.evidence}>
            {link.at === null ? link.evidence : link.evidence.replace(/\.$/, '')}
            {link.at !== null && (
              <span className={classes.at}>
                {' '}
                · {fr.seenAt} <Ago at={link.at} />
              </span>
            )}
          </p>
        )}
        {incidentTo !== null && (
          <Link className={classes.own} to={incidentTo}>
            {fr.ownIncident}
            <IconChevronRight size={14} aria-hidden="true" />
          </Link>
        )}
      </div>
    </li>
  )
}

/** Where it begins and what follows from it, in words: the line beside says it by its look only. */
const RoleMark = ({ role }: { readonly role: ChainStep['role'] }) => {
  if (role === 'cause')
    return (
      <span className={classes.mark} data-role="cause">
        <IconTarget size={14} aria-hidden="true" />
        {fr.cause}
      </span>
    )
  if (role === 'consequence')
    return (
      <span className={classes.mark}>
        <IconCornerDownRight size={14} aria-hidden="true" />
        {fr.consequence}
      </span>
    )
  return null
}
