import type { MetricLive } from '@narval/contracts'
import { addSeverity, flappingPercent, isFlapping, NO_COUNTS, type SeverityCounts } from '@narval/engine'
import { toIso, toIsoOrNull } from '../store/time.ts'
import {
  type ActiveWindow,
  type HostEntry,
  isActive,
  type MetricEntry,
  type Model,
  type SiteEntry,
} from './fleet/model.ts'

/** A metric's present state as the wire carries it. */
export const toMetricLive = (metric: MetricEntry): MetricLive => ({
  id: metric.id,
  value: metric.value,
  at: toIsoOrNull(metric.atMs),
  severity: metric.state.severity,
  kind: metric.state.kind,
  attempt: metric.state.attempt,
  maxAttempts: metric.rule.attempts,
  cause: metric.state.cause,
  flapping: isFlapping(metric.state.flapping) ? Math.round(flappingPercent(metric.state.flapping)) : null,
  since: toIso(metric.state.sinceMs),
  information: metric.information,
  ...toMaintenance(metric.maintenance),
})

/** The mark of a maintenance as the wire carries it. */
export const toMaintenance = (window: ActiveWindow | null) => ({
  inMaintenance: window !== null,
  maintenance: window === null ? null : { id: window.id, until: toIso(window.untilMs), comment: window.comment },
})

/** What awaits its first result is no problem. */
export const isProblem = ({ state }: MetricEntry): boolean => state.severity !== 'ok' && state.cause !== 'pending'

export interface FleetCounts {
  readonly severities: SeverityCounts
  readonly hosts: SeverityCounts
  readonly acknowledged: number
  readonly inMaintenance: number
  readonly soft: number
}

/** The equipment of a site that one sees, by severity; `hosts`: disabled ones too. */
export const countSite = (
  site: SiteEntry,
  sees: (host: HostEntry) => boolean,
): { readonly hosts: number; readonly counts: SeverityCounts } => {
  let counts: SeverityCounts = NO_COUNTS
  let hosts = 0
  for (const host of site.hosts.values()) {
    if (!sees(host)) continue
    hosts += 1
    if (host.enabled) counts = addSeverity(counts, host.severity)
  }
  return { hosts, counts }
}

/** The counters of the dashboard, of what one sees: some 10 ms at 100,000 metrics, asked at most once a second. */
export const countFleet = (model: Model, sees: (host: HostEntry) => boolean = () => true): FleetCounts => {
  const severities = { ...NO_COUNTS }
  let acknowledged = 0
  let inMaintenance = 0
  let soft = 0
  for (const metric of model.metrics.values()) {
    if (!isActive(metric) || !sees(metric.scanner.host)) continue
    severities[metric.state.hardSeverity] += 1
    if (metric.state.kind === 'soft') soft += 1
    if (metric.acknowledged && metric.incidentId !== null) acknowledged += 1
    if (metric.maintenance !== null && isProblem(metric)) inMaintenance += 1
  }
  let hosts: SeverityCounts = NO_COUNTS
  for (const host of model.hosts.values()) if (host.enabled && sees(host)) hosts = addSeverity(hosts, host.severity)
  return { severities, hosts, acknowledged, inMaintenance, soft }
}
