import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { freePort as anyFreePort } from '../../../../tools/free-port.ts'

/** Below those that systems give to connections that leave, so that none of these takes it before it is used; others than end-to-end tests take. */
const PORTS = { first: 10_000, last: 20_000 } as const

/** A TCP port of 127.0.0.1 that nobody listens on. */
export const freePort = (): Promise<number> => anyFreePort(PORTS.first, PORTS.last)

/** A UDP port of 127.0.0.1 that nobody listens on. */
export const freeUdpPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last)
    const socket = createSocket('udp4')
    const free = await new Promise<boolean>(resolve => {
      socket.once('error', () => resolve(false))
      socket.bind(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise<void>(resolve => socket.close(resolve))
    return port
  }
}
