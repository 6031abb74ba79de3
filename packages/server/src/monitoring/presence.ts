import { PROBE_SILENT_MS, type ProbeHealth, type ProbeState } from '@narval/contracts'

/** What the server knows of a probe from its calls: kept in memory, its last contact in the database from time to time. */
export interface ProbePresence {
  readonly id: number
  approval: 'pending' | 'approved' | 'revoked'
  name: string
  lastContactMs: number
  /** Since when we listen: a probe is not called silent before it had the time to speak. */
  sinceMs: number
  health: ProbeHealth | null
  skewMs: number | null
  announced: 'online' | 'offline' | null
}

export interface Presence {
  readonly probes: Map<number, ProbePresence>
  heard(probeId: number, health?: ProbeHealth, skewMs?: number): void
  state(probeId: number): ProbeState
}

export const createPresence = (now: () => number): Presence => {
  const probes = new Map<number, ProbePresence>()
  return {
    probes,
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
      return now() - Math.max(probe.lastContactMs, probe.sinceMs) < PROBE_SILENT_MS && probe.lastContactMs > 0
        ? 'online'
        : 'offline'
    },
  }
}
