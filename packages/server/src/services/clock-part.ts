import { stat } from 'node:fs/promises'
import { toIsoOrNull } from '../store/time.ts'
import type { ServicePart, Status } from './service-registry.ts'

/** Left by systemd-timesyncd once it has set the clock. */
const TIMESYNC_MARK = '/run/systemd/timesync/synchronized'
const EVERY_MS = 60_000
/** Further from the database's clock than this, times written and times asked for no longer agree. */
const SKEW_MS = 5_000
/** A jump within one second that no slow look explains. */
const JUMP_MS = 2_000
/** A jump is shown for so long. */
const SHOWN_MS = 3_600_000

/** The clock of the server: jumps, how far the database's is, and whether the system says that it is set from the network. */
export const clockPart = (dbSkewMs: () => number | null): ServicePart => {
  let before: { readonly wallMs: number; readonly at: number } | null = null
  let jump: { readonly byMs: number; readonly atMs: number } | null = null
  let setMs: number | null = null
  const watch = (wallMs: number): void => {
    const at = performance.now()
    if (before !== null) {
      const byMs = wallMs - before.wallMs - (at - before.at)
      if (Math.abs(byMs) >= JUMP_MS) jump = { byMs: Math.round(byMs), atMs: wallMs }
    }
    before = { wallMs, at }
  }
  const judge = (wallMs: number): Status => {
    const skew = dbSkewMs()
    if (skew !== null && Math.abs(skew) > SKEW_MS)
      return { state: 'warning', reason: 'L’horloge du serveur et celle de la base diffèrent de plus de 5 s.' }
    if (jump !== null && Math.abs(wallMs - jump.atMs) < SHOWN_MS)
      return { state: 'warning', reason: `L’horloge a ${jump.byMs > 0 ? 'avancé' : 'reculé'} d’un coup.` }
    if (setMs !== null) return { state: 'ok', reason: 'Réglée par le réseau (NTP).' }
    if (skew !== null) return { state: 'ok', reason: 'D’accord avec celle de la base.' }
    return { state: 'unknown', reason: 'Rien ne dit qui la règle.' }
  }
  return {
    refresh: {
      everyMs: EVERY_MS,
      async run() {
        setMs = await stat(TIMESYNC_MARK).then(
          found => found.mtimeMs,
          () => null,
        )
      },
    },
    status(wallMs) {
      watch(wallMs)
      return {
        ...judge(wallMs),
        figures: [
          { label: 'Écart avec la base', value: dbSkewMs(), unit: 'ms' },
          { label: 'Dernier réglage par NTP', value: toIsoOrNull(setMs), unit: 'instant' },
          { label: 'Dernier saut', value: toIsoOrNull(jump?.atMs ?? null), unit: 'instant' },
          { label: 'De combien', value: jump?.byMs ?? null, unit: 'ms' },
        ],
      }
    },
  }
}
