import { Button, SegmentedControl, Select } from '@mantine/core'
import { SEVERITIES, totalCounts } from '@narval/engine'
import { IconBellCheck, IconChecks, IconFilterOff } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { useMarkRead } from '../../lib/notification-queries.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { FreshnessSign, LivePart } from '../../ui/freshness.tsx'
import { Card, EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { fr } from './fr.ts'
import { GroupCard } from './group-card.tsx'
import { isFiltered, joinPages, type NotificationFilters, PERIODS, readFilters } from './group-view.ts'
import { useNotificationGroups } from './notification-groups.ts'
import classes from './notifications.module.css'

/** /notifications: mine by incident, newest first, live. */
export const NotificationsPage = () => {
  const { params, put } = useAddress()
  const filters = readFilters(params)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useNotificationGroups(filters)
  const markRead = useMarkRead()
  const [first] = data?.pages ?? []
  const unread = first === undefined ? 0 : totalCounts(first.unread)
  const change = (changes: Readonly<Record<string, string | null>>): void => put(changes, { replace: false })
  const clear = (): void => change({ severity: null, site: null, period: null, words: null })
  const groups = joinPages(data?.pages ?? [])
  return (
    <>
      <PageHeader
        meta={<FreshnessSign hub="service" held />}
        actions={
          <>
            <SegmentedControl
              aria-label={fr.show}
              value={filters.unread ? 'unread' : 'all'}
              onChange={value => change({ unread: value === 'unread' ? 'true' : null })}
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
              onClick={() => first !== undefined && markRead.mutate(first.latest)}
            >
              {fr.markRead}
            </Button>
          </>
        }
      />
      <Filters
        filters={filters}
        onChange={change}
        onWords={words => put({ words: words.trim() === '' ? null : words })}
        onClear={clear}
      />
      {first === undefined ? (
        <Card>{error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />}</Card>
      ) : groups.length === 0 ? (
        <Card>
          <Empty filters={filters} onClear={clear} />
        </Card>
      ) : (
        <>
          <LivePart hub="service">
            <ul className={classes.groups}>
              {groups.map(group => (
                <GroupCard key={group.incident?.id ?? `alone-${group.place}`} group={group} />
              ))}
            </ul>
          </LivePart>
          <More
            more={hasNextPage}
            loading={isFetchingNextPage}
            onMore={() => {
              if (!isFetchingNextPage) void fetchNextPage()
            }}
          />
        </>
      )}
    </>
  )
}

interface FiltersProps {
  readonly filters: NotificationFilters
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void
  /** Told as one types: no step of « back ». */
  readonly onWords: (words: string) => void
  readonly onClear: () => void
}

const Filters = ({ filters, onChange, onWords, onClear }: FiltersProps) => (
  <div className={classes.filters}>
    <SearchField label={fr.words} value={filters.words} onSearch={onWords} />
    <Select
      size="sm"
      aria-label={fr.severity}
      placeholder={fr.anySeverity}
      clearable
      data={SEVERITIES.map(value => ({ value, label: common.severity[value] }))}
      value={filters.severity}
      onChange={severity => onChange({ severity })}
    />
    <div className={classes.site}>
      <RemoteSelect
        label={fr.site}
        quiet
        placeholder={fr.anySite}
        source={siteOptions}
        value={filters.siteId}
        onChange={id => onChange({ site: id === null ? null : String(id) })}
      />
    </div>
    <Select
      size="sm"
      aria-label={fr.period}
      allowDeselect={false}
      data={PERIODS.map(value => ({ value, label: fr.periods[value] }))}
      value={filters.period}
      onChange={period => onChange({ period: period === 'all' ? null : period })}
    />
    {isFiltered(filters) && (
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {fr.clear}
      </Button>
    )}
  </div>
)

const Empty = ({ filters, onClear }: { readonly filters: NotificationFilters; readonly onClear: () => void }) => {
  if (isFiltered(filters))
    return (
      <EmptyState
        title={fr.emptyFiltered}
        icon={<IconFilterOff size={28} stroke={1.6} />}
        action={
          <Button variant="default" onClick={onClear}>
            {fr.clear}
          </Button>
        }
      >
        {fr.emptyFilteredText}
      </EmptyState>
    )
  return (
    <EmptyState
      title={filters.unread ? fr.emptyUnread : fr.emptyTitle}
      icon={<IconBellCheck size={28} stroke={1.6} />}
      action={
        <Button component={Link} variant="default" to="/dashboard/live-view/incident">
          {fr.toIncidents}
        </Button>
      }
    >
      {filters.unread ? fr.emptyUnreadText : fr.emptyText}
    </EmptyState>
  )
}

/** How far below the window the next page is asked for. */
const AHEAD = '600px'

/** Asks for what follows as one scrolls towards it; a button for those who do not scroll. */
const More = ({ more, loading, onMore }: { more: boolean; loading: boolean; onMore: () => void }) => {
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(onMore)
  useEffect(() => {
    ask.current = onMore
  })
  useEffect(() => {
    const element = end.current
    if (element === null || !more || loading) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) ask.current()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [more, loading])
  return (
    <div ref={end} className={classes.end}>
      {more ? (
        <Button variant="default" loading={loading} onClick={onMore}>
          {fr.more}
        </Button>
      ) : (
        <p>{fr.end}</p>
      )}
    </div>
  )
}
