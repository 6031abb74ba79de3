import { AVAILABILITY_KEY } from '@narval/contracts'
import type { UnknownCause } from '@narval/engine'
import { isBehindCut, judgeHeld, throughParents } from './dependency.ts'
import { type Model, runnerOf, type ScannerEntry, SERVER_RUNNER } from './fleet/model.ts'
import { type Effects, judgeMetric } from './judge-metric.ts'
import type { Presence } from './probe/presence.ts'

/**
 * Turns what was not heard of for max(3 × interval, 90 s) into `unknown` with its cause. `nowMs` is the server's clock;
 * a silent probe's metrics say so at once, unless another one runs its scanners. A scanner, or a host, a step.
 */
export function* findSilence(effects: Effects, model: Model, presence: Presence, nowMs: number): Generator<void> {
  const baseMs = presence.listeningMs()
  for (const scanner of model.scanners.values()) {
    if (!scanner.enabled || !scanner.host.enabled) continue
    judgeSilence(effects, scanner, runnerOf(model, scanner), presence, baseMs, nowMs)
    yield
  }
  yield* judgeHeld(effects, model, nowMs)
}

const judgeSilence = (
  effects: Effects,
  scanner: ScannerEntry,
  runner: number | null,
  presence: Presence,
  baseMs: number,
  nowMs: number,
): void => {
  const { staleMs } = scanner
  const isOffline = runner === null || (runner !== SERVER_RUNNER && presence.state(runner) !== 'online')
  const isLong = (heardMs: number) => nowMs - Math.max(heardMs, baseMs) > staleMs
  const scannerSilent = isLong(scanner.heardMs)
  if (!isOffline && !scannerSilent && nowMs - scanner.heardMs < staleMs && !hasVanished(scanner, staleMs)) return
  // The server has just come up, or woken: nobody had the time to speak.
  if (nowMs - baseMs < staleMs && !(isOffline && nowMs - baseMs > presence.timing.silentAfterMs)) return
  if (scannerSilent && scanner.silenceIsError) failForSilence(effects, scanner, staleMs, nowMs)
  for (const metric of scanner.metrics.values()) {
    if (scanner.silenceIsError && metric.key === AVAILABILITY_KEY) continue
    // Nothing was ever asked of it on this probe: it stays « en attente ».
    if (metric.state.hardCause === 'pending' && !isOffline && !scannerSilent) continue
    const cause: UnknownCause | null = isOffline
      ? 'probe-offline'
      : scannerSilent
        ? isBehindCut(scanner)
          ? 'host-unreachable'
          : 'no-data'
        : isLong(metric.heardMs) && scanner.lastError === null && metric.key !== 'availability'
          ? 'metric-vanished'
          : null
    if (
      cause === null ||
      (metric.state.severity === 'unknown' && metric.state.cause === cause && metric.state.kind === 'hard')
    )
      continue
    judgeMetric(effects, metric, { type: 'unknown', cause }, nowMs, `silence-${scanner.heardMs}-${nowMs}`)
  }
}

/** Who was to send and did not has failed: said once it is confirmed, and again after the next value alone. */
const failForSilence = (effects: Effects, scanner: ScannerEntry, staleMs: number, nowMs: number): void => {
  const metric = scanner.metrics.get(AVAILABILITY_KEY)
  if (metric === undefined || (metric.state.severity === 'error' && metric.state.kind === 'hard')) return
  const message = `aucune valeur reçue depuis plus de ${Math.round(staleMs / 1_000)} s`
  const { input, told } = throughParents(metric, { type: 'failed', message, atMs: nowMs }, nowMs)
  judgeMetric(effects, metric, input, nowMs, `silence-${scanner.heardMs}-${nowMs}`, told)
}

const hasVanished = (scanner: ScannerEntry, staleMs: number): boolean => {
  for (const metric of scanner.metrics.values()) if (scanner.heardMs - metric.heardMs > staleMs) return true
  return false
}
