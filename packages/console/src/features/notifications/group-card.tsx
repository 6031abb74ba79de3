import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { Notification, NotificationGroup } from '@narval/contracts'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { formatDuration } from '../../lib/format.ts'
import { spanWords } from '../../lib/incident-time.ts'
import { useMarkGroupRead } from '../../lib/notification-queries.ts'
import { internalLink } from '../../lib/safe-link.ts'
import { AlertSign } from '../../ui/alert-sign.tsx'
import hiding from '../../ui/hidden.module.css'
import { FailsSince } from '../../ui/incident-age.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './notifications.module.css'

/** Alerts of one incident that are shown before one asks for the others. */
const SHOWN = 4

/** One incident with the alerts that told of it, oldest first; or an alert that belongs to none. */
export const GroupCard = ({ group }: { readonly group: NotificationGroup }) => {
  const newest = group.notifications.at(-1)
  const [whole, setWhole] = useState(false)
  const marking = useMarkGroupRead()
  if (newest === undefined) return null
  const { incident } = group
  const over = incident !== null && incident.closedAt !== null
  const severity = incident === null ? newest.severity : over ? 'ok' : incident.severity
  const shown = whole ? group.notifications : group.notifications.slice(-SHOWN)
  const read = (): void => {
    if (group.unread > 0) marking.mutate(newest.id)
  }
  const link = internalLink(incident === null ? newest.link : `/dashboard/live-view/incident/${incident.id}`)
  return (
    <li
      className={classes.group}
      data-severity={newest.type === 'Info' ? undefined : severity}
      data-unread={group.unread > 0 || undefined}
    >
      <div className={classes.head}>
        <AlertSign type={newest.type} severity={severity} size={18} label={common.severity[severity]} />
        <h2 className={classes.title}>
          {link === null ? (
            newest.title
          ) : (
            <Link to={link} onClick={read}>
              {newest.title}
            </Link>
          )}
          {group.unread > 0 && (
            <span
              className={classes.dot}
              role="img"
              aria-label={fr.unreadOf(group.unread)}
              title={fr.unreadOf(group.unread)}
            />
          )}
        </h2>
        <span className={classes.state}>
          {incident === null ? <Ago at={newest.at} /> : <IncidentState incident={incident} />}
        </span>
        {group.unread > 0 && (
          <Tooltip label={fr.markOne}>
            <ActionIcon
              className={classes.mark}
              variant="subtle"
              size="sm"
              aria-label={fr.markGroup(newest.title)}
              loading={marking.isPending}
              onClick={read}
            >
              <IconCheck size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {incident === null ? (
        newest.message !== '' && <p className={classes.message}>{newest.message}</p>
      ) : (
        <>
          <ol className={classes.alerts} aria-label={fr.alertsOf(newest.title)}>
            {shown.map(alert => (
              <Alert key={alert.id} alert={alert} title={newest.title} />
            ))}
          </ol>
          {shown.length < group.notifications.length && (
            <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
              {fr.showAll(group.notifications.length)}
            </Button>
          )}
          {whole && group.total > group.notifications.length && (
            <p className={classes.message}>{fr.earlier(group.total - group.notifications.length)}</p>
          )}
        </>
      )}
    </li>
  )
}

const spanMs = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

/** It was fine in between where it came back: it lasts since then, and once it is over no one duration is said. */
const IncidentState = ({ incident }: { readonly incident: NonNullable<NotificationGroup['incident']> }) => {
  const { openedAt, closedAt, reopened, siteName, acknowledgedBy } = incident
  const spell =
    closedAt === null
      ? null
      : reopened > 0
        ? spanWords(incident)
        : fr.lasted(formatDuration(spanMs(openedAt, closedAt)))
  return (
    <>
      {spell !== null && `${fr.over}, ${spell}`}
      {spell === null && (
        <>
          {fr.open}, <FailsSince incident={incident} />
        </>
      )}
      {siteName !== null && ` · ${siteName}`}
      {acknowledgedBy !== null && ` · ${fr.acknowledgedBy(acknowledgedBy)}`}
    </>
  )
}

const Alert = ({ alert, title }: { readonly alert: Notification; readonly title: string }) => (
  <li className={classes.alert} data-unread={!alert.read || undefined}>
    <SeverityBadge severity={alert.severity} />
    <span className={classes.text}>
      {alert.title !== title && <span className={classes.own}>{alert.title}</span>}
      {alert.message}
      {!alert.read && <span className={hiding.hidden}> ({fr.isUnread})</span>}
    </span>
    <span className={classes.time}>
      <Ago at={alert.at} />
    </span>
  </li>
)
