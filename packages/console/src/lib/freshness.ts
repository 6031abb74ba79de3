import { HUB_BEAT_MS } from '@narval/contracts'
import type { HubState } from './hub-link.ts'

/** Two beats of the server were missed: what is shown is old, and says so, looked at each second. */
export const STALE_AFTER_MS = 2 * HUB_BEAT_MS + 2_000

/** `starting`: nothing was heard yet, and nothing is wrong. */
export type Freshness = 'starting' | 'live' | 'stale'

/**
 * How what is shown stands, by the connection that brings its changes and by how long ago anything was heard (`null`:
 * never). A connection may look open for 30 s after its server froze or its cable was pulled: silence tells first.
 */
export const freshnessOf = (state: HubState, silentMs: number | null): Freshness => {
  if (state === 'Reconnecting' || state === 'Disconnected') return 'stale'
  if (silentMs === null) return 'starting'
  if (silentMs > STALE_AFTER_MS) return 'stale'
  return state === 'Connected' ? 'live' : 'starting'
}
