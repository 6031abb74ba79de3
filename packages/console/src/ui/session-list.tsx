import { Badge } from '@mantine/core'
import type { AccountSession } from '@narval/contracts'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconLogout } from '@tabler/icons-react'
import { account } from '../i18n/account.ts'
import { ArmedButton } from './armed-button.tsx'
import classes from './item-list.module.css'
import { Ago } from './time.tsx'

const { sessions: words } = account

interface SessionListProps {
  readonly sessions: readonly AccountSession[]
  readonly mayEnd: boolean
  readonly busy: boolean
  readonly onEnd: (id: number) => void
}

/** Where an account is signed in: device, address, last use, and a way to end each but the one that looks. */
export const SessionList = ({ sessions, mayEnd, busy, onEnd }: SessionListProps) => (
  <ul className={classes.items}>
    {sessions.map(session => (
      <Row key={session.id} session={session} mayEnd={mayEnd} busy={busy} onEnd={() => onEnd(session.id)} />
    ))}
  </ul>
)

const iconOf = ({ isMobile, isTablet }: AccountSession) =>
  isTablet ? IconDeviceTablet : isMobile ? IconDeviceMobile : IconDeviceDesktop
const join = (...parts: readonly string[]): string => parts.filter(part => part !== '').join(' ')
const nameOf = ({ browser, browserVersion, os, osVersion }: AccountSession): string => {
  const program = join(browser, browserVersion.split('.')[0] ?? '') || words.unknown
  const system = join(os, osVersion)
  return system === '' ? program : `${program}, ${system}`
}

interface RowProps extends Pick<SessionListProps, 'mayEnd' | 'busy'> {
  readonly session: AccountSession
  readonly onEnd: () => void
}

const Row = ({ session, mayEnd, busy, onEnd }: RowProps) => {
  const Icon = iconOf(session)
  const name = nameOf(session)
  return (
    <li className={classes.item}>
      <Icon size={22} stroke={1.6} aria-hidden="true" />
      <div className={classes.text} title={session.userAgent}>
        <strong>{name}</strong>
        <span className={classes.note}>
          {session.address} · {words.used} <Ago at={session.lastUsedAt} />
        </span>
      </div>
      {session.current && (
        <Badge variant="light" tt="none" fw={550}>
          {words.current}
        </Badge>
      )}
      {!session.current && mayEnd && (
        <ArmedButton
          label={words.end(name)}
          confirm={words.confirm}
          icon={<IconLogout size={18} stroke={1.7} />}
          busy={busy}
          onConfirm={onEnd}
        />
      )}
    </li>
  )
}
