import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import type { HubClock } from './hub-clock.ts'
import type { HubLimits } from './hub-limits.ts'
import { type HubIdentity, type HubMethod, REFUSED } from './hub-method.ts'
import { createHubs, type Hubs, type HubsOptions } from './hubs.ts'

export const HUB = '/Hub/Communication'
export const OTHER_HUB = '/Hub/Host'
export const HANDSHAKE = '{"protocol":"json","version":1}\u001e'

/** A clock that only moves when told; timers run in order, on the way. */
export interface ManualClock extends HubClock {
  advance(ms: number): void
  /** Moves without running what was due on the way, as after a sleep of the machine. */
  sleep(ms: number): void
}

export function createManualClock(startMs = 1_800_000_000_000): ManualClock {
  let nowMs = 0
  const timers = new Set<{ dueMs: number; periodMs: number | null; run: () => void }>()
  const add = (delayMs: number, periodMs: number | null, run: () => void) => {
    const timer = { dueMs: nowMs + delayMs, periodMs, run }
    timers.add(timer)
    return () => {
      timers.delete(timer)
    }
  }
  const runUntil = (endMs: number) => {
    for (;;) {
      const next = [...timers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0]
      if (next === undefined) return
      nowMs = Math.max(nowMs, next.dueMs)
      if (next.periodMs === null) timers.delete(next)
      else next.dueMs = nowMs + next.periodMs
      next.run()
    }
  }
  return {
    wallMs: () => startMs + nowMs,
    monotonicMs: () => nowMs,
    every: (periodMs, run) => add(periodMs, periodMs, run),
    after: (delayMs, run) => add(delayMs, null, run),
    advance(ms) {
      const endMs = nowMs + ms
      runUntil(endMs)
      nowMs = endMs
    },
    sleep(ms) {
      nowMs += ms
      runUntil(nowMs)
    },
  }
}

/** Tokens and sessions of a test; `ends` says when the last valid token of each live session ends. */
export interface TestAccounts {
  readonly tokens: Map<string, HubIdentity>
  readonly ends: Map<number, number>
  issue(token: string, userId: number, sessionId: number, expiresMs: number): string
}

export function createAccounts(): TestAccounts {
  const tokens = new Map<string, HubIdentity>()
  const ends = new Map<number, number>()
  return {
    tokens,
    ends,
    issue(token, userId, sessionId, expiresMs) {
      tokens.set(token, { userId, sessionId, expiresMs })
      ends.set(sessionId, expiresMs)
      return token
    },
  }
}

export interface TestServer {
  readonly app: FastifyInstance
  readonly hubs: Hubs
  readonly accounts: TestAccounts
  readonly clock: ManualClock
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly port: number
  /** All that was logged, by the hubs and by Fastify. */
  readonly logged: string[]
}

export interface TestServerOptions {
  readonly clock?: ManualClock
  readonly accounts?: TestAccounts
  readonly port?: number
  readonly limits?: Partial<HubLimits>
  readonly methods?: Readonly<Record<string, HubMethod>>
  readonly options?: Partial<HubsOptions>
}

const METHODS: Readonly<Record<string, HubMethod>> = {
  JoinCommunicationStream: (connection, [stream, ...rest]) => {
    if (typeof stream !== 'string' || rest.length > 0 || stream === 'forbidden') return REFUSED
    return connection.join(stream) ? undefined : REFUSED
  },
  LeaveCommunicationStream: (connection, [stream]) => connection.leave(String(stream)),
  Echo: (_connection, [value]) => value,
  Throw: () => {
    throw new Error('secret detail')
  },
}

/** A real application on loopback with two hubs; the token `good` of user 1 lives 10 minutes. */
export async function startServer(given: TestServerOptions = {}): Promise<TestServer> {
  const clock = given.clock ?? createManualClock()
  const accounts = given.accounts ?? createAccounts()
  accounts.issue('good', 1, 1, clock.wallMs() + 600_000)
  const logged: string[] = []
  const write = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`)
  const hubs = createHubs({
    hubs: [
      { path: HUB, methods: { ...METHODS, ...given.methods } },
      { path: OTHER_HUB, methods: {} },
    ],
    authenticate: async token => accounts.tokens.get(token) ?? null,
    liveSessions: async () => accounts.ends,
    allowedOrigins: () => ['https://console.example'],
    log: { debug: write, warn: write, error: write },
    clock,
    ...(given.limits === undefined ? {} : { limits: given.limits }),
    ...given.options,
  })
  const app = Fastify({ logger: { level: 'trace', stream: { write: (line: string) => logged.push(line) } } })
  hubs.register(app)
  await app.listen({ host: '127.0.0.1', port: given.port ?? 0 })
  const { port } = addressOf(app)
  return { app, hubs, accounts, clock, url: `http://127.0.0.1:${port}`, port, logged }
}

function addressOf(app: FastifyInstance): AddressInfo {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  return address
}

export const bearer = (token = 'good'): Record<string, string> => ({ authorization: `Bearer ${token}` })

/** Negotiates as the client does and returns the secret token. */
export async function negotiate({ url }: TestServer, token = 'good', hub = HUB): Promise<string> {
  const response = await fetch(`${url}${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers: bearer(token) })
  if (response.status !== 200) throw new Error(`negotiate: ${response.status}`)
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('connectionToken' in answer)) throw new Error('no token')
  return String(answer.connectionToken)
}

/** A raw WebSocket with what it received, cut into records. */
export interface RawSocket {
  readonly socket: WebSocket
  readonly records: string[]
  /** The next record that was not taken yet. */
  next(): Promise<string>
  /** Code of the close frame. */
  readonly closed: Promise<number>
}

export async function openSocket(
  { port }: TestServer,
  query = '',
  headers: Record<string, string> = bearer(),
): Promise<RawSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${HUB}${query}`, { headers, perMessageDeflate: false })
  const records: string[] = []
  const waiting: ((record: string) => void)[] = []
  let taken = 0
  socket.on('message', data => {
    for (const record of String(data).split('\u001e').slice(0, -1)) {
      records.push(record)
      const take = waiting.shift()
      if (take !== undefined) {
        taken += 1
        take(record)
      }
    }
  })
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  socket.on('close', resolve)
  await once(socket, 'open')
  const next = () => {
    const record = records[taken]
    if (record !== undefined) {
      taken += 1
      return Promise.resolve(record)
    }
    const { promise, resolve: take } = Promise.withResolvers<string>()
    waiting.push(take)
    return promise
  }
  return { socket, records, closed, next }
}

/** A raw WebSocket whose handshake was accepted. */
export async function openHub(server: TestServer, query = '', headers = bearer()): Promise<RawSocket> {
  const raw = await openSocket(server, query, headers)
  raw.socket.send(HANDSHAKE)
  await raw.next()
  return raw
}

export const invocation = (target: string, args: readonly unknown[], invocationId?: string): string =>
  `${JSON.stringify({ type: 1, target, arguments: args, invocationId })}\u001e`
