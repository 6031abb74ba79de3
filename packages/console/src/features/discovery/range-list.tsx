import { ActionIcon, Button, Progress } from '@mantine/core'
import { type DiscoveryRange, FINDING_STATES } from '@narval/contracts'
import { IconPencil, IconPlayerPlay, IconPlayerStop, IconPlus, IconRadar2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatDateTime } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { Card, EmptyState } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './discovery.module.css'
import { isUnderWay, useRun } from './discovery-queries.ts'
import { RunStateBadge } from './finding-state.tsx'
import { fr } from './fr.ts'

const { ranges: words } = fr

export const AddRange = () => (
  <Button component={Link} to="/scanner/discovery/new" leftSection={<IconPlus size={16} />}>
    {words.add}
  </Button>
)

/** The ranges, each with how its last run stands and what waits for a person. */
export const RangeList = ({ ranges }: { readonly ranges: readonly DiscoveryRange[] }) => {
  const writes = useSession().can('scanner_write')
  return ranges.length === 0 ? (
    <Card>
      <EmptyState
        title={words.emptyTitle}
        icon={<IconRadar2 size={28} stroke={1.6} />}
        action={writes ? <AddRange /> : undefined}
      >
        {words.emptyText}
      </EmptyState>
    </Card>
  ) : (
    <Card flush title={words.title}>
      <ul className={classes.ranges}>
        {ranges.map(range => (
          <RangeRow key={range.id} range={range} writes={writes} />
        ))}
      </ul>
    </Card>
  )
}

const RangeRow = ({ range, writes }: { readonly range: DiscoveryRange; readonly writes: boolean }) => {
  const { start, cancel } = useRun(range)
  const { id, name, lastRun } = range
  const busy = isUnderWay(lastRun)
  return (
    <li className={classes.range}>
      <div className={classes.rangeName}>
        <Link to={`/scanner/discovery/${id}`}>{name}</Link>
        <p>
          {[range.siteName, fr.addresses(range.addresses), range.runsOn ?? words.noProbe].join(' · ')}
          {!range.enabled && ` · ${words.disabled}`}
        </p>
      </div>
      <div className={classes.rangeRun}>
        {lastRun === null ? <span className={classes.quiet}>{words.never}</span> : <LastRun range={range} />}
        {range.nextRun !== null && !busy && (
          <p>
            {words.next} {formatDateTime(range.nextRun)}
          </p>
        )}
      </div>
      <Waiting range={range} />
      {writes && (
        <div className={classes.rangeActions}>
          {busy ? (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlayerStop size={15} />}
              aria-label={words.cancelNamed(name)}
              loading={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              {words.cancel}
            </Button>
          ) : (
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconPlayerPlay size={15} />}
              aria-label={words.runNamed(name)}
              loading={start.isPending}
              onClick={() => start.mutate()}
            >
              {words.run}
            </Button>
          )}
          <ActionIcon
            component={Link}
            to={`/scanner/discovery/${id}`}
            variant="subtle"
            color="gray"
            aria-label={words.edit(name)}
          >
            <IconPencil size={16} />
          </ActionIcon>
        </div>
      )}
    </li>
  )
}

const LastRun = ({ range: { name, lastRun } }: { readonly range: DiscoveryRange }) => {
  if (lastRun === null) return null
  const { state, done, total, found, added, changed, vanished, error, notes, endedAt } = lastRun
  if (isUnderWay(lastRun)) {
    return (
      <>
        <RunStateBadge state={state} />
        <Progress
          value={total === 0 ? 0 : (100 * done) / total}
          size="sm"
          aria-label={words.progressLabel(name)}
          animated={state === 'running'}
        />
        <p aria-live="polite">{words.progress(done, total, found)}</p>
      </>
    )
  }
  return (
    <>
      <span className={classes.runLine}>
        <RunStateBadge state={state} /> <Ago at={endedAt} />
      </span>
      <p>{words.result(found, added, changed, vanished)}</p>
      {error !== '' && <p className={classes.trouble}>{error}</p>}
      {notes.map(note => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </>
  )
}

/** What waits for a person, each a filter of the list below. */
const Waiting = ({ range }: { readonly range: DiscoveryRange }) => (
  <div className={classes.waiting}>
    {FINDING_STATES.filter(state => state !== 'ignored' && range.findings[state] > 0).map(state => (
      <Link key={state} data-state={state} to={`/scanner/discovery?rangeId=${range.id}&state=${state}`}>
        {words.filter(state, range.findings[state])}
      </Link>
    ))}
  </div>
)
