import { AVAILABILITY_KEY, type Host, type Metric } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { situationText } from '../../lib/situation.ts'

/** One link of the explanation: a fact, with its state and since when. */
export interface Link {
  readonly severity: Severity
  readonly text: string
  readonly since: string | null
  /** The metric that tells of it, where the incident of something else explains that. */
  readonly explained?: Pick<Metric, 'cause' | 'scannerId'>
}

/** What an explanation needs of a metric. */
export type Fact = Omit<
  Metric,
  'modelId' | 'modelName' | 'overrides' | 'inherited' | 'inheritedFrom' | 'formulas' | 'formulaFaults'
>

const bad = (metric: Fact): boolean => metric.enabled && metric.severity !== 'ok' && metric.cause !== 'pending'
const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, unknown: 2, ok: 3 }

/**
 * Why a host is not OK, from what is known and nothing else: whether its probe speaks, whether it answers, then what is
 * bad, the worst and oldest first. Empty when nothing is bad. `probes`: who is in charge of each scanner, where that is known.
 */
export const explain = (
  host: Pick<Host, 'effectiveProbe' | 'standIn'>,
  metrics: readonly Fact[],
  probes: ReadonlyMap<number, string> = new Map(),
): Link[] => {
  const failing = metrics
    .filter(bad)
    .toSorted((a, b) => rank[a.severity] - rank[b.severity] || a.since.localeCompare(b.since))
  if (failing.length === 0) return []
  const silent = failing.find(metric => metric.cause === 'probe-offline')
  const cut = failing.find(metric => metric.cause === 'probe-link')
  const probeOf = (metric: Fact | undefined): string =>
    (metric === undefined ? undefined : probes.get(metric.scannerId)) ?? host.effectiveProbe?.name ?? 'La sonde'
  const inCharge = probeOf(silent ?? cut ?? failing[0])
  const probe = host.standIn?.name ?? inCharge
  const sends = host.standIn === null ? `${probe} envoie ses résultats` : `${probe} contrôle à la place de ${inCharge}`
  const links: Link[] = [
    silent === undefined
      ? { severity: 'ok', text: sends, since: null }
      : { severity: 'error', text: `${inCharge} est hors ligne`, since: silent.since, explained: silent },
  ]
  if (silent !== undefined) {
    if (host.standIn === null) {
      if (failing.every(({ cause }) => cause === 'probe-offline')) return links
    }
    // What nobody else can run stays unknown; the rest goes on, and its causes count.
    else links.push({ severity: 'ok', text: sends, since: null })
  }
  if (cut !== undefined)
    links.push({
      severity: 'error',
      text: `${probe} ne l’atteint plus, une autre sonde oui\u202f: sa liaison est en cause`,
      since: cut.since,
      explained: cut,
    })
  const answers = metrics.filter(metric => metric.key === AVAILABILITY_KEY && metric.severity === 'ok')
  for (const metric of answers.slice(0, 3))
    links.push({ severity: 'ok', text: `${metric.scannerName} répond`, since: null })
  for (const metric of failing
    .filter(({ cause }) => cause !== 'scanner-failed' && cause !== 'probe-link' && cause !== 'probe-offline')
    .slice(0, 6)) {
    const isAvailability = metric.key === AVAILABILITY_KEY
    const what = isAvailability
      ? `${metric.scannerName}\u202f: ${metric.information || 'ne répond pas'}`
      : `${metric.name}\u202f: ${metric.severity === 'unknown' ? metric.information : situationText(metric)}`
    links.push({
      severity: metric.severity,
      text: metric.kind === 'soft' ? `${what} (${metric.attempt}/${metric.maxAttempts}, non confirmé)` : what,
      since: metric.since,
      ...(metric.cause === 'host-unreachable' && { explained: metric }),
    })
  }
  return links
}
