import { type Delivery, deliveryRoutes } from '@narval/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { delivery as words } from '../i18n/delivery.ts'
import { call } from '../lib/api.ts'
import { formatDateTime } from '../lib/format.ts'
import classes from './delivery-list.module.css'
import { ErrorState } from './page.tsx'

/** Deliveries change without a hub's word: asked again while the page is open. */
const REFRESH_MS = 10_000
const deliveriesQuery = (incidentId: number) =>
  queryOptions({
    queryKey: ['deliveries', incidentId],
    queryFn: ({ signal }) => call(deliveryRoutes.ofIncident, { params: { id: incidentId }, signal }),
    refetchInterval: REFRESH_MS,
  })

/** Who was told of an incident, by what, why, when, and what the channel answered; the newest first. */
export const DeliveryList = ({ incidentId }: { readonly incidentId: number }) => {
  const { data, error, refetch } = useQuery(deliveriesQuery(incidentId))
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (data.length === 0) return <p className={classes.none}>{words.none}</p>
  return (
    <ul className={classes.list}>
      {data.map(one => (
        <DeliveryLine key={one.id} delivery={one} />
      ))}
    </ul>
  )
}

/** The state of a delivery, by its colour and its word. */
export const DeliveryStateBadge = ({ state }: { readonly state: Delivery['state'] }) => (
  <span className={classes.state} data-state={state}>
    {words.states[state]}
  </span>
)

const DeliveryLine = ({ delivery }: { readonly delivery: Delivery }) => {
  const { state, recipient, channelName, kind, subject, reason, createdAt, endedAt, nextAt, attempts, answer } =
    delivery
  return (
    <li className={classes.line}>
      <div className={classes.head}>
        <DeliveryStateBadge state={state} />
        <span>
          <strong>{recipient === '' ? channelName : recipient}</strong> {words.by(channelName)}
        </span>
        <time className={classes.when} dateTime={endedAt ?? createdAt}>
          {formatDateTime(endedAt ?? createdAt)}
        </time>
      </div>
      <p className={classes.text}>
        {words.kinds[kind]} — {subject}
      </p>
      <p className={classes.detail}>{reason}</p>
      {(attempts > 1 || nextAt !== null) && (
        <p className={classes.detail}>
          {[words.attempts(attempts), nextAt === null ? '' : `${words.next}\u202f: ${formatDateTime(nextAt)}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      {answer !== '' && (
        <details className={classes.answer}>
          <summary>{words.answer}</summary>
          <pre>{answer}</pre>
        </details>
      )}
    </li>
  )
}
