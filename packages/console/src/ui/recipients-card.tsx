import { type HostRecipients, notificationRuleRoutes } from '@narval/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../lib/api.ts'
import { useSession } from '../lib/session.ts'
import { Card } from './page.tsx'
import classes from './recipients-card.module.css'

const words = {
  title: 'Qui sera prévenu',
  nobody: 'Personne\u202f: aucune règle ne concerne cet équipement.',
  rules: 'Voir les règles',
  now: 'aussitôt',
  after: (minutes: number) => `après ${minutes}\u202fmin sans acquittement`,
  own: 'destination du canal',
  by: 'par',
  outside: 'hors période en ce moment',
  empty: 'personne',
} as const

export const recipientsQuery = (hostId: number) =>
  queryOptions({
    queryKey: ['notification-rules', 'recipients', hostId],
    queryFn: ({ signal }) => call(notificationRuleRoutes.recipients, { query: { host: String(hostId) }, signal }),
  })

/** Whom the rules would tell that an equipment fails, step after step. */
export const RecipientsCard = ({ hostId }: { readonly hostId: number }) => {
  const { can } = useSession()
  const { data } = useQuery(recipientsQuery(hostId))
  if (data === undefined) return null
  const manages = can('notification_write')
  return (
    <Card title={words.title} aside={manages && <Link to="/system/notification/rule">{words.rules}</Link>}>
      {data.rules.length === 0 ? (
        <p className={classes.none}>{words.nobody}</p>
      ) : (
        <ul className={classes.rules}>
          {data.rules.map(rule => (
            <Rule key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const Rule = ({ rule }: { readonly rule: HostRecipients['rules'][number] }) => (
  <li>
    <strong>{rule.name}</strong>
    {!rule.active && <span className={classes.muted}> · {words.outside}</span>}
    <ul className={classes.steps}>
      {rule.steps.map((step, index) => (
        <li key={`${step.afterMinutes}-${index}`}>
          <span className={classes.muted}>
            {step.afterMinutes === 0 ? words.now : words.after(step.afterMinutes)}
            {'\u202f: '}
          </span>
          {step.recipients.length === 0
            ? words.empty
            : step.recipients.map((one, rank) => (
                <span key={`${one.person}-${one.channelName}`} data-fault={one.fault !== null || undefined}>
                  {rank > 0 && ', '}
                  {one.person ?? words.own} {words.by} {one.channelName}
                  {one.fault !== null && ` (${one.fault})`}
                </span>
              ))}
        </li>
      ))}
    </ul>
  </li>
)
