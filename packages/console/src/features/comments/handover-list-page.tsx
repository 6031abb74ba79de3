import { Button } from '@mantine/core'
import type { Handover } from '@narval/contracts'
import { IconFileCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { FreshnessSign } from '../../ui/freshness.tsx'
import { Card, EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { CommentTabs } from './comment-tabs.tsx'
import classes from './log-book.module.css'
import { fr } from './log-book-fr.ts'
import { useHandovers } from './log-book-queries.ts'
import { shiftText } from './shift.ts'

const { note: words } = fr

/** /comments/log-book/handover: what each shift left to the next. */
export const HandoverListPage = () => {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useHandovers()
  const writes = useSession().can('incident_write')
  const all = data?.pages.flat()
  const write = writes && (
    <Button component={Link} to="/comments/log-book/handover/new" leftSection={<IconFileCheck size={16} />}>
      {fr.writeHandover}
    </Button>
  )
  return (
    <>
      <PageHeader meta={<FreshnessSign hub="service" held />} actions={write} />
      <CommentTabs current="handover" />
      <Card flush>
        {all === undefined && error === null && <LoadingState />}
        {all === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {all?.length === 0 && (
          <EmptyState title={words.emptyTitle} icon={<IconFileCheck size={28} stroke={1.6} />}>
            {words.emptyText}
          </EmptyState>
        )}
        {all !== undefined && all.length > 0 && (
          <ul className={classes.lines}>
            {all.map(one => (
              <Row key={one.id} handover={one} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <div className={classes.more}>
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {words.older}
            </Button>
          </div>
        )}
      </Card>
    </>
  )
}

const Row = ({ handover }: { readonly handover: Handover }) => {
  const { id, author, signedAt, readers, sites, mayRead } = handover
  return (
    <li className={classes.row}>
      <Link to={`/comments/log-book/handover/${id}`} className={classes.rowTitle}>
        {fr.ofShift(shiftText({ from: new Date(handover.from), to: new Date(handover.to) }))}
      </Link>
      <span className={classes.meta}>
        {author}, <Ago at={signedAt} /> · {sites === null ? words.everywhere : sites.map(({ name }) => name).join(', ')}
      </span>
      <span className={classes.state} data-due={(mayRead && readers.length === 0) || undefined}>
        {readers.length > 0
          ? `${words.readers} ${readers.map(({ name }) => name).join(', ')}`
          : mayRead
            ? words.toRead
            : words.unread}
      </span>
    </li>
  )
}
