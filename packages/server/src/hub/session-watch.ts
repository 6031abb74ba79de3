import { type Connection, closeConnection, type HubLog } from './connection.ts'
import { type HubClock, within } from './hub-clock.ts'
import { HUB_TIMES } from './hub-limits.ts'
import type { HubIdentity } from './hub-method.ts'

/**
 * Tells which of these sessions live: for each, the end of its last valid access token in epoch milliseconds.
 * A session that is missing from the answer has ended. Asked every 2 s for all connected sessions at once.
 */
export type LiveSessions = (sessionIds: readonly number[]) => Promise<ReadonlyMap<number, number>>

export interface SessionWatch {
  add(connection: Connection): void
  remove(connection: Connection): void
  /** A valid token of the session was shown: the session lives at least as long as it. */
  seen(identity: HubIdentity): void
  /** Closes the session's connections now; returns how many. */
  endSession(sessionId: number): number
  check(): Promise<void>
  size(): number
}

interface Watched {
  untilMs: number
  readonly connections: Set<Connection>
}

/** Closes connections with their session: 5 s at most after its end, or after the end of its last valid token (S52). */
export function createSessionWatch(clock: HubClock, log: HubLog, liveSessions: LiveSessions): SessionWatch {
  const sessions = new Map<number, Watched>()
  let checking = false

  const endSession = (sessionId: number): number => {
    const connections = [...(sessions.get(sessionId)?.connections ?? [])]
    for (const connection of connections) closeConnection(connection)
    return connections.length
  }

  const ask = async (ids: readonly number[]): Promise<void> => {
    try {
      const lives = await within(clock, HUB_TIMES.sessionAnswerMs, liveSessions(ids))
      for (const id of ids) setEnd(sessions.get(id), lives.get(id) ?? 0)
    } catch (error) {
      log.error({ err: error }, 'hub: sessions not checked, their last known end applies')
    }
    for (const id of ids) {
      if ((sessions.get(id)?.untilMs ?? Number.POSITIVE_INFINITY) <= clock.wallMs()) endSession(id)
    }
  }

  return {
    add(connection) {
      const { sessionId, expiresMs } = connection.identity
      const watched = sessions.get(sessionId)
      if (watched === undefined) sessions.set(sessionId, { untilMs: expiresMs, connections: new Set([connection]) })
      else watched.connections.add(connection)
    },
    remove(connection) {
      const { sessionId } = connection.identity
      const connections = sessions.get(sessionId)?.connections
      connections?.delete(connection)
      if (connections?.size === 0) sessions.delete(sessionId)
    },
    seen({ sessionId, expiresMs }) {
      const watched = sessions.get(sessionId)
      if (watched !== undefined) watched.untilMs = Math.max(watched.untilMs, expiresMs)
    },
    endSession,
    async check() {
      if (checking || sessions.size === 0) return
      checking = true
      await ask([...sessions.keys()])
      checking = false
    },
    size: () => sessions.size,
  }
}

function setEnd(watched: Watched | undefined, untilMs: number): void {
  if (watched !== undefined) watched.untilMs = untilMs
}
