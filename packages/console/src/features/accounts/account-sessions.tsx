import { ActionIcon, Badge, Button } from '@mantine/core'
import { type AccountSession, sessionRoutes } from '@narval/contracts'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconLogout } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { LIST_KEY } from '../../ui/live-rows.ts'
import { ErrorState, LoadingState } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { Refused } from './account-dialogs.tsx'
import classes from './accounts.module.css'
import { fr } from './fr.ts'

const { sessions: words } = fr
const REFRESH_MS = 15_000

interface AccountSessionsProps {
  readonly id: number
  /** Whether its sessions may be ended by who looks. */
  readonly mayEnd: boolean
}

/** Where an account is signed in, and how to end it there. */
export const AccountSessions = ({ id, mayEnd }: AccountSessionsProps) => {
  const client = useQueryClient()
  const key = ['account-sessions', id]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(sessionRoutes.ofAccount, { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  })
  const ending = useMutation({
    mutationFn: (session: number | null) =>
      call(sessionRoutes.endOfAccount, { params: { id }, query: session === null ? {} : { session: String(session) } }),
    onSettled: () =>
      Promise.all([client.invalidateQueries({ queryKey: key }), client.invalidateQueries({ queryKey: [LIST_KEY] })]),
  })
  if (data === undefined)
    return error === null ? <LoadingState height={72} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const others = data.filter(session => !session.current)
  return (
    <>
      <Refused error={ending.error} />
      {data.length === 0 && <p className={classes.note}>{words.none}</p>}
      <ul className={classes.items}>
        {data.map(session => (
          <SessionRow
            key={session.id}
            session={session}
            mayEnd={mayEnd}
            busy={ending.isPending}
            onEnd={() => ending.mutate(session.id)}
          />
        ))}
      </ul>
      {mayEnd && others.length > 1 && <EndAll busy={ending.isPending} onEnd={() => ending.mutate(null)} />}
    </>
  )
}

const EndAll = ({ busy, onEnd }: { readonly busy: boolean; readonly onEnd: () => void }) => {
  const [armed, setArmed] = useState(false)
  return armed ? (
    <Button size="compact-sm" color="red" loading={busy} onClick={onEnd} onBlur={() => setArmed(false)} autoFocus>
      {words.confirmAll}
    </Button>
  ) : (
    <Button size="compact-sm" variant="default" onClick={() => setArmed(true)}>
      {words.endAll}
    </Button>
  )
}

const iconOf = ({ isMobile, isTablet }: AccountSession) =>
  isTablet ? IconDeviceTablet : isMobile ? IconDeviceMobile : IconDeviceDesktop
const join = (...parts: readonly string[]): string => parts.filter(part => part !== '').join(' ')

interface SessionRowProps {
  readonly session: AccountSession
  readonly mayEnd: boolean
  readonly busy: boolean
  readonly onEnd: () => void
}

/** Ending asks twice: the first click arms the button, the second ends the session. */
const SessionRow = ({ session, mayEnd, busy, onEnd }: SessionRowProps) => {
  const [armed, setArmed] = useState(false)
  const Icon = iconOf(session)
  const browser = join(session.browser, session.browserVersion.split('.')[0] ?? '') || words.unknown
  const os = join(session.os, session.osVersion)
  const name = os === '' ? browser : `${browser}, ${os}`
  return (
    <li className={classes.item}>
      <Icon size={22} stroke={1.6} aria-hidden="true" />
      <div className={classes.itemText} title={session.userAgent}>
        <strong>{name}</strong>
        <span className={classes.note}>
          {session.address} · {words.used} <Ago at={session.lastUsedAt} />
        </span>
      </div>
      {session.current ? (
        <Badge variant="light" tt="none" fw={550}>
          {words.current}
        </Badge>
      ) : !mayEnd ? null : armed ? (
        <Button size="compact-sm" color="red" loading={busy} onClick={onEnd} onBlur={() => setArmed(false)} autoFocus>
          {words.confirm}
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.end(name)}
          title={words.end(name)}
          onClick={() => setArmed(true)}
        >
          <IconLogout size={18} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  )
}
