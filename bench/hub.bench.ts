/**
 * Fan-out of one alert from the hub to 1,000 WebSocket clients, beside a bare `ws` broadcast and socket.io in the same run.
 * Usage: npm run -s node -- bench/hub.bench.ts [clients…]   (default: 250 1000)
 * Servers run in child processes; this process holds the clients. Both sides read the machine's one monotonic clock.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { Server as SocketIo } from 'socket.io'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { createHubs } from '../packages/server/src/hub/hubs.ts'

const HUB = '/Hub/Communication'
const ROUNDS = 90
const WARM_UP = 60
const MAX_CLIENTS = 5_000
const ROUND_LIMIT_MS = 10_000
const ALERT = {
  type: 'Error',
  title: 'Serveur de fichiers',
  message: 'Le service ne répond plus depuis 3 mesures (délai de 2 s dépassé).',
}
const HANDSHAKE = '{"protocol":"json","version":1}\u001e'
const JOIN = '{"type":1,"target":"JoinCommunicationStream","arguments":["global"],"invocationId":"1"}\u001e'

/** `chosen`: ours, asking of each connection whether its user wants the alert. */
const KINDS = ['narval', 'chosen', 'ws', 'socket.io'] as const
type Kind = (typeof KINDS)[number]
type Report = { port: number } | { sentAtNs: string; blockedMs: number } | { bytes: number; heapBytes: number }

const nowNs = () => process.hrtime.bigint()

/** Child: one of the two servers, told what to do over IPC. */
async function serve(kind: Kind): Promise<void> {
  const { port, publish } = await {
    narval: () => serveHub(),
    chosen: () => serveHub(wanted),
    ws: serveBare,
    'socket.io': serveSocketIo,
  }[kind]()
  process.on('message', command => {
    if (command === 'publish') {
      const start = nowNs()
      publish()
      report({ sentAtNs: String(start), blockedMs: Number(nowNs() - start) / 1e6 })
    } else if (command === 'memory') {
      for (let pass = 0; pass < 4; pass += 1) globalThis.gc?.()
      const { rss, heapUsed, external } = process.memoryUsage()
      report({ bytes: rss, heapBytes: heapUsed + external })
    }
  })
  process.on('disconnect', () => process.exit())
  report({ port })
}

const report = (message: Report) => process.send?.(message)

/** As the server asks it: what an account wants is held in a map, most accounts want what all do. */
const asked = new Map(Array.from({ length: 200 }, (_, id) => [id, { error: true, sites: new Set([1, 2, 3]) }]))
const wanted = (userId: number): boolean => {
  const own = asked.get(userId)
  return own === undefined || (own.error && own.sites.has(2))
}

async function serveHub(to?: (userId: number) => boolean) {
  const expiresMs = Date.now() + 3_600_000
  const hubs = createHubs({
    hubs: [
      { path: HUB, methods: { JoinCommunicationStream: (connection, [stream]) => connection.join(String(stream)) } },
    ],
    authenticate: async token => ({ userId: Number(token), sessionId: Number(token), expiresMs }),
    liveSessions: async ids => new Map(ids.map(id => [id, expiresMs])),
    log: { debug: () => undefined, warn: console.error, error: console.error },
  })
  const app = Fastify()
  hubs.register(app)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(address).port), publish: () => hubs.publish(HUB, 'global', 'alert', [ALERT], to) }
}

/** The least that a `ws` user writes: stringify once, send to each client. */
async function serveBare() {
  const server = createServer().listen(0, '127.0.0.1')
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const publish = () => {
    const text = `${JSON.stringify({ type: 1, target: 'alert', arguments: [ALERT] })}\u001e`
    for (const socket of sockets.clients) socket.send(text)
  }
  return { port: address.port, publish }
}

/** As its documentation says, but for pings that the measure does without. */
async function serveSocketIo() {
  const server = createServer().listen(0, '127.0.0.1')
  const io = new SocketIo(server, { transports: ['websocket'], pingInterval: 600_000, serveClient: false })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, publish: () => void io.emit('alert', ALERT) }
}

/** Parent: one server with its clients. */
interface Bench {
  readonly child: ChildProcess
  readonly sockets: WebSocket[]
  /** Clients that have not received the alert of this round. */
  missing: number
  lastAtNs: bigint
  done: () => void
}

async function ask(child: ChildProcess, command: string): Promise<Record<string, unknown>> {
  const answer = once(child, 'message', { signal: AbortSignal.timeout(ROUND_LIMIT_MS) })
  child.send(command)
  const [message] = await answer
  return message
}

async function open(kind: Kind, clients: number): Promise<{ bench: Bench; rssKb: number; heapKb: number }> {
  const child = fork(fileURLToPath(import.meta.url), ['--serve', kind], { execArgv: ['--expose-gc'] })
  const [{ port }] = await once(child, 'message', { signal: AbortSignal.timeout(ROUND_LIMIT_MS) })
  const bench: Bench = { child, sockets: [], missing: 0, lastAtNs: 0n, done: () => undefined }
  // The first connections load code and grow pools: they are not what a connection costs.
  for (let index = 0; index < 50; index += 1) await connect(bench, kind, port, index)
  const before = await ask(child, 'memory')
  while (bench.sockets.length < clients + 50) {
    const batch = Array.from({ length: Math.min(50, clients + 50 - bench.sockets.length) }, (_, index) => index)
    await Promise.all(batch.map(index => connect(bench, kind, port, bench.sockets.length + index)))
  }
  const after = await ask(child, 'memory')
  const each = (name: string) => (Number(after[name]) - Number(before[name])) / clients / 1_000
  for (const socket of bench.sockets.splice(clients)) socket.close()
  return { bench, rssKb: each('bytes'), heapKb: each('heapBytes') }
}

async function connect(bench: Bench, kind: Kind, port: number, index: number): Promise<void> {
  const headers = { authorization: `Bearer ${1 + (index % 100)}` }
  const path = { narval: HUB, chosen: HUB, ws: '/', 'socket.io': '/socket.io/?EIO=4&transport=websocket' }[kind]
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: false })
  await once(socket, 'open')
  if (kind === 'narval' || kind === 'chosen') await greet(socket, HANDSHAKE + JOIN, () => true, 2)
  // The connection to the namespace; Engine.IO's own first packet may have come already.
  if (kind === 'socket.io') await greet(socket, '40', text => text.startsWith('40'), 1)
  socket.on('message', () => {
    bench.missing -= 1
    if (bench.missing > 0) return
    bench.lastAtNs = nowNs()
    bench.done()
  })
  bench.sockets.push(socket)
}

/** Says the first words of a protocol; resolves once so many of its answers have come, all of which may come in one turn. */
function greet(socket: WebSocket, words: string, isAnswer: (text: string) => boolean, awaited: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = awaited
  const onMessage = (data: RawData) => {
    if (isAnswer(String(data))) missing -= 1
    if (missing > 0) return
    socket.off('message', onMessage)
    resolve()
  }
  socket.on('message', onMessage)
  socket.send(words)
  return promise
}

/** Milliseconds from the call of publish to the last client, and for how long the server did nothing else. */
async function round(bench: Bench): Promise<{ lastMs: number; blockedMs: number }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  bench.missing = bench.sockets.length
  bench.done = resolve
  const limit = setTimeout(() => {
    throw new Error(`${bench.missing} clients did not receive the alert`)
  }, ROUND_LIMIT_MS)
  const [{ sentAtNs, blockedMs }] = await Promise.all([ask(bench.child, 'publish'), promise])
  clearTimeout(limit)
  return { lastMs: Number(bench.lastAtNs - BigInt(String(sentAtNs))) / 1e6, blockedMs: Number(blockedMs) }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function compare(clients: number): Promise<void> {
  const opened = new Map<Kind, Awaited<ReturnType<typeof open>>>()
  for (const kind of KINDS) opened.set(kind, await open(kind, clients))
  const last = new Map<Kind, number[]>(KINDS.map(kind => [kind, []]))
  const held = new Map<Kind, number[]>(KINDS.map(kind => [kind, []]))
  // Alternating rounds, each kind in turn the first: all meet the same neighbours on the machine.
  for (let index = 0; index < WARM_UP + ROUNDS; index += 1) {
    const turn = index % KINDS.length
    for (const kind of [...KINDS.slice(turn), ...KINDS.slice(0, turn)]) {
      const bench = opened.get(kind)?.bench
      if (bench === undefined) continue
      const { lastMs, blockedMs } = await round(bench)
      if (index < WARM_UP) continue
      last.get(kind)?.push(lastMs)
      held.get(kind)?.push(blockedMs)
    }
  }
  const medians = (times: Map<Kind, number[]>) => (kind: Kind) => median(times.get(kind) ?? [])
  line(`fan-out of one alert to ${clients} clients, last received`, 'ms', medians(last))
  line(`fan-out to ${clients} clients, event loop held`, 'ms', medians(held))
  line(`memory of a connection at ${clients}, resident`, 'kB', kind => opened.get(kind)?.rssKb ?? 0)
  line(`memory of a connection at ${clients}, heap and buffers`, 'kB', kind => opened.get(kind)?.heapKb ?? 0)
  for (const { bench } of opened.values()) {
    for (const socket of bench.sockets) socket.terminate()
    bench.child.kill()
    await once(bench.child, 'exit')
  }
}

function line(name: string, unit: string, of: (kind: Kind) => number): void {
  const ours = of('narval')
  const beside = (kind: Kind) => `${kind} ${of(kind).toFixed(2)} ${unit} (ratio ${(ours / of(kind)).toFixed(2)})`
  console.log(
    `${name}: ${ours.toFixed(2)} ${unit} · ${beside('chosen')} · bare ${beside('ws')} · ${beside('socket.io')}`,
  )
}

const [mode, kind] = process.argv.slice(2)
if (mode === '--serve') {
  await serve(KINDS.find(one => one === kind) ?? 'ws')
} else {
  const sizes = process.argv.slice(2).map(Number)
  for (const clients of sizes.length > 0 ? sizes : [250, 1_000]) {
    if (!Number.isInteger(clients) || clients < 1 || clients > MAX_CLIENTS)
      throw new Error(`1 to ${MAX_CLIENTS} clients`)
    await compare(clients)
  }
}
