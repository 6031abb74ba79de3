import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { portTaken } from './port-taken.ts'
import { behave, DEMO_BANNER } from './scenario.ts'

/** Ports of the responders, on every address of 127.0.0.0/8. */
export const DEMO_TCP_PORT = 28_022
export const DEMO_HTTP_PORT = 28_080
/** A connection left hanging is given up after this, so that they never pile up. */
const HANG_MS = 15_000

const isLoopback = (address: string): boolean => address.startsWith('127.')
const addressOf = (socket: Socket): string => (socket.localAddress ?? '').replace(/^::ffff:/, '')

/**
 * Starts the responders: one listener a protocol, which looks at the address it was called on.
 * @throws with a sentence for who started them when a port is taken.
 */
export const startResponders = async (
  ports: { tcp: number; http: number } = { tcp: DEMO_TCP_PORT, http: DEMO_HTTP_PORT },
): Promise<{ close(): void }> => {
  const tcp = createServer(socket => {
    socket.on('error', () => undefined)
    socket.setTimeout(HANG_MS, () => socket.destroy())
    const address = addressOf(socket)
    if (!isLoopback(address)) return socket.destroy()
    const behaviour = behave(address, Date.now())
    if (behaviour.kind === 'hang') return
    if (behaviour.kind === 'reset') return socket.resetAndDestroy()
    if (behaviour.kind === 'error') return socket.end('503 indisponible\r\n')
    setTimeout(() => socket.end(`${DEMO_BANNER} ${address}\r\n`), behaviour.delayMs)
  })
  const http = createHttpServer((request, response) => {
    const address = addressOf(request.socket)
    if (!isLoopback(address)) return request.socket.destroy()
    const behaviour = behave(address, Date.now())
    if (behaviour.kind === 'hang') return
    if (behaviour.kind === 'reset') return request.socket.resetAndDestroy()
    if (behaviour.kind === 'error') return response.writeHead(500, { connection: 'close' }).end('Erreur interne')
    setTimeout(
      () =>
        response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' }).end(`Bonjour de ${address}\n`),
      behaviour.delayMs,
    )
  })
  http.setTimeout(HANG_MS)
  const close = () => {
    tcp.close()
    http.close()
    http.closeAllConnections()
  }
  try {
    await listen(tcp, ports.tcp)
    await listen(http, ports.http)
  } catch (error) {
    close()
    throw error instanceof PortTaken ? new Error(await portTaken(error.port, ports.tcp)) : error
  }
  return { close }
}

class PortTaken extends Error {
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is taken`)
    this.port = port
  }
}

const listen = (server: ReturnType<typeof createServer>, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', error => reject('code' in error && error.code === 'EADDRINUSE' ? new PortTaken(port) : error))
    server.listen(port, '0.0.0.0', 4_096, () => resolve())
  })
