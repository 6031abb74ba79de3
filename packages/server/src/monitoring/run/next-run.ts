import { AVAILABILITY_KEY, CHECKS } from '@narval/contracts'
import { nextOnGrid } from '@narval/engine'
import { type Model, runnerOf, type ScannerEntry } from '../fleet/model.ts'
import type { Presence } from '../probe/presence.ts'

/**
 * When the probe is to run a scanner next: on its grid, which both sides know, or after the retry interval while a failure
 * is not confirmed. In the past when the run is late. Null where none will come, or nobody can tell.
 */
export const nextRunMs = (
  scanner: ScannerEntry | undefined,
  retryIntervalMs: number,
  { model, presence }: { readonly model: Model; readonly presence: Presence },
): number | null => {
  if (scanner === undefined || scanner.lastRunMs === null) return null
  const runner = runnerOf(model, scanner)
  const isRun = scanner.enabled && scanner.host.enabled && CHECKS[scanner.kind].runner !== 'server'
  if (!isRun || runner === null || presence.state(runner) !== 'online') return null
  const availability = scanner.metrics.get(AVAILABILITY_KEY)?.state
  const isRetried = scanner.lastError !== null && availability?.kind === 'soft'
  return isRetried
    ? Math.round(scanner.lastRunMs - (scanner.lastDurationMs ?? 0) + retryIntervalMs)
    : nextOnGrid(scanner.id, scanner.intervalMs, scanner.lastRunMs)
}
