/**
 * Fan-out of one alert from the hub to 1,000 WebSocket clients, beside a bare `ws` broadcast in the same run.
 * Usage: npm run -s node -- bench/hub.bench.ts [clients…]   (default: 250 1000)
 * Servers run in child processes; this process holds the clients. Both sides read the machine's one monotonic clock.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { WebSocket, WebSocketServer } from 'ws'
import { createHubs } from '../packages/server/src/hub/hubs.ts'

const HUB = '/Hub/Communication'
const ROUNDS = 30
const WARM_UP = 10
const MAX_CLIENTS = 5_000
const ROUND_LIMIT_MS = 10_000
const ALERT = {
  type: 'Error',
  title: 'Serveur de fichiers',
  message: 'Le service ne répond plus depuis 3 mesures (délai de 2 s dépassé).',
}
const HANDSHAKE = '{"protocol":"json","version":1}\u001e'
const JOIN = '{"type":1,"target":"JoinCommunicationStream","arguments":["global"],"invocationId":"1"}\u001e'

type Kind = 'narval' | 'ws'
type Report = { port: number } | { sentAtNs: string; blockedMs: number } | { bytes: number; heapBytes: number }

const nowNs = () => process.hrtime.bigint()

/** Child: one of the two servers, told what to do over IPC. */
async function serve(kind: Kind): Promise<void> {
  const { port, publish } = kind === 'narval' ? await serveHub() : await serveBare()
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

async function serveHub() {
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
  return { port: Number(new URL(address).port), publish: () => hubs.publish(HUB, 'global', 'alert', [ALERT]) }
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
  const path = kind === 'narval' ? HUB : '/'
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: false })
  await once(socket, 'open')
  if (kind === 'narval') await join(socket)
  socket.on('message', () => {
    bench.missing -= 1
    if (bench.missing > 0) return
    bench.lastAtNs = nowNs()
    bench.done()
  })
  bench.sockets.push(socket)
}

/** Handshake and JoinCommunicationStream; each is answered by one record, and both may come in one turn. */
function join(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let awaited = 2
  const onMessage = () => {
    awaited -= 1
    if (awaited > 0) return
    socket.off('message', onMessage)
    resolve()
  }
  socket.on('message', onMessage)
  socket.send(HANDSHAKE + JOIN)
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
  const [narval, bare] = [await open('narval', clients), await open('ws', clients)]
  const times = { narval: [] as number[], ws: [] as number[], blockedNarval: [] as number[], blockedWs: [] as number[] }
  // Alternating rounds: both meet the same neighbours on the machine.
  for (let index = 0; index < WARM_UP + ROUNDS; index += 1) {
    const [ours, theirs] = [await round(narval.bench), await round(bare.bench)]
    if (index < WARM_UP) continue
    times.narval.push(ours.lastMs)
    times.ws.push(theirs.lastMs)
    times.blockedNarval.push(ours.blockedMs)
    times.blockedWs.push(theirs.blockedMs)
  }
  line(`fan-out of one alert to ${clients} clients, last received`, 'ms', median(times.narval), median(times.ws))
  line(`fan-out to ${clients} clients, event loop held`, 'ms', median(times.blockedNarval), median(times.blockedWs))
  line(`memory of a connection at ${clients}, resident`, 'kB', narval.rssKb, bare.rssKb)
  line(`memory of a connection at ${clients}, heap and buffers`, 'kB', narval.heapKb, bare.heapKb)
  for (const { child, sockets } of [narval.bench, bare.bench]) {
    for (const socket of sockets) socket.terminate()
    child.kill()
    await once(child, 'exit')
  }
}

function line(name: string, unit: string, ours: number, theirs: number): void {
  console.log(
    `${name}: ${ours.toFixed(2)} ${unit} · bare ws ${theirs.toFixed(2)} ${unit} · ratio ${(ours / theirs).toFixed(2)}`,
  )
}

const [mode, kind] = process.argv.slice(2)
if (mode === '--serve') {
  await serve(kind === 'narval' ? 'narval' : 'ws')
} else {
  const sizes = process.argv.slice(2).map(Number)
  for (const clients of sizes.length > 0 ? sizes : [250, 1_000]) {
    if (!Number.isInteger(clients) || clients < 1 || clients > MAX_CLIENTS)
      throw new Error(`1 to ${MAX_CLIENTS} clients`)
    await compare(clients)
  }
}
