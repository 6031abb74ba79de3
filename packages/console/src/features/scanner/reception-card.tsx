import { Button, Group, Text } from '@mantine/core'
import {
  CHECKS,
  EVENTS_SHOWN,
  eventRoutes,
  ownMetrics,
  pushRoutes,
  type ReceivedEvent,
  type Scanner,
} from '@narval/contracts'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './reception-card.module.css'
import { fr } from './reception-fr.ts'

/** What concerns scanners that wait for what is sent: the token of pushed values, and the messages that came. */
export const ReceptionCards = ({ scanner }: { readonly scanner: Scanner }) => {
  const { passive, runner } = CHECKS[scanner.kind]
  if (passive !== true && runner !== 'server') return null
  return (
    <>
      {runner === 'server' && <PushCard scanner={scanner} />}
      <EventsCard scannerId={scanner.id} />
    </>
  )
}

const PushCard = ({ scanner }: { readonly scanner: Scanner }) => {
  const writes = useSession().canOn(scanner, 'scanner_write')
  const client = useQueryClient()
  const [token, setToken] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const queryKey = ['push-token', scanner.id]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(pushRoutes.token, { query: { id: String(scanner.id) }, signal }),
  })
  const renew = async (): Promise<void> => {
    setAsking(false)
    setRefusal(null)
    try {
      setToken((await call(pushRoutes.renew, { params: { id: String(scanner.id) } })).token)
      await client.invalidateQueries({ queryKey })
    } catch (error) {
      setRefusal(error)
    }
  }
  if (data === undefined) return null
  return (
    <Card title={fr.push.title}>
      <p className={classes.note}>{fr.push.text}</p>
      <p className={classes.note}>
        {data.createdAt === null ? (
          fr.push.none
        ) : (
          <>
            {fr.push.made} <Ago at={data.createdAt} /> {data.createdBy !== null && fr.push.by(data.createdBy)}
          </>
        )}
      </p>
      {token !== null && <Commands token={token} scanner={scanner} />}
      {refusal !== null && <p role="alert">{errorText(refusal)}</p>}
      {writes && isAsking && (
        <Group mt={8}>
          <Text size="sm">{fr.push.renewText}</Text>
          <Button size="compact-sm" color="red" onClick={() => void renew()}>
            {fr.push.renew}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAsking(false)}>
            {fr.push.cancel}
          </Button>
        </Group>
      )}
      {writes && !isAsking && (
        <Button
          mt={8}
          variant="default"
          size="compact-sm"
          onClick={() => (data.createdAt === null ? void renew() : setAsking(true))}
        >
          {data.createdAt === null ? fr.push.create : fr.push.renew}
        </Button>
      )}
    </Card>
  )
}

const Commands = ({ token, scanner }: { readonly token: string; readonly scanner: Scanner }) => {
  const address = `${location.origin}/api/Push/${token}`
  const values = Object.fromEntries(ownMetrics(scanner.kind, scanner.parameters).map(({ key }) => [key, 1]))
  return (
    <div className={classes.made}>
      <Text size="sm" role="status">
        {fr.push.once}
      </Text>
      <CopyText
        text={`curl -fsS -H 'Content-Type: application/json' -d '${JSON.stringify({ values })}' ${address}`}
        label={fr.push.command}
        words={fr.push}
      />
      <CopyText text={`curl -fsS -X POST '${address}?value=1'`} label={fr.push.short} words={fr.push} />
    </div>
  )
}

const REFRESH_MS = 5_000

/** The last messages, the newest first, as they come. */
const EventsCard = ({ scannerId }: { readonly scannerId: number }) => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['received-events', scannerId],
    queryFn: ({ pageParam, signal }) =>
      call(eventRoutes.ofScanner, {
        query: { id: String(scannerId), ...(pageParam !== null && { before: String(pageParam) }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: page => (page.length < EVENTS_SHOWN ? undefined : page.at(-1)?.id),
    refetchInterval: REFRESH_MS,
  })
  const events = data?.pages.flat() ?? []
  return (
    <Card title={fr.events.title}>
      {error !== null && <p className={classes.note}>{errorText(error)}</p>}
      {data !== undefined && events.length === 0 && <p className={classes.note}>{fr.events.none}</p>}
      <ul className={classes.list} aria-label={fr.events.title}>
        {events.map(event => (
          <Received key={event.id} event={event} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {fr.events.older}
        </Button>
      )}
    </Card>
  )
}

const Received = ({ event }: { readonly event: ReceivedEvent }) => (
  <li className={classes.event}>
    <SeverityIcon severity={event.severity} size={14} label={fr.events.severity[event.severity]} />
    <span className={classes.source}>{event.source}</span>
    <span className={classes.text}>{event.text}</span>
    <span className={classes.when}>
      <Ago at={event.at} />
    </span>
  </li>
)
