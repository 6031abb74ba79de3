import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A TCP port of 127.0.0.1 in [first, last) that nobody listens on. Take it below 32,768: those above are given to
 * connections that leave, and one of these could have it before it is used.
 */
export const freePort = async (first: number, last: number): Promise<number> => {
  for (;;) {
    const port = randomInt(first, last)
    const server = createServer()
    const free = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}
