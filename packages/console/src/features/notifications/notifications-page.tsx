import { Button, SegmentedControl } from '@mantine/core'
import type { Notification } from '@narval/contracts'
import { totalCounts } from '@narval/engine'
import { IconBellCheck, IconChecks } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { useMarkRead, useNotificationList } from '../../lib/notification-queries.ts'
import { internalLink } from '../../lib/safe-link.ts'
import { Card, EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './notifications.module.css'

/** The list that the server gives at once. */
const LIST_MAX = 50

/** /notifications: mine, newest first, live. */
export const NotificationsPage = () => {
  const { data, error, refetch } = useNotificationList()
  const markRead = useMarkRead()
  const [params, setParams] = useSearchParams()
  const unreadOnly = params.get('unread') === 'true'
  const unread = data === undefined ? 0 : totalCounts(data.unread)
  return (
    <>
      <PageHeader
        actions={
          <>
            <SegmentedControl
              aria-label={fr.show}
              value={unreadOnly ? 'unread' : 'all'}
              onChange={value => setParams(value === 'unread' ? { unread: 'true' } : {}, { preventScrollReset: true })}
              data={[
                { value: 'all', label: fr.all },
                { value: 'unread', label: `${fr.unread} (${unread})` },
              ]}
            />
            <Button
              variant="default"
              leftSection={<IconChecks size={16} />}
              disabled={unread === 0}
              loading={markRead.isPending}
              onClick={() => data !== undefined && markRead.mutate(data.latest)}
            >
              {fr.markRead}
            </Button>
          </>
        }
      />
      <Card flush>
        {data !== undefined ? (
          <List items={data.notifications.filter(one => !unreadOnly || !one.read)} unreadOnly={unreadOnly} />
        ) : error === null ? (
          <LoadingState />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </Card>
      {data !== undefined && data.notifications.length >= LIST_MAX && (
        <p className={classes.limit}>{fr.limit(LIST_MAX)}</p>
      )}
    </>
  )
}

const List = ({ items, unreadOnly }: { readonly items: readonly Notification[]; readonly unreadOnly: boolean }) => {
  if (items.length === 0) {
    return (
      <EmptyState title={unreadOnly ? fr.emptyUnread : fr.emptyTitle} icon={<IconBellCheck size={28} stroke={1.6} />}>
        {unreadOnly ? fr.emptyUnreadText : fr.emptyText}
      </EmptyState>
    )
  }
  return (
    <ul className={classes.list}>
      {items.map(item => (
        <Item key={item.id} item={item} />
      ))}
    </ul>
  )
}

const Item = ({ item }: { readonly item: Notification }) => {
  const link = internalLink(item.link)
  return (
    <li className={classes.item} data-severity={item.severity} data-unread={!item.read || undefined}>
      <span className={classes.severity}>
        <SeverityBadge severity={item.severity} />
      </span>
      <span className={classes.text}>
        <span className={classes.title}>
          {link === null ? item.title : <Link to={link}>{item.title}</Link>}
          {!item.read && <span className={classes.dot} role="img" aria-label={fr.isUnread} title={fr.isUnread} />}
        </span>
        <span className={classes.message}>{item.message}</span>
      </span>
      <span className={classes.time}>
        <Ago at={item.at} />
      </span>
    </li>
  )
}
