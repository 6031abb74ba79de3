import { Button, Loader } from '@mantine/core'
import type { Claim, Host, Metric } from '@narval/contracts'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { formatDuration, formatValue } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card, NotLoaded } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import classes from './first-run.module.css'
import { useFirstHost, useFirstMetrics } from './first-run-queries.ts'
import { fr } from './fr.ts'
import { ProbeLine } from './probe-line.tsx'
import { Steps } from './steps.tsx'

const { measures: words } = fr
/** Metrics that are listed here; the host's page has them all. */
const SHOWN = 12
/** After this without a measure, something is wrong. */
const SLOW_MS = 45_000

/** The first measures of the new host as they come, then what to do next. */
export const FirstMeasures = ({ hostId }: { readonly hostId: number }) => {
  const host = useFirstHost(hostId)
  const metrics = useFirstMetrics(hostId)
  if (host.data === undefined || metrics.data === undefined)
    return (
      <NotLoaded
        isAlone
        error={host.error ?? metrics.error}
        onRetry={() => Promise.all([host.refetch(), metrics.refetch()])}
      />
    )
  const firstAt = firstOf(metrics.data)
  const isDone = firstAt !== null
  return (
    <div className={classes.way}>
      <Steps current="measures" done={isDone} />
      <Card title={isDone ? words.done(host.data.name) : words.waiting(host.data.name)} arrives>
        {isDone ? <Done host={host.data} firstAt={firstAt} metrics={metrics.data} /> : <Waiting />}
        <Measures metrics={metrics.data} />
        <div className={classes.actions}>
          <Button component={Link} variant="default" to={`/host/${hostId}`}>
            {words.open}
          </Button>
        </div>
      </Card>
      {isDone && <Next />}
    </div>
  )
}

/** When the first measure was taken, epoch ms; null: none yet. */
const firstOf = (metrics: readonly Metric[]): number | null => {
  const times = metrics.flatMap(({ at }) => (at === null ? [] : Date.parse(at)))
  return times.length === 0 ? null : Math.min(...times)
}

interface DoneProps {
  readonly host: Host
  readonly firstAt: number
  readonly metrics: readonly Metric[]
}

const Done = ({ host, firstAt, metrics }: DoneProps) => {
  // What comes later is no first measure any more.
  const [first] = useState(firstAt)
  const isBad = metrics.some(({ severity }) => severity === 'error' || severity === 'warning')
  return (
    <div className={classes.done} role="status">
      <IconCircleCheck size={28} stroke={1.6} aria-hidden="true" />
      <p>
        {words.first(formatDuration(Math.max(1_000, first - Date.parse(host.createdAt))))}
        {isBad && ` ${words.failing}`}
      </p>
    </div>
  )
}

const Waiting = () => {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!slow)
    return (
      <p className={classes.trying} role="status">
        <Loader size={14} /> {words.waitingText}
      </p>
    )
  return (
    <Notice tone="warning" icon={<IconAlertTriangle size={18} />} title={words.slow}>
      <p>{words.slowText}</p>
      <ProbeLine />
    </Notice>
  )
}

/** Those that have come first, and those that are awaited. */
const Measures = ({ metrics }: { readonly metrics: readonly Metric[] }) => {
  const sorted = metrics.toSorted((one, other) => Number(one.at === null) - Number(other.at === null))
  return (
    <>
      <ul className={classes.measures} aria-label={words.list}>
        {sorted.slice(0, SHOWN).map(({ id, name, at, value, unit, states, severity }) => (
          <li key={id} data-awaited={at === null || undefined}>
            {at === null ? (
              <span className={classes.nothing} aria-hidden="true" />
            ) : (
              <SeverityIcon severity={severity} size={15} />
            )}
            <span className={classes.what}>{name}</span>
            <span className={classes.value}>{at === null ? words.pending : formatValue(value, unit, states)}</span>
          </li>
        ))}
      </ul>
      {sorted.length > SHOWN && <p className={classes.note}>{words.more(sorted.length - SHOWN)}</p>}
    </>
  )
}

const WAYS: readonly { readonly name: keyof typeof fr.next; readonly to: string; readonly claim: Claim | null }[] = [
  { name: 'discovery', to: '/scanner/discovery/new', claim: 'scanner_write' },
  { name: 'channel', to: '/system/notification', claim: 'notification_write' },
  { name: 'accounts', to: '/user/edit', claim: 'user_write' },
  { name: 'another', to: '/host/first', claim: null },
  { name: 'live', to: '/dashboard/live-view', claim: null },
]

const Next = () => {
  const { canEverywhere } = useSession()
  return (
    <Card title={words.next}>
      <ul className={classes.ways}>
        {WAYS.filter(({ claim }) => claim === null || canEverywhere(claim)).map(({ name, to }) => {
          const [title, text] = fr.next[name]
          return (
            <li key={name}>
              <Link to={to}>
                <strong>{title}</strong>
                <span>{text}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
