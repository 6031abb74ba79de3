import { GLOBAL_STREAM, type HubName } from '@narval/contracts'
import type { ReactNode } from 'react'
import { table as words } from '../i18n/table.ts'
import { formatAgo } from '../lib/format.ts'
import { type Freshness, freshnessOf } from '../lib/freshness.ts'
import { lastHeardMs, useHubEvent, useHubState } from '../lib/hub.ts'
import classes from './freshness.module.css'
import { useTicking } from './time.tsx'

const ignore = (): void => {}

/** Whether what a hub keeps up to date is so; looked at each second. Null: no hub does. */
export const useFreshness = (hub: HubName | null): Freshness => {
  useHubEvent('service', hub === null ? null : GLOBAL_STREAM, ignore)
  const state = useHubState(hub ?? 'service')
  return useTicking(nowMs => {
    const heardMs = lastHeardMs()
    return freshnessOf(state, heardMs === null ? null : nowMs - heardMs)
  })
}

interface FreshnessSignProps {
  readonly hub: HubName
  /** Keeps its room until there is something to say. */
  readonly held?: boolean
}

/** « En direct », how old the data is, or that the stream has stopped and since when. */
export const FreshnessSign = ({ hub, held = false }: FreshnessSignProps) => {
  const freshness = useFreshness(hub)
  const ago = useTicking(nowMs => {
    const heardMs = lastHeardMs()
    return heardMs === null ? '' : formatAgo(Math.min(heardMs, nowMs), nowMs)
  })
  const isStarting = freshness === 'starting'
  if (isStarting && !held) return null
  const off = freshness === 'stale'
  return (
    <span
      className={classes.sign}
      data-held={isStarting || undefined}
      data-off={off || undefined}
      title={off ? words.interruptedHelp : words.liveHelp}
    >
      <span className={classes.dot} aria-hidden />
      <span>{off ? words.interrupted : words.live}</span>
      {ago !== '' && <span className={classes.age}>{off ? words.heardOld(ago) : words.heard(ago)}</span>}
    </span>
  )
}

interface LivePartProps {
  readonly hub: HubName
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A page, or a part of one, that a hub keeps up to date: grey once the stream has stopped. */
export const LivePart = ({ hub, className = '', children }: LivePartProps) => (
  <div className={`${classes.part} ${className}`} data-stale={useFreshness(hub) === 'stale' || undefined}>
    {children}
  </div>
)
