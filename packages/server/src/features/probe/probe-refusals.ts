import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'

/** Why a signed request was not believed. */
export type ProbeRefusal = 'malformed' | 'unknown' | 'clock' | 'signature' | 'replay'

/** Writes refused requests down, so that a flood of them fills nothing: one line a probe and reason in this time, with how many it stands for. */
export const REFUSAL_EVERY_MS = 10 * 60_000
/** Lines in that time, whatever they are about. */
const REFUSALS_MAX = 200

export interface ProbeRefusals {
  /** `probe`: the known one that it claims to come from; null for any other. */
  note(probe: number | null, reason: ProbeRefusal, address: string, path: string): void
}

export const createProbeRefusals = (
  database: Database,
  now: () => number,
  onError: (error: unknown) => void,
): ProbeRefusals => {
  const told = new Map<string, { atMs: number; untold: number }>()
  return {
    note(probe, reason, address, path) {
      const key = `${probe} ${reason}`
      const last = told.get(key)
      if (last !== undefined && now() - last.atMs < REFUSAL_EVERY_MS) {
        last.untold += 1
        return
      }
      for (const [other, { atMs }] of told) if (other !== key && now() - atMs >= REFUSAL_EVERY_MS) told.delete(other)
      if (told.size >= REFUSALS_MAX) return
      told.set(key, { atMs: now(), untold: 0 })
      // A query may hold anything: only where it went is worth a line.
      const detail = { reason, path: path.split('?', 1)[0] ?? '', before: last?.untold ?? 0 }
      const object = probe === null ? '' : `probe ${probe}`
      audit(
        database.db,
        { action: 'probe-refused', outcome: 'refused', actor: null, address, object, detail },
        now(),
      ).catch(onError)
    },
  }
}
