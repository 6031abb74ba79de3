import type { ApproveReply } from '@narval/contracts'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Notice } from '../../ui/notice.tsx'
import classes from './discovery.module.css'
import { fr } from './fr.ts'

const { approve: words } = fr

/** What would be made, or was: host by host, with what is not and why. */
export const ApprovePlan = ({ reply, isDone }: { readonly reply: ApproveReply; readonly isDone: boolean }) => {
  const { created, refused } = reply
  return (
    <>
      {isDone ? (
        <Notice tone="neutral" icon={<IconCheck size={18} />} title={words.done(created.length)}>
          <p>{words.doneHelp}</p>
        </Notice>
      ) : (
        <p className={classes.planTitle}>{created.length === 0 ? words.nothing : words.planTitle(created.length)}</p>
      )}
      {created.length > 0 && (
        <ul className={classes.plan}>
          {created.map(host => (
            <li key={host.findingId}>
              <span className={classes.planName}>
                {host.hostId === null ? (
                  <strong>{host.name}</strong>
                ) : (
                  <Link to={`/host/${host.hostId}`}>{host.name}</Link>
                )}
                <span className={classes.address}>{host.address}</span>
              </span>
              <span className={classes.planDetail}>{detailOf(host)}</span>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <Notice tone="warning" icon={<IconAlertTriangle size={18} />} title={words.refusedTitle(refused.length)}>
          <ul className={classes.refusals}>
            {refused.map(({ findingId, address, error }) => (
              <li key={findingId}>
                <strong>{address}</strong> {error}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

const detailOf = (host: ApproveReply['created'][number]): string =>
  [
    host.siteName,
    ...(host.typeName === null ? [] : [host.typeName]),
    ...host.monitoringModels,
    words.scanners(host.scanners),
    ...(host.parents.length === 0 ? [] : [words.behind(host.parents)]),
    ...(host.wantedName === null ? [] : [words.numbered(host.wantedName)]),
  ].join(' · ')
