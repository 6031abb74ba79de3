import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { readTarget } from './access.ts'
import { type AdmissionOptions, admit } from './admission.ts'
import { attachTransport, type Connection, connectionGone, type Hub, receiveBytes } from './connection.ts'
import type { HubIdentity } from './hub-method.ts'
import type { Registry } from './registry.ts'
import { openWebSocketTransport } from './websocket-transport.ts'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Answers every upgrade of the HTTP server: a WebSocket on a hub, or a refusal written on the raw socket (404 elsewhere). */
export function createUpgradeHandler(
  hubs: ReadonlyMap<string, Hub>,
  registry: Registry,
  admission: AdmissionOptions,
  seen: (identity: HubIdentity) => void,
): UpgradeHandler {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: registry.context.limits.bodyBytes,
    skipUTF8Validation: true,
  })

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const target = readTarget(request.url)
    const hub = target === null ? undefined : hubs.get(target.path)
    if (target === null || hub === undefined) return refuse(socket, 404)
    const admitted = await admit(admission, request.method, request.headers, target.params)
    if (!admitted.admitted) return refuse(socket, admitted.status, admitted.headers)
    if (socket.destroyed) return
    seen(admitted.identity)
    const connection = takeConnection(registry, hub, admitted.identity, target.params.get('id'))
    if (typeof connection === 'number') return refuse(socket, connection, admitted.headers)
    // A handshake that `ws` refuses closes the socket without calling back: the id is then forgotten as unused.
    server.handleUpgrade(request, socket, head, webSocket => {
      const transport = openWebSocketTransport(webSocket, socket, {
        onBytes: bytes => receiveBytes(connection, bytes),
        onEnd: () => connectionGone(connection),
      })
      attachTransport(connection, transport)
    })
  }

  return (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch(error => {
      admission.log.error({ err: error }, 'hub: an upgrade failed')
      socket.destroy()
    })
  }
}

/** The negotiated connection of this id, or a new one when the client skipped the negotiation; else the status of refusal. */
function takeConnection(registry: Registry, hub: Hub, identity: HubIdentity, id: string | null): Connection | number {
  if (id === null) return registry.open(hub, identity)
  const connection = registry.find(id, hub, identity)
  if (connection === null || (connection.phase === 'ended' && connection.transport?.kind !== 'longPolling')) return 404
  return connection.phase === 'negotiated' ? connection : 409
}

function refuse(socket: Duplex, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n`)
}
