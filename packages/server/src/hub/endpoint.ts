import type { ServerResponse } from 'node:http'
import { attachTransport, type Connection, connectionGone, type Hub, receiveBytes } from './connection.ts'
import { openEventStreamTransport } from './event-stream-transport.ts'
import type { HubIdentity } from './hub-method.ts'
import { openLongPollingTransport } from './long-polling-transport.ts'
import { negotiateAnswer, negotiateVersion } from './negotiation.ts'
import type { Registry } from './registry.ts'
import type { LongPollingTransport } from './transport.ts'

/** A request on a hub whose origin and token were found good. */
export interface HubRequest {
  readonly hub: Hub
  readonly identity: HubIdentity
  readonly params: URLSearchParams
  readonly accept: string
  readonly body: Uint8Array
  /** Takes the response over: the caller must not answer any more. */
  readonly hijack: () => ServerResponse
  /** Headers that a response taken over must carry. */
  readonly headers: Readonly<Record<string, string>>
}

/** `taken`: the response belongs to a transport now. */
export type HubReply =
  | 'taken'
  | {
      readonly status: number
      readonly json?: object
      readonly text?: string
      readonly headers?: Record<string, string>
    }

const refusal = (status: number, text: string, headers: Record<string, string> = {}): HubReply => ({
  status,
  text,
  headers,
})
const FULL: Readonly<Record<429 | 503, HubReply>> = {
  429: refusal(429, 'Too many connections of this user.', { 'retry-after': '15' }),
  503: refusal(503, 'Too many connections.', { 'retry-after': '15' }),
}

/** `POST {hub}/negotiate`: gives an id, to be used within 15 s. */
export function negotiate(registry: Registry, request: HubRequest): HubReply {
  const version = negotiateVersion(request.params.get('negotiateVersion'))
  if (version === null) return { status: 200, json: { error: 'negotiateVersion is a whole number.' } }
  const connection = registry.open(request.hub, request.identity)
  if (typeof connection === 'number') return FULL[connection]
  return { status: 200, json: negotiateAnswer(version, connection.id, connection.token) }
}

/** The connection that `id` names, with what may be done to it, or the refusal. An id that was used up is unknown. */
export function findConnection(registry: Registry, request: Omit<HubRequest, 'hijack'>): Connection | HubReply {
  const token = request.params.get('id')
  if (token === null || token === '') return refusal(400, 'The id is missing.')
  const connection = registry.find(token, request.hub, request.identity)
  const spent = connection?.phase === 'ended' && connection.transport?.kind !== 'longPolling'
  return connection === null || spent ? refusal(404, 'No such connection.') : connection
}

/** `GET {hub}?id=`: opens a stream of events, or polls. */
export function receive(registry: Registry, request: HubRequest): HubReply {
  const found = findConnection(registry, request)
  if (!isConnection(found)) return found
  const streamed = request.accept.toLowerCase().includes('text/event-stream')
  if (streamed && found.phase === 'negotiated') {
    const transport = openEventStreamTransport(request.hijack(), request.headers, () => connectionGone(found))
    attachTransport(found, transport)
    return 'taken'
  }
  const polled = streamed ? null : pollable(found)
  if (polled === null) return refusal(409, 'The connection has a transport already.')
  polled.poll(request.hijack(), request.headers, found.context.nowMs)
  return 'taken'
}

function pollable(connection: Connection): LongPollingTransport | null {
  if (connection.phase === 'negotiated') {
    attachTransport(
      connection,
      openLongPollingTransport(connection.context.nowMs, () => connectionGone(connection)),
    )
  }
  return connection.transport?.kind === 'longPolling' ? connection.transport : null
}

/** `POST {hub}?id=`: takes bytes of the client, for the transports that only bring bytes to it. */
export function send(registry: Registry, request: HubRequest): HubReply {
  const found = findConnection(registry, request)
  if (!isConnection(found)) return found
  if (found.transport?.kind === 'webSocket') return refusal(405, 'A WebSocket sends by itself.', { allow: 'GET' })
  if (found.phase === 'negotiated') return refusal(409, 'The connection has no transport yet.')
  if (found.phase === 'ended') return refusal(404, 'No such connection.')
  receiveBytes(found, request.body)
  return { status: 200 }
}

/** `DELETE {hub}?id=`: ends a polled connection. */
export function remove(registry: Registry, request: HubRequest): HubReply {
  const found = findConnection(registry, request)
  if (!isConnection(found)) return found
  if (found.transport !== null && found.transport.kind !== 'longPolling') {
    return refusal(400, 'Only a polled connection is deleted.')
  }
  found.transport?.drop()
  connectionGone(found)
  return { status: 202 }
}

function isConnection(found: Connection | HubReply): found is Connection {
  return typeof found === 'object' && 'phase' in found
}
