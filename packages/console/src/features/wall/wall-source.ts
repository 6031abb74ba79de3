import {
  DISPLAY_STREAM,
  displayRoutes,
  type HostGrid,
  HUB_RECONNECT_DELAYS_MS,
  HUBS,
  type ServiceChanged,
  type Wall,
} from '@narval/contracts'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../lib/api.ts'
import { request } from '../../lib/http.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { createHubLink, type HubLink } from '../../lib/hub-link.ts'
import { transport } from '../../lib/session.ts'

/** Longest wait for an answer: a wall must know within 10 s that there is none. */
const TIMEOUT_MS = 5_000

/** Where a wall gets what it shows: as an account, or by a display token. */
export interface WallSource {
  readonly wall: (signal: AbortSignal) => Promise<Wall>
  readonly hosts: (signal: AbortSignal) => Promise<HostGrid>
  /** Calls back when something may have changed. */
  readonly useTicks: (onTick: () => void) => void
}

/** As the signed-in account. */
export const sessionSource: WallSource = {
  wall: signal => call(displayRoutes.wall, { signal, timeoutMs: TIMEOUT_MS }),
  hosts: signal => call(displayRoutes.hosts, { signal, timeoutMs: TIMEOUT_MS }),
  useTicks(onTick) {
    useHubEvent('service', DISPLAY_STREAM, onTick)
    useHubJoined('service', onTick)
  },
}

/** By a display token, which goes in a header and never into an address: the hub is polled, as browsers allow no header else. */
export const tokenSource = (token: string): WallSource => ({
  wall: signal => request(transport, displayRoutes.wall, { signal, timeoutMs: TIMEOUT_MS }, token),
  hosts: signal => request(transport, displayRoutes.hosts, { signal, timeoutMs: TIMEOUT_MS }, token),
  useTicks(onTick) {
    const tick = useEffectEvent(onTick)
    useEffect(() => {
      const link = linkOf(token)
      const release = link.hold(DISPLAY_STREAM, () => tick())
      const forget = link.onJoined(() => tick())
      link.allow(true)
      return () => {
        forget()
        release()
        link.allow(false)
      }
    }, [])
  },
})

const linkOf = (token: string): HubLink<ServiceChanged> =>
  createHubLink<ServiceChanged>({
    ...{ join: HUBS.service.join, leave: HUBS.service.leave },
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    async open(deliver) {
      const { HttpTransportType, HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr')
      const connection = new HubConnectionBuilder()
        .withUrl(HUBS.service.path, { accessTokenFactory: () => token, transport: HttpTransportType.LongPolling })
        .withAutomaticReconnect([...HUB_RECONNECT_DELAYS_MS])
        .configureLogging(LogLevel.None)
        .build()
      connection.on(HUBS.service.event, (payload: ServiceChanged) => deliver(payload))
      return connection
    },
  })
