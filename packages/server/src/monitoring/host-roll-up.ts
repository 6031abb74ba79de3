import type { HostStateName } from '@narval/contracts'
import {
  addSeverity,
  type MetricState,
  NO_COUNTS,
  type Severity,
  type SeverityCounts,
  worstOfCounts,
} from '@narval/engine'
import { type HostEntry, isActive, type SiteEntry } from './fleet/model.ts'

/** Where a host stands: its confirmed metrics counted, and what its life test says. */
export interface HostVerdict {
  readonly state: HostStateName
  readonly severity: Severity
  readonly counts: SeverityCounts
}

/** Counts confirmed states only: a soft state is shown on its row, and colours nothing above it. */
export const judgeHost = (host: HostEntry): HostVerdict => {
  let counts = NO_COUNTS
  for (const scanner of host.scanners.values()) {
    for (const metric of scanner.metrics.values())
      if (isActive(metric)) counts = addSeverity(counts, metric.state.hardSeverity)
  }
  if (!host.enabled) return { state: 'disabled', severity: 'ok', counts: NO_COUNTS }
  const { life } = host
  if (life === null) return { state: 'pending', severity: 'unknown', counts }
  const state = stateByLife(life.state)
  return { state, severity: state === 'down' ? 'error' : (worstOfCounts(counts) ?? 'unknown'), counts }
}

/** What an enabled host is by its life test alone. */
export const stateByLife = ({ hardSeverity, hardCause }: MetricState): HostStateName => {
  if (hardSeverity === 'error') return 'down'
  if (hardSeverity !== 'unknown') return 'available'
  return hardCause === 'pending' ? 'pending' : hardCause === 'host-unreachable' ? 'unreachable' : 'unknown'
}

/** Hosts of a site by severity; disabled ones are not counted. */
export const countSite = (site: SiteEntry): SeverityCounts => {
  let counts = NO_COUNTS
  for (const host of site.hosts.values()) if (host.enabled) counts = addSeverity(counts, host.severity)
  return counts
}
