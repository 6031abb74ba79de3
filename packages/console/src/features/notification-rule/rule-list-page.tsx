import { ActionIcon, Badge, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type NotificationRule, notificationRuleRoutes } from '@narval/contracts'
import { IconArrowDown, IconArrowUp, IconBellOff, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { NotificationTabs } from '../../ui/notification-tabs.tsx'
import { Card, EmptyState, errorText, NotLoaded, PageHeader } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './rule.module.css'
import { choicesQuery, rulesQuery } from './rule-queries.ts'
import { ruleSentence } from './rule-sentence.ts'

const NEW = '/system/notification/rule/new'

/** /system/notification/rule: who is told of what, rule after rule. */
export const RuleListPage = () => (
  <>
    <PageHeader
      actions={
        <Button component={Link} to={NEW} leftSection={<IconPlus size={16} />}>
          {fr.add}
        </Button>
      }
    />
    <NotificationTabs current="rule" />
    <Rules />
  </>
)

const Rules = () => {
  const { data, error, refetch } = useQuery(rulesQuery)
  const order = useOrder()
  if (data === undefined) return <NotLoaded error={error} onRetry={refetch} isAlone />
  if (data.length === 0) return <NoRule />
  const ids = data.map(({ id }) => id)
  const move = (index: number, by: -1 | 1): void => {
    const next = ids.toSpliced(index, 1).toSpliced(index + by, 0, ids[index] ?? 0)
    order.mutate(next)
  }
  return (
    <ol className={classes.rules} aria-label={fr.list}>
      {data.map((rule, index) => (
        <li key={rule.id} className={classes.rule} data-off={rule.enabled ? undefined : true}>
          <span className={classes.moves}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={fr.up(rule.name)}
              disabled={index === 0 || order.isPending}
              onClick={() => move(index, -1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            {index + 1}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={fr.down(rule.name)}
              disabled={index === data.length - 1 || order.isPending}
              onClick={() => move(index, 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
          </span>
          <RuleText rule={rule} />
        </li>
      ))}
    </ol>
  )
}

const useOrder = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: number[]) => call(notificationRuleRoutes.order, { body: { ids } }),
    onSuccess: rules => client.setQueryData(rulesQuery.queryKey, rules),
    onError: error => notifications.show({ color: 'red', title: fr.orderFailed, message: errorText(error) }),
  })
}

const RuleText = ({ rule }: { readonly rule: NotificationRule }) => (
  <div className={classes.body}>
    <div className={classes.head}>
      <Link className={classes.name} to={`/system/notification/rule/${rule.id}`}>
        {rule.name}
      </Link>
      {!rule.enabled && (
        <Badge variant="default" radius="sm">
          {fr.disabled}
        </Badge>
      )}
      {rule.openThreads > 0 && (
        <Badge variant="default" radius="sm">
          {fr.openThreads(rule.openThreads)}
        </Badge>
      )}
    </div>
    <ul className={classes.sentence}>
      {ruleSentence(rule, rule).map(part => (
        <li key={part}>{part}</li>
      ))}
    </ul>
    {rule.faults.map(fault => (
      <p key={fault} className={classes.fault} role="note">
        {fault}
      </p>
    ))}
  </div>
)

/** Nobody is told anything yet: what to do first. */
const NoRule = () => {
  const { data: choices } = useQuery(choicesQuery)
  const hasChannel = choices === undefined || choices.channels.length > 0
  const hasMail = choices?.channels.some(({ kind, enabled }) => kind === 'email' && enabled) ?? true
  return (
    <Card>
      <EmptyState
        title={fr.none}
        icon={<IconBellOff size={28} stroke={1.6} />}
        action={
          hasChannel ? (
            <Button component={Link} to={`${NEW}?first`}>
              {hasMail ? fr.first : fr.firstOther}
            </Button>
          ) : (
            <Button component={Link} to="/system/notification/channel/new">
              {fr.addChannel}
            </Button>
          )
        }
      >
        {hasChannel ? fr.noneText : `${fr.noneText} ${fr.noChannel}`}
      </EmptyState>
    </Card>
  )
}
