import { Button, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type NotificationChannel, notificationChannelRoutes } from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { errorText } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './channel.module.css'
import { ChannelIcon } from './channel-icon.tsx'
import { TEST_TIMEOUT_MS, useChannelsAgain } from './channel-queries.ts'
import { ChannelTest } from './channel-test.tsx'
import { fr } from './fr.ts'

const stateOf = ({ enabled, unreadable, last, failingSince }: NotificationChannel) => {
  if (!enabled) return { key: 'off', label: fr.off }
  if (unreadable || failingSince !== null) return { key: 'fails', label: fr.fails }
  return last === null ? { key: 'unused', label: fr.unused } : { key: 'works', label: fr.works }
}

/** A channel: what it is, how it goes, and a try. */
export const ChannelCard = ({ channel }: { readonly channel: NotificationChannel }) => {
  const again = useChannelsAgain()
  const { id, kind, name, last, failingSince, waiting, unreadable } = channel
  const state = stateOf(channel)
  const send = (to: string) =>
    call(notificationChannelRoutes.test, {
      params: { id },
      body: to === '' ? {} : { to },
      timeoutMs: TEST_TIMEOUT_MS,
    })
  return (
    <li className={classes.channel} aria-label={name}>
      <div className={classes.channelHead}>
        <span className={classes.icon}>
          <ChannelIcon kind={kind} />
        </span>
        <span className={classes.channelName}>
          <strong>
            <Link to={`/system/notification/channel/${id}`}>{name}</Link>
          </strong>
          <span className={classes.muted}>{fr.kinds[kind]}</span>
        </span>
        <span className={classes.state} data-state={state.key}>
          {state.label}
        </span>
      </div>
      {unreadable && <p className={classes.error}>{fr.unreadable}</p>}
      {failingSince !== null && (
        <p className={classes.error}>
          {fr.failingSince} {formatDateTime(failingSince)}
        </p>
      )}
      {last !== null && (
        <div>
          <p className={classes.muted}>
            {fr.lastAt} <Ago at={last.at} />
          </p>
          <pre className={classes.answer}>{last.answer}</pre>
        </div>
      )}
      {waiting > 0 && (
        <p className={classes.muted}>
          <Link to={`/system/notification/delivery?state=waiting&channel=${id}`}>{fr.waiting(waiting)}</Link>
        </p>
      )}
      <ChannelTest kind={kind} send={send} onDone={again} />
      <div className={classes.channelFoot}>
        <EnabledSwitch channel={channel} onDone={again} />
        <Button component={Link} variant="subtle" size="compact-sm" to={`/system/notification/channel/${id}`}>
          {fr.edit}
        </Button>
      </div>
    </li>
  )
}

/** Changes nothing else: secrets that are not sent stay. */
const EnabledSwitch = ({ channel, onDone }: { readonly channel: NotificationChannel; readonly onDone: () => void }) => {
  const change = useMutation({
    mutationFn: (enabled: boolean) => {
      const { id, updatedAt } = channel
      return call(notificationChannelRoutes.update, {
        params: { id },
        body: { ...bodyOf(channel), enabled, updatedAt },
      })
    },
    onError: error => notifications.show({ color: 'red', message: errorText(error) }),
    onSettled: onDone,
  })
  return (
    <Switch
      checked={change.isPending ? change.variables : channel.enabled}
      disabled={change.isPending}
      label={fr.fields.enabled}
      withThumbIndicator={false}
      onChange={event => change.mutate(event.currentTarget.checked)}
    />
  )
}

const bodyOf = (channel: NotificationChannel) => {
  const { name } = channel
  switch (channel.kind) {
    case 'email':
      return { kind: channel.kind, name, settings: channel.settings }
    case 'webhook':
      return { kind: channel.kind, name, settings: channel.settings }
    case 'mattermost':
      return { kind: channel.kind, name, settings: channel.settings }
    case 'ntfy':
      return { kind: channel.kind, name, settings: channel.settings }
    case 'sms':
      return { kind: channel.kind, name, settings: channel.settings }
    case 'slack':
    case 'teams':
      return { kind: channel.kind, name, settings: {} }
  }
}
