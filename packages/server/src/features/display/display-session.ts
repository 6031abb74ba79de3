import type { HubIdentity } from '../../hub/hub-method.ts'
import type { LiveSessions } from '../../hub/session-watch.ts'

/** To the hubs a display is a session of nobody: ids below zero, which no account and no session has. */
export const displayIdentity = (displayId: number, expiresMs: number): HubIdentity => ({
  userId: -displayId,
  sessionId: displaySession(displayId),
  expiresMs,
})
export const displaySession = (displayId: number): number => -displayId

/** Whether the hubs' sessions live: accounts' by their sessions, displays' by their tokens. */
export const liveSessions = async (
  ids: readonly number[],
  sessions: { readonly liveUntil: LiveSessions },
  displays: { readonly liveUntil: LiveSessions },
): Promise<ReadonlyMap<number, number>> => {
  const screens = ids.filter(id => id < 0).map(id => -id)
  const [accounts, shown] = await Promise.all([
    sessions.liveUntil(ids.filter(id => id > 0)),
    displays.liveUntil(screens),
  ])
  return new Map([...accounts, ...[...shown].map(([id, untilMs]) => [displaySession(id), untilMs] as const)])
}
