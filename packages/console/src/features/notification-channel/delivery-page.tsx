import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  type DatatableInput,
  DELIVERY_STATES,
  type Delivery,
  deliveryRoutes,
  incidentRoutes,
  NOTIFICATION_MESSAGE_KINDS,
  notificationRuleRoutes,
  SELECT2_PAGE,
} from '@narval/contracts'
import { IconRefresh, IconSend, IconX } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { delivery as shared } from '../../i18n/delivery.ts'
import { call } from '../../lib/api.ts'
import type { OptionSource } from '../../lib/option-source.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { DeliveryStateBadge, useDelivered } from '../../ui/delivery-list.tsx'
import { LIST_KEY, useLiveRows } from '../../ui/live-rows.ts'
import { NotificationTabs } from '../../ui/notification-tabs.tsx'
import { errorText } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './channel.module.css'
import { channelsQuery } from './channel-queries.ts'
import { fr } from './fr.ts'

const { columns: words, filters } = fr.delivery
/** The column is called so already: only what follows tells one row from another. */
const bareReason = (reason: string): string => reason.replace(/^Pourquoi vous\u202f: /, '')
const COLUMNS: readonly TableColumn<Delivery>[] = [
  {
    id: 'state',
    header: words.state,
    width: 142,
    card: 'corner',
    cell: one => <State delivery={one} />,
  },
  { id: 'subject', header: words.subject, grow: 3, card: 'title', cell: one => one.subject },
  { id: 'recipient', header: words.recipient, width: 120, cell: one => one.recipient },
  { id: 'channelName', header: words.channel, width: 98, cell: one => one.channelName },
  { id: 'ruleName', header: words.rule, hidden: true, cell: one => one.ruleName },
  { id: 'reason', header: words.reason, sortable: false, grow: 2.5, cell: one => bareReason(one.reason) },
  { id: 'createdAt', header: words.created, width: 112, align: 'right', cell: one => <Ago at={one.createdAt} /> },
  {
    id: 'endedAt',
    header: words.ended,
    width: 112,
    align: 'right',
    hidden: true,
    cell: one => (one.endedAt === null ? '' : <Ago at={one.endedAt} />),
  },
  { id: 'attempts', header: words.attempts, width: 84, align: 'right', hidden: true, cell: one => one.attempts },
  { id: 'answer', header: words.answer, sortable: false, grow: 1.6, hidden: true, cell: one => one.answer },
  {
    id: 'actions',
    header: words.actions,
    sortable: false,
    width: 84,
    fixed: true,
    cell: one => (canAct(one) ? <Actions delivery={one} /> : null),
  },
]
const LOOK: RowLook<Delivery> = {
  key: one => one.id,
  name: one => one.subject,
  edge: one => (one.state === 'failed' ? 'error' : one.state === 'waiting' ? 'warning' : null),
  muted: one => one.state === 'cancelled' || one.state === 'dropped',
}
const LIST = 'deliveries'
/** What no hub tells is seen this late. */
const REFRESH_MS = 60_000
const fetchPage = (body: DatatableInput, signal: AbortSignal) => call(deliveryRoutes.datatable.put, { body, signal })

/** Incidents, the newest first. */
const incidentOptions: OptionSource = {
  key: 'incident',
  search: async (term, signal) => {
    const body = { length: SELECT2_PAGE, search: { value: term } }
    const page = await call(incidentRoutes.datatable.put, { body, signal })
    return {
      results: page.data.map(({ id, title }) => ({ id, text: title })),
      pagination: { more: page.recordsFiltered > page.data.length },
    }
  },
  nameOf: async (id, signal) => (await call(incidentRoutes.get, { params: { id }, signal })).title,
}
const peopleQuery = queryOptions({
  queryKey: ['notification-people'],
  queryFn: async ({ signal }) => (await call(notificationRuleRoutes.choices, { signal })).accounts,
})

/** /system/notification/delivery: what is told, to whom, by what and why; the newest first. */
export const DeliveryPage = () => {
  const { data } = useQuery(channelsQuery)
  const people = useQuery(peopleQuery).data
  useDelivered(useLiveRows<Delivery>(LIST).refetch)
  const shown = useMemo<readonly TableFilter[]>(
    () => [
      {
        name: 'state',
        label: filters.state,
        choices: DELIVERY_STATES.map(value => ({ value, label: shared.states[value] })),
      },
      {
        name: 'channel',
        label: filters.channel,
        choices: (data ?? []).map(channel => ({ value: String(channel.id), label: channel.name })),
      },
      {
        name: 'account',
        label: filters.account,
        choices: (people ?? []).map(person => ({ value: String(person.id), label: person.name })),
      },
      { name: 'incident', label: filters.incident, source: incidentOptions },
      {
        name: 'kind',
        label: filters.kind,
        choices: NOTIFICATION_MESSAGE_KINDS.map(value => ({ value, label: shared.kinds[value] })),
      },
    ],
    [data, people],
  )
  const empty = useMemo(
    () => ({
      title: fr.delivery.emptyTitle,
      text: fr.delivery.emptyText,
      icon: <IconSend size={28} stroke={1.6} />,
    }),
    [],
  )
  return (
    <>
      <NotificationTabs current="delivery" />
      <DataTable<Delivery>
        list={LIST}
        fetchPage={fetchPage}
        columns={COLUMNS}
        filters={shown}
        defaultSort={null}
        look={LOOK}
        noun={fr.delivery.noun}
        searchLabel={fr.delivery.search}
        empty={empty}
        refreshMs={REFRESH_MS}
        keepsColumns="deliveries"
      />
    </>
  )
}

/** Its state, how often it was tried if more than once; on hover, what the channel answered. */
const State = ({ delivery: { state, attempts, answer } }: { readonly delivery: Delivery }) => (
  <span title={[shared.attempts(attempts), answer].filter(Boolean).join(' · ') || undefined}>
    <DeliveryStateBadge state={state} />
    {attempts > 1 && (
      <span className={classes.muted}>
        {' '}
        <span aria-hidden>×{attempts}</span>
        <VisuallyHidden>{shared.attempts(attempts)}</VisuallyHidden>
      </span>
    )}
  </span>
)

/** What has arrived is done with; what was dropped with its channel can only be read. */
const canAct = ({ state, channelName }: Delivery): boolean =>
  state !== 'sent' && (channelName !== '' || state === 'waiting')

const Actions = ({ delivery }: { readonly delivery: Delivery }) => {
  const client = useQueryClient()
  const act = async (route: typeof deliveryRoutes.retry | typeof deliveryRoutes.cancel, said: string) => {
    try {
      await call(route, { params: { id: delivery.id } })
      notifications.show({ color: 'green', message: said })
    } catch (error) {
      notifications.show({ color: 'red', title: shared.failed, message: errorText(error) })
    }
    await client.invalidateQueries({ queryKey: [LIST_KEY, LIST] })
  }
  return (
    <span className={classes.actions}>
      {delivery.channelName !== '' && (
        <ActionIcon
          variant="subtle"
          size={28}
          title={shared.retry}
          aria-label={`${shared.retry}\u202f: ${delivery.subject}`}
          onClick={() => void act(deliveryRoutes.retry, shared.retried)}
        >
          <IconRefresh size={16} stroke={1.8} />
        </ActionIcon>
      )}
      {delivery.state === 'waiting' && (
        <ActionIcon
          variant="subtle"
          color="red"
          size={28}
          title={shared.cancel}
          aria-label={`${shared.cancel}\u202f: ${delivery.subject}`}
          onClick={() => void act(deliveryRoutes.cancel, shared.cancelled)}
        >
          <IconX size={16} stroke={1.8} />
        </ActionIcon>
      )}
    </span>
  )
}
