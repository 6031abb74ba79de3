import { ActionIcon, Badge, Button } from '@mantine/core'
import { type AccountSession, sessionRoutes } from '@narval/contracts'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconLogout } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { Card, ErrorState, errorText, LoadingState } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'

const { sessions: words } = fr
const KEY = ['account', 'sessions']

/** Where one is signed in, and how to end it there. */
export const SessionsCard = () => {
  const client = useQueryClient()
  const { data, error, refetch, isPending } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(sessionRoutes.list, { signal }),
  })
  const ending = useMutation({
    mutationFn: (id: number | null) =>
      id === null ? call(sessionRoutes.endOthers, {}) : call(sessionRoutes.end, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
  const others = data?.filter(session => !session.current) ?? []
  return (
    <Card
      title={words.title}
      aside={
        others.length > 0 && (
          <Button size="compact-sm" variant="default" loading={ending.isPending} onClick={() => ending.mutate(null)}>
            {words.endOthers}
          </Button>
        )
      }
    >
      {isPending && <LoadingState height={72} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {ending.error !== null && (
        <p className={classes.refused} role="alert">
          {errorText(ending.error)}
        </p>
      )}
      {data !== undefined && (
        <ul className={classes.items}>
          {data.map(session => (
            <Row key={session.id} session={session} onEnd={() => ending.mutate(session.id)} busy={ending.isPending} />
          ))}
        </ul>
      )}
      {data !== undefined && others.length === 0 && <p className={classes.note}>{words.alone}</p>}
    </Card>
  )
}

const iconOf = ({ isMobile, isTablet }: AccountSession) =>
  isTablet ? IconDeviceTablet : isMobile ? IconDeviceMobile : IconDeviceDesktop

const join = (...parts: readonly string[]): string => parts.filter(part => part !== '').join(' ')

interface RowProps {
  readonly session: AccountSession
  readonly busy: boolean
  readonly onEnd: () => void
}

/** Ending asks twice: the first click arms the button, the second ends the session. */
const Row = ({ session, busy, onEnd }: RowProps) => {
  const [armed, setArmed] = useState(false)
  const Icon = iconOf(session)
  const browser = join(session.browser, session.browserVersion.split('.')[0] ?? '') || words.unknownBrowser
  const name =
    join(session.os, session.osVersion) === '' ? browser : `${browser}, ${join(session.os, session.osVersion)}`
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
      ) : armed ? (
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
