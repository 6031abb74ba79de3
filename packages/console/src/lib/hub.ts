import {
  type AlertEvent,
  type HostChanged,
  HUB_KEEP_ALIVE_MS,
  HUB_RECONNECT_DELAYS_MS,
  HUB_SERVER_TIMEOUT_MS,
  HUBS,
  type HubName,
  type MetricChanged,
  type ServiceChanged,
  type SiteChanged,
} from '@narval/contracts'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { createHubLink, type HubLink, type HubState } from './hub-link.ts'
import { session } from './session.ts'

export type { HubState } from './hub-link.ts'

/** What each hub pushes. */
export interface HubPayloads {
  readonly communication: AlertEvent
  readonly host: HostChanged
  readonly metric: MetricChanged
  readonly site: SiteChanged
  readonly service: ServiceChanged
}

let heardMs: number | null = null
/** When the server was last heard over any hub, epoch ms; null: not yet. Held on the service hub's `global`, it beats. */
export const lastHeardMs = (): number | null => heardMs
const hear = (): void => {
  heardMs = Date.now()
}

const makeLink = <N extends HubName>(name: N): HubLink<HubPayloads[N]> => {
  const hub = HUBS[name]
  return createHubLink<HubPayloads[N]>({
    join: hub.join,
    leave: hub.leave,
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    async open(deliver) {
      const { HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr')
      const connection = new HubConnectionBuilder()
        .withUrl(hub.path, { accessTokenFactory: async () => (await session.freshToken()) ?? '' })
        .withAutomaticReconnect([...HUB_RECONNECT_DELAYS_MS])
        .withServerTimeout(HUB_SERVER_TIMEOUT_MS)
        .withKeepAliveInterval(HUB_KEEP_ALIVE_MS)
        .configureLogging(LogLevel.None)
        .build()
      connection.on(hub.event, (payload: HubPayloads[N]) => {
        hear()
        deliver(payload)
      })
      return connection
    },
  })
}

const links: { readonly [N in HubName]: HubLink<HubPayloads[N]> } = {
  communication: makeLink('communication'),
  host: makeLink('host'),
  metric: makeLink('metric'),
  site: makeLink('site'),
  service: makeLink('service'),
}

for (const link of Object.values(links))
  link.subscribe(() => {
    if (link.state() === 'Connected') hear()
  })

/** Real time begins when the account is loaded and ends with the session (spec §4). */
const follow = (): void => {
  const { user } = session.state()
  const allowed = user !== null && !user.firstConnection
  if (allowed === following) return
  following = allowed
  for (const link of Object.values(links)) link.allow(allowed)
}
let following = false
session.subscribe(follow)
follow()

/**
 * Listens to a stream of a hub while the component is mounted (`null`: not now). The handler hears the events of every
 * stream that the console has joined on this hub: look at the ids.
 */
export const useHubEvent = <N extends HubName>(
  hub: N,
  stream: string | null,
  handler: (payload: HubPayloads[N]) => void,
): void => {
  const onEvent = useEffectEvent(handler)
  useEffect(() => {
    if (stream === null) return
    return links[hub].hold(stream, payload => onEvent(payload))
  }, [hub, stream])
}

/**
 * Runs after each join of the hub, the first included: what changed before was not heard. `again` is true when the
 * connection had been lost; the shell then asks for everything that is on the screen.
 */
export const useHubJoined = (hub: HubName, run: (again: boolean) => void): void => {
  const onJoined = useEffectEvent(run)
  useEffect(() => links[hub].onJoined(again => onJoined(again)), [hub])
}

/** The state of a hub's connection; « Connected » once all the streams asked for are joined. */
export const useHubState = (hub: HubName): HubState => useSyncExternalStore(links[hub].subscribe, links[hub].state)
