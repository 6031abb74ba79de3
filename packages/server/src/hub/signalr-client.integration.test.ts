import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { afterEach, describe, expect, it } from 'vitest'
import { createAccounts, createManualClock, HUB, startServer, type TestServer } from './hub-test-kit.ts'

/** The official client, unchanged, on each transport forced: a transport that fails must not hide behind another. */
const TRANSPORTS = [
  ['WebSocket', HttpTransportType.WebSockets],
  ['server-sent events', HttpTransportType.ServerSentEvents],
  ['long polling', HttpTransportType.LongPolling],
] as const

const servers: TestServer[] = []
const clients: HubConnection[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.stop()))
  await Promise.all(servers.splice(0).map(({ app }) => app.close()))
})

async function serve(...given: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...given)
  servers.push(server)
  return server
}

function connect(url: string, transport: HttpTransportType, token: () => string = () => 'good'): HubConnection {
  const client = new HubConnectionBuilder()
    .withUrl(`${url}${HUB}`, { transport, accessTokenFactory: token })
    .withAutomaticReconnect(Array.from({ length: 50 }, () => 50))
    .configureLogging(LogLevel.None)
    .build()
  clients.push(client)
  return client
}

const nextEvent = (client: HubConnection, name: string) =>
  new Promise<readonly unknown[]>(resolve => {
    client.on(name, (...args: unknown[]) => resolve(args))
  })
const reconnected = (client: HubConnection) => new Promise<void>(resolve => client.onreconnected(() => resolve()))

describe.each(TRANSPORTS)('the SignalR client over %s', (_name, transport) => {
  it('negotiates, joins a stream and receives what is published on it', async () => {
    const { url, hubs } = await serve()
    const client = connect(url, transport)
    await client.start()
    expect(await client.invoke('JoinCommunicationStream', 'global')).toBeUndefined()
    const event = nextEvent(client, 'alert')
    expect(hubs.publish(HUB, 'global', 'alert', [{ type: 'Error', title: 'Hôte', message: '« 1/3 » 🐋' }])).toBe(1)
    expect(await event).toEqual([{ type: 'Error', title: 'Hôte', message: '« 1/3 » 🐋' }])
  })

  it('gets a result, an error for an unknown method, a generic error for a failing one, and stays connected', async () => {
    const { url } = await serve()
    const client = connect(url, transport)
    await client.start()
    expect(await client.invoke('Echo', { a: [1, null, 'é'] })).toEqual({ a: [1, null, 'é'] })
    await expect(client.invoke('Nothing')).rejects.toThrow('Unknown method.')
    await expect(client.invoke('constructor')).rejects.toThrow('Unknown method.')
    await expect(client.invoke('Throw')).rejects.toThrow('The call was refused or failed.')
    expect(await client.invoke('Echo', 2)).toBe(2)
  })

  it('S53: is refused a forbidden stream, can not publish, and nobody receives', async () => {
    const { url, hubs } = await serve()
    const [sender, other] = [connect(url, transport), connect(url, transport)]
    await Promise.all([sender.start(), other.start()])
    await other.invoke('JoinCommunicationStream', 'global')
    const event = nextEvent(other, 'alert')
    await expect(sender.invoke('JoinCommunicationStream', 'forbidden')).rejects.toThrow('refused')
    await expect(sender.invoke('alert', { title: 'faux' })).rejects.toThrow('Unknown method.')
    await sender.send('alert', { title: 'faux' })
    await sender.invoke('Echo', 1)
    hubs.publish(HUB, 'global', 'alert', ['vrai'])
    expect(await event).toEqual(['vrai'])
  })

  it('R27: comes back by itself after a graceful stop of the server', async () => {
    const accounts = createAccounts()
    const first = await startServer({ accounts })
    const client = connect(first.url, transport)
    await client.start()
    const back = reconnected(client)
    await first.app.close()
    const second = await serve({ accounts, port: first.port })
    await back
    await client.invoke('JoinCommunicationStream', 'global')
    const event = nextEvent(client, 'alert')
    second.hubs.publish(HUB, 'global', 'alert', ['encore'])
    expect(await event).toEqual(['encore'])
  })

  it('comes back by itself after its sockets were destroyed', async () => {
    const server = await serve()
    const sockets = new Set<{ destroy(): void }>()
    server.app.server.on('connection', socket => sockets.add(socket))
    const client = connect(server.url, transport)
    await client.start()
    const back = reconnected(client)
    for (const socket of sockets) socket.destroy()
    await back
    expect(await client.invoke('Echo', 'back')).toBe('back')
  })

  it('S52: is closed with its session, renegotiates with a new token and is accepted', async () => {
    const { url, hubs, accounts, clock } = await serve()
    let token = 'good'
    const client = connect(url, transport, () => token)
    await client.start()
    const back = reconnected(client)
    token = accounts.issue('renewed', 1, 2, clock.wallMs() + 600_000)
    accounts.tokens.delete('good')
    accounts.ends.delete(1)
    expect(hubs.endSession(1)).toBe(1)
    await back
    expect(await client.invoke('Echo', 'renewed')).toBe('renewed')
  })

  it('stops cleanly, and nothing of it is left on the server', async () => {
    const { url, hubs } = await serve()
    const client = connect(url, transport)
    await client.start()
    await client.invoke('JoinCommunicationStream', 'global')
    await client.stop()
    await expect.poll(() => hubs.stats()).toMatchObject({ connections: 0, streams: 0, sessions: 0 })
  })

  it('S51: can not start without a token, with an unknown one, or with one that has expired', async () => {
    const { url, accounts, clock } = await serve()
    accounts.issue('old', 1, 3, clock.wallMs())
    for (const token of ['', 'unknown', 'old']) {
      await expect(connect(url, transport, () => token).start()).rejects.toThrow('401')
    }
  })
})

it('200 clients at once, over the three transports, each receive each event once', async () => {
  const accounts = createAccounts()
  const clock = createManualClock()
  const { url, hubs } = await serve({ accounts, clock })
  const received: number[] = []
  const all = Array.from({ length: 200 }, (_, index) => {
    const token = accounts.issue(`user ${index}`, 10 + (index % 20), 10 + index, clock.wallMs() + 600_000)
    const transport = TRANSPORTS[index % TRANSPORTS.length]?.[1] ?? HttpTransportType.WebSockets
    return { index, client: connect(url, transport, () => encodeURIComponent(token)) }
  })
  for (const [token, identity] of [...accounts.tokens]) accounts.tokens.set(encodeURIComponent(token), identity)
  await Promise.all(
    all.map(async ({ index, client }) => {
      client.on('alert', () => received.push(index))
      await client.start()
      await client.invoke('JoinCommunicationStream', 'global')
    }),
  )
  expect(hubs.publish(HUB, 'global', 'alert', ['un'])).toBe(200)
  expect(hubs.publish(HUB, 'global', 'alert', ['deux'])).toBe(200)
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(400)
  expect(new Set(received).size).toBe(200)
})
