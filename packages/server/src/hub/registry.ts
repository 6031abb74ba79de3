import {
  type Connection,
  type ConnectionContext,
  closeConnection,
  createConnection,
  type Hub,
  type HubLog,
  isOver,
} from './connection.ts'
import type { HubLimits } from './hub-limits.ts'
import type { HubIdentity } from './hub-method.ts'
import type { SessionWatch } from './session-watch.ts'

/** Random text of so many bytes, safe in a URL without escaping. */
export type RandomId = (bytes: number) => string

/** All connections of all hubs, found by secret token, user and session. */
export interface Registry {
  readonly context: ConnectionContext
  all(): Iterable<Connection>
  /** Null when the connection is unknown, of another hub or of another user: the three can't be told apart. */
  find(token: string, hub: Hub, identity: HubIdentity): Connection | null
  /** A new negotiated connection, or the status that says which bound was reached. */
  open(hub: Hub, identity: HubIdentity): Connection | 429 | 503
  endUser(userId: number): number
  hasUser(userId: number): boolean
  size(): number
  /** Calls back once, at the moment when the last connection is forgotten. */
  onEmpty(run: () => void): void
}

/** The token of a connection has 192 random bits: who holds it may act on the connection of the same user. */
const ID_BYTES = 12
const TOKEN_BYTES = 24

export function createRegistry(limits: HubLimits, log: HubLog, sessions: SessionWatch, randomId: RandomId): Registry {
  const connections = new Map<string, Connection>()
  const users = new Map<number, Set<Connection>>()
  let whenEmpty: () => void = () => undefined

  const context: ConnectionContext = {
    limits,
    log,
    nowMs: 0,
    forget({ token }) {
      connections.delete(token)
      if (connections.size === 0) whenEmpty()
    },
    release(connection) {
      sessions.remove(connection)
      const own = users.get(connection.identity.userId)
      own?.delete(connection)
      if (own?.size === 0) users.delete(connection.identity.userId)
    },
  }

  return {
    context,
    all: () => connections.values(),
    find(token, hub, identity) {
      const connection = connections.get(token)
      const own = connection?.hub === hub && connection.identity.userId === identity.userId
      return own ? connection : null
    },
    open(hub, identity) {
      const own = users.get(identity.userId) ?? new Set()
      if (own.size >= limits.connectionsPerUser) return 429
      if (connections.size >= limits.connections) return 503
      const connection = createConnection(
        { id: randomId(ID_BYTES), token: randomId(TOKEN_BYTES) },
        hub,
        identity,
        context,
      )
      connections.set(connection.token, connection)
      users.set(identity.userId, own.add(connection))
      sessions.add(connection)
      return connection
    },
    endUser(userId) {
      const own = [...(users.get(userId) ?? [])].filter(connection => !isOver(connection))
      for (const connection of own) closeConnection(connection)
      return own.length
    },
    hasUser: userId => users.has(userId),
    size: () => connections.size,
    onEmpty(run) {
      whenEmpty = run
    },
  }
}
