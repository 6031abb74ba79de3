import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'

/**
 * Follows the sockets that have sent no request yet, and returns how to cut them. Browsers and fetch open some in advance;
 * Node counts them as busy, so that without this a server that closes waits a minute for them.
 */
export function followUnusedSockets(server: HttpServer | HttpsServer): () => void {
  const unused = new Set<Socket>()
  function forget(this: Socket): void {
    unused.delete(this)
  }
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    unused.add(socket)
    socket.on('close', forget)
  })
  const used = ({ socket }: IncomingMessage) => unused.delete(socket)
  server.on('request', used)
  server.on('upgrade', used)
  return () => {
    for (const socket of unused) socket.destroy()
  }
}
