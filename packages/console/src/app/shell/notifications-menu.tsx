import type { Notification } from '@narval/contracts'
import { SEVERITIES, totalCounts } from '@narval/engine'
import { IconBell } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { formatNumber } from '../../lib/format.ts'
import { useMarkRead, useNotificationList } from '../../lib/notification-queries.ts'
import { internalLink } from '../../lib/safe-link.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './dropdown.module.css'
import { Dropdown } from './dropdown.tsx'

const NO_UNREAD = { error: 0, warning: 0, unknown: 0, ok: 0 }
const NEWEST = 12

/** The notifications dropdown: unread ones by severity, the newest as links; opening it marks them as read. */
export const NotificationsMenu = () => {
  const { data } = useNotificationList()
  const markRead = useMarkRead()
  const unread = data?.unread ?? NO_UNREAD
  const total = totalCounts(unread)
  const open = (): void => {
    if (data !== undefined && total > 0) markRead.mutate(data.latest)
  }
  return (
    <Dropdown
      label={fr.shell.notifications}
      icon={<IconBell size={20} stroke={1.7} />}
      count={total}
      countText={fr.shell.unread(total)}
      maxWidth={420}
      onOpen={open}
    >
      {close => (
        <>
          <Counters unread={unread} />
          <Newest items={data?.notifications.slice(0, NEWEST) ?? []} close={close} />
          <Link className={classes.footer} to="/notifications" onClick={close}>
            {fr.shell.allNotifications}
          </Link>
        </>
      )}
    </Dropdown>
  )
}

const Counters = ({ unread }: { readonly unread: typeof NO_UNREAD }) => (
  <dl className={classes.counters}>
    {SEVERITIES.map(severity => (
      <div key={severity} className={classes.counter}>
        <dt>
          <SeverityIcon severity={severity} size={14} />
          {fr.severity[severity]}
        </dt>
        <dd>{formatNumber(unread[severity], 0)}</dd>
      </div>
    ))}
  </dl>
)

const Newest = ({ items, close }: { readonly items: readonly Notification[]; readonly close: () => void }) => {
  if (items.length === 0) return <p className={classes.empty}>{fr.shell.noNotifications}</p>
  return (
    <ul className={classes.list}>
      {items.map(item => (
        <li key={item.id}>
          <Place link={internalLink(item.link)} read={item.read} close={close}>
            <SeverityIcon severity={item.severity} label={fr.severity[item.severity]} />
            <span className={classes.itemTitle}>{item.title}</span>
            <span className={classes.itemTime}>
              <Ago at={item.at} />
            </span>
            <span className={classes.itemText} title={item.message}>
              {item.message}
            </span>
          </Place>
        </li>
      ))}
    </ul>
  )
}

interface PlaceProps {
  readonly link: string | null
  readonly read: boolean
  readonly close: () => void
  readonly children: ReactNode
}

const Place = ({ link, read, close, children }: PlaceProps) =>
  link === null ? (
    <div className={classes.item} data-read={read || undefined}>
      {children}
    </div>
  ) : (
    <Link className={classes.item} data-read={read || undefined} to={link} onClick={close}>
      {children}
    </Link>
  )
