import { AVAILABILITY_KEY } from '@narval/contracts'
import { isInDoubt } from '@narval/engine'
import type { Committed } from './commit.ts'
import { childrenOf, isHostCutOff, parentsOf } from './dependency.ts'
import type { HostEntry, MetricEntry } from './fleet/model.ts'

export interface AskAgainDeps {
  /** Asks the probe of a scanner to run it, after this long; while one such wish waits, others are part of it. */
  readonly onSoft: (scannerId: number, delayMs: number) => void
  /** The life tests of these hosts failed and may still be wrong. */
  readonly doubt: (hosts: readonly HostEntry[]) => void
}

/** Between two checks of what can be reached again: 500 of them are no burst. */
const SPREAD_MS = 20
const MAX_SPREAD_MS = 10_000

/**
 * What a commit asks for: the same check again, another probe's word, the life test of a host that something fails on and
 * of what it hangs on, and of all that can be reached again. A metric, or a host, a step.
 */
export const createAskAgain = (deps: AskAgainDeps): ((committed: Committed) => Iterable<void>) => {
  /** By life test: the problem because of which what it hangs on was asked. */
  const asked = new Map<number, number>()

  const askParents = (metric: MetricEntry, sinceMs: number): void => {
    if (asked.get(metric.id) === sinceMs) return
    asked.set(metric.id, sinceMs)
    for (const parent of parentsOf(metric.scanner.host))
      if (parent.life !== null && !isHostCutOff(parent) && parent.vouchedMs < sinceMs)
        deps.onSoft(parent.life.scanner.id, 0)
  }
  const ofMetric = (metric: MetricEntry, doubted: HostEntry[]): void => {
    const { state, scanner } = metric
    const { host } = scanner
    // The probe retries by itself what fails; it never judges a value, so those are asked again from here.
    if (state.kind === 'soft' && scanner.lastError === null && state.severity !== 'unknown')
      deps.onSoft(scanner.id, scanner.retryMs)
    if (host.rules.secondOpinion && metric === host.life && scanner.lastError !== null && isInDoubt(state))
      doubted.push(host)
    if (metric.key !== AVAILABILITY_KEY) return
    if (state.kind !== 'soft' || state.severity !== 'error' || state.problemSinceMs === null) {
      asked.delete(metric.id)
      return
    }
    const isOther = host.life !== null && host.life !== metric
    // Whether the host answers is known before the failure of one of its services is confirmed.
    if (isOther && state.attempt === 1 && host.life?.state.severity === 'ok') deps.onSoft(host.life.scanner.id, 0)
    if (!isOther && host.parents.length > 0) askParents(metric, state.problemSinceMs)
  }
  function* ofReleased(hosts: readonly HostEntry[]): Generator<void> {
    const scanners = new Set<number>()
    for (const host of hosts) {
      for (const scanner of host.scanners.values())
        if ([...scanner.metrics.values()].some(({ state }) => state.cause === 'host-unreachable'))
          scanners.add(scanner.id)
      for (const { life } of childrenOf(host)) if (life !== null && isBad(life)) scanners.add(life.scanner.id)
      yield
    }
    let delayMs = 0
    for (const scanner of scanners) {
      deps.onSoft(scanner, delayMs)
      delayMs = Math.min(delayMs + SPREAD_MS, MAX_SPREAD_MS)
      yield
    }
  }
  return function* ({ metrics, released }) {
    const doubted: HostEntry[] = []
    for (const metric of metrics) {
      ofMetric(metric, doubted)
      yield
    }
    deps.doubt(doubted)
    yield* ofReleased(released)
  }
}

const isBad = ({ state }: MetricEntry): boolean => state.severity !== 'ok'
