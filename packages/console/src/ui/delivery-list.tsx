import { type Delivery, deliveryRoutes, GLOBAL_STREAM } from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { delivery as words } from '../i18n/delivery.ts'
import { call } from '../lib/api.ts'
import { formatDateTime } from '../lib/format.ts'
import { useHubEvent, useHubJoined } from '../lib/hub.ts'
import classes from './delivery-list.module.css'
import { ErrorState } from './page.tsx'
import { useAskAgain } from './use-ask-again.ts'

/** What no hub tells (a channel that is deleted) is seen this late. */
const REFRESH_MS = 60_000

/** Runs when something became of deliveries, and when the hub is joined again. */
export const useDelivered = (run: () => void): void => {
  useHubEvent('service', GLOBAL_STREAM, ({ deliveries }) => {
    if (deliveries === true) run()
  })
  useHubJoined('service', run)
}
const deliveriesQuery = (incidentId: number) =>
  queryOptions({
    queryKey: ['deliveries', incidentId],
    queryFn: ({ signal }) => call(deliveryRoutes.ofIncident, { params: { id: incidentId }, signal }),
    refetchInterval: REFRESH_MS,
  })

/** Who was told of an incident, by what, why, when, and what the channel answered; the newest first. */
export const DeliveryList = ({ incidentId }: { readonly incidentId: number }) => {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(deliveriesQuery(incidentId))
  const { queryKey } = deliveriesQuery(incidentId)
  useDelivered(useAskAgain(() => void client.invalidateQueries({ queryKey })))
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
