import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startResponders } from './responders.ts'

/** Two ports that were free a moment ago. */
const freePorts = async (): Promise<{ tcp: number; http: number }> => {
  const servers = [createServer(), createServer()]
  const ports = await Promise.all(servers.map(server => portOf(server)))
  for (const server of servers) server.close()
  return { tcp: ports[0] ?? 0, http: ports[1] ?? 0 }
}
const portOf = (server: ReturnType<typeof createServer>, port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '0.0.0.0', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
const refusalOf = (starting: Promise<unknown>): Promise<string> =>
  starting.then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

describe('a port of the demonstration that is taken', () => {
  it('by another demonstration: says so and how to end it, and leaves that one running', async () => {
    const ports = await freePorts()
    const first = await startResponders(ports)
    try {
      const told = await refusalOf(startResponders(ports))
      expect(told).toContain(`Le port ${ports.tcp} est déjà pris par une autre démonstration de Narval`)
      expect(told).toContain('narval.pid')
      expect(await refusalOf(startResponders(ports))).toBe(told)
    } finally {
      first.close()
    }
    const again = await startResponders(ports)
    again.close()
  })

  it('by another program: names the port, and gives back the other one', async () => {
    const ports = await freePorts()
    const other = createServer(socket => socket.end('SSH-2.0-other\r\n'))
    await portOf(other, ports.http)
    try {
      const told = await refusalOf(startResponders(ports))
      expect(told).toContain(
        `Le port ${ports.http}, dont la démonstration a besoin, est déjà pris par un autre programme`,
      )
      expect(await refusalOf(portOf(createServer().unref(), ports.tcp))).toBe('started')
    } finally {
      other.close()
    }
  })
})
