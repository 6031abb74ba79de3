import { createServer, type Server, type Socket } from 'node:net'
import { type CheckKind, metricDefinition, type ProbeCheck } from '@narval/contracts'
import { type CheckContext, createStopper } from '../checks/check.ts'
import { createRegistry } from '../checks/registry.ts'
import type { CheckOutcome } from '../failure.ts'
import { createResolver, type Lookup } from '../resolver.ts'
import { createVetting } from '../vetting.ts'

/** A check of this kind as the server would send it, to loopback. */
export const checkFor = (
  kind: CheckKind,
  parameters: Record<string, unknown>,
  more: Partial<ProbeCheck> = {},
): ProbeCheck => ({
  scanner: 1,
  kind,
  address: '127.0.0.1',
  intervalMs: 60_000,
  retryIntervalMs: 20_000,
  attempts: 3,
  timeoutMs: 2_000,
  parameters,
  loopback: true,
  ...more,
})

const stopper = createStopper()
/** What a runner is given, with names of the test's own; the rest is the probe's. */
export const checkContext = (
  names: Readonly<Record<string, readonly string[]>> = {},
  more: Partial<CheckContext> = {},
): CheckContext => {
  const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
  const lookup: Lookup = async name => {
    const addresses = names[name]
    if (addresses === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
    return addresses
  }
  const resolver = createResolver(vetting, () => performance.now(), lookup)
  const nowMs = (): number => performance.now()
  return { onStop: stopper.onStop, vetting, resolver, pinger: null, fping: null, nowMs, ...more }
}

const registry = createRegistry()
/** Runs a check once; every value must belong to a metric that its kind knows. */
export const runCheck = async (
  kind: CheckKind,
  parameters: Record<string, unknown>,
  more: Partial<ProbeCheck> = {},
  context: CheckContext = checkContext(),
): Promise<CheckOutcome> => {
  const outcome = await registry[kind].run(checkFor(kind, parameters, more), context)
  for (const [key, value] of Object.entries(outcome.values)) {
    if (metricDefinition(kind, key, parameters) === null) throw new Error(`${kind} produces no ${key}`)
    if (!Number.isFinite(value)) throw new Error(`${key} is ${value}`)
  }
  return outcome
}

export interface TestServers {
  /** Listens on a free loopback port with this handler; the port. */
  readonly tcp: (handler: (socket: Socket) => void) => Promise<number>
  readonly listen: (server: Server, host?: string) => Promise<number>
  readonly close: () => Promise<void>
}

/** TCP servers of a test, all ended at once whatever their connections do. */
export const createTestServers = (): TestServers => {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  const listen = async (server: Server, host = '127.0.0.1'): Promise<number> => {
    servers.add(server)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
    })
    await new Promise<void>(resolve => server.listen(0, host, resolve))
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('not listening')
    return address.port
  }
  return {
    listen,
    tcp: handler => listen(createServer(handler)),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      for (const server of servers) await new Promise(resolve => server.close(resolve))
      servers.clear()
      sockets.clear()
    },
  }
}
