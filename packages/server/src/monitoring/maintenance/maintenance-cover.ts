import type { MaintenanceLoss, MaintenanceReport } from '@narval/contracts'
import { toIso } from '../../store/time.ts'
import { type HostEntry, isActive, type MetricEntry, type Model } from '../fleet/model.ts'
import type { Covered, NamedObjects } from './maintenance.store.ts'

/** Losses that a report tells one by one. */
const MAX_TOLD = 500

export interface Cover extends Covered {
  /** Sites covered whole. */
  readonly sites: ReadonlySet<number>
}

/** What a maintenance covers now: resolved each time, so that equipment of a site that comes later is covered as well. */
export const coverOf = (
  model: Model,
  siteParents: ReadonlyMap<number, number | null>,
  named: NamedObjects,
  propagate: boolean,
): Cover => {
  const sites = sitesUnder(siteParents, named.sites)
  const found = new Map<number, HostEntry>()
  const waiting = [
    ...[...sites].flatMap(id => [...(model.sites.get(id)?.hosts.values() ?? [])]),
    ...named.hosts.flatMap(id => model.hosts.get(id) ?? []),
  ]
  for (let host = waiting.pop(); host !== undefined; host = waiting.pop()) {
    if (found.has(host.id)) continue
    found.set(host.id, host)
    if (propagate) waiting.push(...host.children)
  }
  const metrics = new Set(named.metrics.filter(id => model.metrics.has(id)))
  for (const host of found.values())
    for (const scanner of host.scanners.values()) for (const { id } of scanner.metrics.values()) metrics.add(id)
  return { sites, hosts: new Set(found.keys()), metrics }
}

const sitesUnder = (parents: ReadonlyMap<number, number | null>, ids: readonly number[]): Set<number> => {
  const sites = new Set(ids.filter(id => parents.has(id)))
  if (sites.size === 0) return sites
  const children = Map.groupBy(parents.keys(), id => parents.get(id) ?? 0)
  const waiting = [...sites]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const child of children.get(id) ?? []) {
      if (sites.has(child)) continue
      sites.add(child)
      waiting.push(child)
    }
  }
  return sites
}

/** Confirmed and wrong; what awaits its first result is not. */
export const isBad = ({ state }: MetricEntry): boolean => state.hardSeverity !== 'ok' && state.hardCause !== 'pending'

export const activeMetrics = (model: Model, { metrics }: Covered): MetricEntry[] =>
  [...metrics].flatMap(id => model.metrics.get(id) ?? []).filter(isActive)

const RANKS = ['error', 'warning', 'unknown', 'ok']

/** What of these metrics did not come back. */
export const reportOn = (metrics: readonly MetricEntry[], badAtStart: ReadonlySet<number>): MaintenanceReport => {
  const bad = metrics.filter(isBad).map(lossOf)
  bad.sort((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity) || a.name.localeCompare(b.name, 'fr'))
  const broken = bad.filter(({ metricId }) => !badAtStart.has(metricId))
  const stillBroken = bad.filter(({ metricId }) => badAtStart.has(metricId))
  return {
    broken: broken.slice(0, MAX_TOLD),
    brokenCount: broken.length,
    stillBroken: stillBroken.slice(0, MAX_TOLD),
    stillBrokenCount: stillBroken.length,
    back: metrics.length - bad.length,
  }
}

const lossOf = ({ id, name, scanner, state }: MetricEntry): MaintenanceLoss => ({
  metricId: id,
  hostId: scanner.host.id,
  name: `${scanner.host.name}\u202f: ${name}`,
  severity: state.hardSeverity,
  since: toIso(state.hardSinceMs),
})
