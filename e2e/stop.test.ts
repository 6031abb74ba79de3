import { connect, type Socket } from 'node:net'
import { accountRoutes, authenticationRoutes, siteRoutes } from '@narval/contracts'
import { afterAll, describe, expect, it } from 'vitest'
import { type ApiClient, signIn } from './kit/client.ts'
import { createTcpScanners, readSamples, type TcpScanner } from './kit/fleet.ts'
import { type AlertListener, listenToAlerts } from './kit/hub.ts'
import { endProgram, type Program } from './kit/program.ts'
import { freePort, type RunningServer, removeFolder, spawnServer, startServer, temporaryFolder } from './kit/server.ts'
import { approvedWireProbe, type SignedPost, type WireProbe } from './kit/wire-probe.ts'

const QUIET = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'fatal' }
const DRAIN_LIMIT_MS = 10_000

const folders: string[] = []
const programs: Program[] = []
const listeners: AlertListener[] = []
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.stop()))
  await Promise.all(programs.map(endProgram))
  folders.forEach(removeFolder)
})

const newFolder = (): string => {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}
const start = async (folder: string, port: number, env: Readonly<Record<string, string>> = QUIET) => {
  const server = await startServer(folder, port, env)
  programs.push(server)
  return server
}

interface Site {
  readonly server: RunningServer
  readonly api: ApiClient
  readonly probe: WireProbe
  readonly tcp: TcpScanner
}
/** A server of its own, with a probe reduced to its wire and one scanner that it runs. */
const open = async (): Promise<Site> => {
  const server = await start(newFolder(), await freePort())
  const api = await signIn(server.url)
  const probe = await approvedWireProbe(server.url, api)
  const [tcp] = await createTcpScanners(api, { probeId: probe.id, name: 'arret' })
  if (tcp === undefined) throw new Error('no scanner')
  return { server, api, probe, tcp }
}
const result = (tcp: TcpScanner, at: number, value: number) => ({
  scanner: tcp.scanner.id,
  at,
  durationMs: 1,
  failure: null,
  values: { connect_time: value },
})

/** Resolves with all that came once the connection has ended, whichever way. */
const readToEnd = (socket: Socket): Promise<string> =>
  new Promise(resolve => {
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })

/** Sends a batch but for the last byte of its body: a call that is under way for as long as the test wants. */
const beginPost = async (server: RunningServer, post: SignedPost): Promise<Socket> => {
  const socket = connect(server.port, '127.0.0.1')
  await new Promise(resolve => socket.once('connect', resolve))
  const headers = { host: '127.0.0.1', 'content-length': String(Buffer.byteLength(post.body)), ...post.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const sent = `POST ${post.path} HTTP/1.1\r\n${lines.join('')}\r\n${post.body.slice(0, -1)}`
  await new Promise<void>(resolve => socket.write(sent, () => resolve()))
  // An answer on another connection, asked later: the server has read ours by then.
  await fetch(`${server.url}/health/live`)
  return socket
}
/** Resolves once the server takes no new connection, or refuses calls with 503. */
const stopping = async (server: RunningServer): Promise<void> => {
  for (;;) {
    const status = await fetch(`${server.url}/health/ready`, { headers: { connection: 'close' } }).then(
      answer => answer.status,
      () => 0,
    )
    if (status !== 200) return
  }
}

describe.concurrent('R27: a stop that was asked for', () => {
  it('under load: ends within 10 s with code 0, refuses new calls by 503 or not at all, loses nothing acknowledged', async ({
    expect,
  }) => {
    const { server, api, probe, tcp } = await open()
    const startMs = Date.now() - 3_600_000
    const statuses = new Map<string, number>()
    const count = (status: string | number) => statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
    let acknowledged = 0
    let made = 0
    const sites: string[] = []
    let ended = false
    const post = async () => {
      while (!ended) {
        const number = acknowledged + 1
        const status = await probe.post(number, [result(tcp, startMs + number, number)])
        count(status)
        if (status === 204) acknowledged = number
      }
    }
    const create = async () => {
      while (!ended) {
        const name = `s-${++made}`
        await api.call(siteRoutes.create, { body: { name, code: name } }).then(
          () => sites.push(name),
          error => count(/answered (\d+)/.exec(String(error))?.[1] ?? 0),
        )
      }
    }
    const clients = await Promise.all([1, 2, 3].map(() => listenToAlerts(server.url, api.token)))
    listeners.push(...clients)
    const closed = clients.map(
      client =>
        new Promise<string>(resolve => client.connection.onreconnecting(error => resolve(error?.message ?? ''))),
    )
    const back = clients.map(client => new Promise<void>(resolve => client.connection.onreconnected(() => resolve())))
    const loads = [post(), create()]
    await expect.poll(() => Math.min(acknowledged, sites.length), { timeout: 60_000 }).toBeGreaterThan(50)

    const askedMs = performance.now()
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    const tookMs = performance.now() - askedMs
    expect(tookMs).toBeLessThan(DRAIN_LIMIT_MS)
    ended = true
    await Promise.all(loads)
    expect([...statuses.keys()].filter(status => !['204', '503', '0'].includes(status))).toEqual([])
    // Close with allowReconnect makes the official client try again without an error; a mere cut gives it one.
    expect(await Promise.all(closed)).toEqual(['', '', ''])

    const again = await start(server.folder, server.port)
    await Promise.all(back)
    const now = await signIn(again.url)
    const values = (await readSamples(now, tcp.connectTime.id, startMs, startMs + acknowledged + 2)).map(
      one => one.value,
    )
    const lost = Array.from({ length: acknowledged }, (_, index) => index + 1).filter(one => !values.includes(one))
    const names = new Set((await now.call(siteRoutes.list)).map(site => site.name))
    const lostSites = sites.filter(name => !names.has(name))
    console.log(
      `SIGTERM under load: ${Math.round(tookMs)} ms; ${acknowledged} samples and ${sites.length} sites acknowledged, ` +
        `${lost.length + lostSites.length} lost; answers ${JSON.stringify(Object.fromEntries(statuses))}; ${clients.length} hub clients came back`,
    )
    expect([lost, lostSites]).toEqual([[], []])
  }, 180_000)

  it('a call that is under way is answered, not cut', async ({ expect }) => {
    const { server, probe, tcp } = await open()
    const startMs = Date.now() - 60_000
    const post = probe.signed(1, [result(tcp, startMs, 7)])
    const socket = await beginPost(server, post)
    const answer = readToEnd(socket)
    server.kill('SIGTERM')
    await stopping(server)
    socket.write(post.body.slice(-1))
    expect((await answer).split('\r\n')[0]).toBe('HTTP/1.1 204 No Content')
    expect(await server.exited).toBe(0)
    const again = await start(server.folder, server.port)
    const found = await readSamples(await signIn(again.url), tcp.connectTime.id, startMs, startMs + 1)
    expect(found).toEqual([{ at: startMs, value: 7 }])
  })

  it('a client that never finishes its call holds nobody for 10 s: the exit is still 0', async ({ expect }) => {
    const { server, probe, tcp } = await open()
    const socket = await beginPost(server, probe.signed(1, [result(tcp, Date.now(), 7)]))
    const askedMs = performance.now()
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(DRAIN_LIMIT_MS)
    socket.destroy()
  })

  it('a second SIGTERM ends at once', async ({ expect }) => {
    const { server, probe, tcp } = await open()
    const socket = await beginPost(server, probe.signed(1, [result(tcp, Date.now(), 7)]))
    server.kill('SIGTERM')
    await stopping(server)
    const askedMs = performance.now()
    server.kill('SIGTERM')
    expect(await server.exited).toBe(1)
    expect(performance.now() - askedMs).toBeLessThan(2_000)
    socket.destroy()
  })
})

describe('S15: what a restart keeps', () => {
  it('a session goes on, one that was logged out stays so', async () => {
    const server = await start(newFolder(), await freePort())
    const [kept, over] = [await signIn(server.url), await signIn(server.url)]
    await over.call(authenticationRoutes.logout)
    server.kill('SIGTERM')
    await server.exited
    const again = await start(server.folder, server.port)
    const statusOf = async (client: ApiClient) =>
      (await fetch(`${again.url}${accountRoutes.own.path}`, { headers: { authorization: `Bearer ${client.token()}` } }))
        .status
    expect([await statusOf(kept), await statusOf(over)]).toEqual([200, 401])
  })
})

describe('R20: one server a data folder', () => {
  it('a second one is refused with the pid of the first, code 3; after kill -9 the folder is free', async () => {
    const folder = newFolder()
    const first = await start(folder, await freePort())
    const second = spawnServer(folder, await freePort(), QUIET)
    expect(await second.exited).toBe(3)
    expect(second.output()).toContain(String(first.pid))
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200)
    await endProgram(first)
    const third = await start(folder, first.port)
    expect((await fetch(`${third.url}/health/ready`)).status).toBe(200)
  })
})

describe('a wrong configuration', () => {
  it('is refused naming every fault, code 2, and nothing is created', async () => {
    const wrong = spawnServer(newFolder(), 1, {
      NARVAL_PORT: 'huit',
      NARVAL_TLS_CERT: 'x',
      NARVAL_PROT: '1',
      NARVAL_LOCAL_PROBE: 'peut-être',
      NARVAL_LOG: 'fort',
      DATABASE_URL: 'ftp://x',
    })
    expect(await wrong.exited).toBe(2)
    for (const name of [
      'NARVAL_PORT',
      'NARVAL_TLS_KEY',
      'NARVAL_PROT',
      'NARVAL_LOCAL_PROBE',
      'NARVAL_LOG',
      'DATABASE_URL',
    ])
      expect(wrong.output()).toContain(name)
  })
})
