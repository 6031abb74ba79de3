import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Authenticate } from './admission.ts'
import {
  type Connection,
  closeConnection,
  dropConnection,
  type Hub,
  type HubLog,
  sendFrame,
  tickConnection,
} from './connection.ts'
import { type HubClock, systemHubClock } from './hub-clock.ts'
import { HUB_LIMITS, HUB_TIMES, type HubLimits } from './hub-limits.ts'
import type { HubMethod } from './hub-method.ts'
import { encodePush } from './message.ts'
import { mountHubs } from './mount-hubs.ts'
import { createRegistry, type RandomId, type Registry } from './registry.ts'
import { createSessionWatch, type LiveSessions } from './session-watch.ts'
import { followUnusedSockets } from './unused-sockets.ts'
import { createUpgradeHandler } from './upgrade.ts'

/** A hub as a feature declares it, such as `/Hub/Host` with `JoinHostStream`. */
export interface HubDefinition {
  readonly path: string
  readonly methods: Readonly<Record<string, HubMethod>>
}

export interface HubsOptions {
  readonly hubs: readonly HubDefinition[]
  readonly authenticate: Authenticate
  readonly liveSessions: LiveSessions
  /** Origins besides our own whose pages may connect; asked at each request. */
  readonly allowedOrigins?: () => readonly string[]
  readonly log: HubLog
  readonly securityHeaders?: Readonly<Record<string, string>>
  readonly clock?: HubClock
  readonly limits?: Partial<HubLimits>
  readonly randomId?: RandomId
}

export interface HubStats {
  readonly connections: number
  readonly open: number
  readonly webSocket: number
  readonly serverSentEvents: number
  readonly longPolling: number
  readonly sessions: number
  readonly streams: number
  /** Events published since the start, and copies of them written to connections. */
  readonly published: number
  readonly delivered: number
}

/** Whether a user is to be sent an event. */
export type Wanted = (userId: number) => boolean

export interface Hubs {
  /** Mounts the hubs on an application that is not ready yet; they close with it. */
  register(app: FastifyInstance): void
  /**
   * Sends an event to all that follow a stream, or to those of them that `to` wants by their user; returns how many. Throws
   * on an unknown hub or arguments JSON can't hold.
   */
  publish(hubPath: string, stream: string, target: string, args: readonly unknown[], to?: Wanted): number
  /** Whether anybody follows a stream now: what nobody would hear need not be made. */
  isFollowed(hubPath: string, stream: string): boolean
  /** To be called when a session ends: its connections are closed at once, invited to come back (S52). */
  endSession(sessionId: number): number
  /** To be called when a user is disabled or loses a claim: he may come back, and is checked again then. */
  endUser(userId: number): number
  /** Whether a user is connected to any hub. */
  hasUser(userId: number): boolean
  stats(): HubStats
  /** Says goodbye to all, with an invitation to come back, and ends everything within a second (R27). */
  close(): Promise<void>
}

/** The SignalR side of the server: JSON protocol over WebSocket, server-sent events and long polling. */
export function createHubs(options: HubsOptions): Hubs {
  const { log, clock = systemHubClock, securityHeaders = { 'x-content-type-options': 'nosniff' } } = options
  const hubs = new Map(options.hubs.map(definition => [definition.path, createHub(definition)]))
  const sessions = createSessionWatch(clock, log, options.liveSessions)
  const limits = { ...HUB_LIMITS, ...options.limits }
  const registry = createRegistry(limits, log, sessions, options.randomId ?? randomText)
  const counts = { published: 0, delivered: 0 }
  let closed: Promise<void> | null = null
  const stopTicks = startTicks(clock, registry, () => sessions.check())
  const close = () => {
    closed ??= endAll(clock, registry).finally(stopTicks)
    return closed
  }

  return {
    register(app) {
      const admission = {
        authenticate: options.authenticate,
        allowedOrigins: options.allowedOrigins ?? (() => []),
        clock,
        log,
        closing: () => closed !== null,
      }
      mountHubs(app, { hubs: hubs.values(), registry, admission, seen: sessions.seen, securityHeaders })
      app.server.on('upgrade', createUpgradeHandler(hubs, registry, admission, sessions.seen))
      const cutUnused = followUnusedSockets(app.server)
      app.addHook('preClose', async () => {
        await close()
        cutUnused()
      })
    },
    publish(hubPath, stream, target, args, to) {
      const hub = hubs.get(hubPath)
      if (hub === undefined) throw new Error(`No hub at ${hubPath}`)
      const delivered = broadcast(hub.streams.get(stream), target, args, to)
      counts.published += 1
      counts.delivered += delivered
      return delivered
    },
    isFollowed: (hubPath, stream) => (hubs.get(hubPath)?.streams.get(stream)?.size ?? 0) > 0,
    endSession: sessions.endSession,
    endUser: registry.endUser,
    hasUser: registry.hasUser,
    stats: () => ({ ...countConnections(registry, hubs), sessions: sessions.size(), ...counts }),
    close,
  }
}

const randomText: RandomId = bytes => randomBytes(bytes).toString('base64url')

const createHub = ({ path, methods }: HubDefinition): Hub => ({
  path,
  methods: new Map(Object.entries(methods)),
  streams: new Map(),
})

/** One frame, encoded once, for all members, or for those of them that `to` wants. */
function broadcast(
  members: ReadonlySet<Connection> | undefined,
  target: string,
  args: readonly unknown[],
  to?: Wanted,
): number {
  if (members === undefined) return 0
  const frame = encodePush(target, args)
  let delivered = 0
  for (const member of members) {
    if (to !== undefined && !to(member.identity.userId)) continue
    sendFrame(member, frame)
    delivered += 1
  }
  return delivered
}

/** One timer for everybody. A late tick counts as a short one: after a sleep of the machine nobody was silent (R24). */
function startTicks(clock: HubClock, registry: Registry, checkSessions: () => void): () => void {
  let lastMs = clock.monotonicMs()
  const stopTick = clock.every(HUB_TIMES.tickMs, () => {
    const nowMs = clock.monotonicMs()
    registry.context.nowMs += Math.min(nowMs - lastMs, HUB_TIMES.longestTickMs)
    lastMs = nowMs
    for (const connection of registry.all()) tickConnection(connection)
  })
  const stopCheck = clock.every(HUB_TIMES.sessionCheckMs, checkSessions)
  return () => {
    stopTick()
    stopCheck()
  }
}

/** Resolves when all are gone, or after a second when some don't answer: those are cut. */
async function endAll(clock: HubClock, registry: Registry): Promise<void> {
  for (const connection of [...registry.all()]) {
    closeConnection(connection)
    if (connection.transport?.kind === 'longPolling') dropConnection(connection)
  }
  if (registry.size() > 0) await emptied(clock, registry)
  for (const connection of [...registry.all()]) dropConnection(connection)
}

function emptied(clock: HubClock, registry: Registry): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancelWait = clock.after(HUB_TIMES.shutdownGraceMs, resolve)
  registry.onEmpty(resolve)
  return promise.finally(cancelWait)
}

function countConnections(registry: Registry, hubs: ReadonlyMap<string, Hub>) {
  const counts = { connections: 0, open: 0, webSocket: 0, serverSentEvents: 0, longPolling: 0, streams: 0 }
  for (const hub of hubs.values()) counts.streams += hub.streams.size
  for (const { phase, transport } of registry.all()) {
    counts.connections += 1
    if (phase === 'open') counts.open += 1
    if (transport !== null) counts[transport.kind] += 1
  }
  return counts
}
