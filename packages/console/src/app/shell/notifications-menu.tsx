import { notifications } from '@mantine/notifications'
import type { Notification } from '@narval/contracts'
import { NO_COUNTS, SEVERITIES, type SeverityCounts, sumCounts, totalCounts } from '@narval/engine'
import { IconBell } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { formatNumber } from '../../lib/format.ts'
import { onePerIncident } from '../../lib/incident-link.ts'
import { useMarkRead, useNotificationList } from '../../lib/notification-queries.ts'
import { internalLink } from '../../lib/safe-link.ts'
import { AlertSign } from '../../ui/alert-sign.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './dropdown.module.css'
import { Dropdown } from './dropdown.tsx'

const NEWEST = 12

/** What was unread when the panel was opened: opening reads it all, and the reader still wants to see which it was. */
interface Opened {
  readonly unread: SeverityCounts
  readonly ids: ReadonlySet<number>
}
const NOTHING_OPENED: Opened = { unread: NO_COUNTS, ids: new Set() }

/** The notifications dropdown: unread ones by severity, the newest as links; opening it marks them as read. */
export const NotificationsMenu = () => {
  const { data } = useNotificationList()
  const markRead = useMarkRead()
  const [opened, setOpened] = useState(NOTHING_OPENED)
  const unread = data?.unread ?? NO_COUNTS
  const total = totalCounts(unread)
  const items = onePerIncident(data?.notifications ?? []).slice(0, NEWEST)
  const open = (): void => {
    // The toasts are about what the panel shows.
    notifications.clean()
    setOpened({ unread, ids: new Set(items.filter(item => !item.read).map(item => item.id)) })
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
          <Counters unread={markRead.isPending ? opened.unread : sumCounts(opened.unread, unread)} />
          <Newest items={items.map(item => ({ ...item, read: item.read && !opened.ids.has(item.id) }))} close={close} />
          <Link className={classes.footer} to="/notifications" onClick={close}>
            {fr.shell.allNotifications}
          </Link>
        </>
      )}
    </Dropdown>
  )
}

const Counters = ({ unread }: { readonly unread: SeverityCounts }) => (
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
            <AlertSign type={item.type} severity={item.severity} label={fr.severity[item.severity]} />
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
