import type { ProbeHealth, ProbeState } from '@narval/contracts'
import { isProbeSilent, listeningSince, PROBE_OFFLINE_AFTER_MS } from '@narval/engine'

/** How often silence is looked for. */
export const FRESHNESS_EVERY_MS = 5_000

/** How long things take in production; tests with real processes shorten them. */
export interface PresenceTiming {
  readonly passEveryMs: number
  readonly silentAfterMs: number
}
export const PRESENCE_TIMING: PresenceTiming = {
  passEveryMs: FRESHNESS_EVERY_MS,
  silentAfterMs: PROBE_OFFLINE_AFTER_MS,
}

/** What the server knows of a probe from its calls: kept in memory, its last contact in the database from time to time. */
export interface ProbePresence {
  readonly id: number
  approval: 'pending' | 'approved' | 'revoked'
  name: string
  lastContactMs: number
  /** Since when it is known: a probe is not called silent before it had the time to speak. */
  sinceMs: number
  health: ProbeHealth | null
  skewMs: number | null
  /** What people were last told of it, also before a restart; null: nothing yet. */
  announced: 'online' | 'offline' | null
  /** Of its `health.dropped`, how many people were told of, also before a restart. */
  droppedTold: number
}

export interface Presence {
  readonly probes: Map<number, ProbePresence>
  heard(probeId: number, health?: ProbeHealth, skewMs?: number): void
  state(probeId: number): ProbeState
  /** The server begins to listen. */
  listen(): void
  readonly timing: PresenceTiming
  /** To be called every `passEveryMs`: a call that comes late means that the server itself was stopped (R24). */
  passed(): void
  /** Since when the server listens without a pause: silence is counted from here at the earliest. */
  listeningMs(): number
}

export const createPresence = (now: () => number, timing: PresenceTiming = PRESENCE_TIMING): Presence => {
  const probes = new Map<number, ProbePresence>()
  let sinceMs = now()
  let passMs = sinceMs
  const listeningMs = (): number => listeningSince(sinceMs, passMs, now(), timing.passEveryMs)
  return {
    probes,
    timing,
    heard(probeId, health, skewMs) {
      const probe = probes.get(probeId)
      if (probe === undefined) return
      probe.lastContactMs = now()
      if (health !== undefined) probe.health = health
      if (skewMs !== undefined) probe.skewMs = skewMs
    },
    state(probeId) {
      const probe = probes.get(probeId)
      if (probe === undefined) return 'pending'
      if (probe.approval !== 'approved') return probe.approval
      if (probe.lastContactMs === 0) return 'offline'
      const heardFromMs = Math.max(probe.sinceMs, listeningMs())
      // Who was silent before the server stopped is so until it speaks; the others get their time again.
      if (probe.announced === 'offline' && probe.lastContactMs < heardFromMs) return 'offline'
      return isProbeSilent(probe.lastContactMs, heardFromMs, now(), timing.silentAfterMs) ? 'offline' : 'online'
    },
    listen() {
      sinceMs = passMs = now()
    },
    passed() {
      sinceMs = listeningMs()
      passMs = now()
    },
    listeningMs,
  }
}
