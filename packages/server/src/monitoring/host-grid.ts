import { HOST_STATES, type HostGrid } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import { toIso } from '../store/time.ts'
import type { HostEntry, Model } from './fleet/model.ts'
import { isActive } from './fleet/model.ts'
import { isProblem } from './live.ts'

/** Something is wrong with it, and each of its confirmed problems has an incident that somebody acknowledged. */
const isTakenCareOf = (host: HostEntry): boolean => {
  if (host.severity === 'ok') return false
  let cared = false
  for (const scanner of host.scanners.values())
    for (const metric of scanner.metrics.values()) {
      if (!isActive(metric) || !isProblem(metric)) continue
      if (metric.incidentId === null) continue
      if (!metric.acknowledged) return false
      cared = true
    }
  return cared
}

/** Gives each of what it is asked for its place in a list, in the order of the first time. */
const createPlaces = <T>() => {
  const places = new Map<number, number>()
  const all: T[] = []
  return {
    all,
    of(id: number, make: () => T): number {
      const known = places.get(id)
      if (known !== undefined) return known
      places.set(id, all.length)
      all.push(make())
      return all.length - 1
    },
  }
}

/** Every host that one sees, by columns, in the order of their names: some 15 ms at 10,000 hosts. */
export const gridOf = (
  model: Model,
  sees: (host: HostEntry) => boolean,
  typeNames: ReadonlyMap<number, string>,
  nowMs: number,
): HostGrid => {
  const hosts = [...model.hosts.values()].filter(host => sees(host))
  hosts.sort((a, b) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : a.id - b.id))
  const sites = createPlaces<HostGrid['sites'][number]>()
  const types = createPlaces<HostGrid['types'][number]>()
  return {
    at: toIso(nowMs),
    sites: sites.all,
    types: types.all,
    id: hosts.map(host => host.id),
    name: hosts.map(host => host.name),
    site: hosts.map(({ site }) => sites.of(site.id, () => ({ id: site.id, name: site.name }))),
    type: hosts.map(({ facts: { typeId, typeName } }) =>
      typeId === null ? null : types.of(typeId, () => ({ id: typeId, name: typeNames.get(typeId) ?? typeName ?? '' })),
    ),
    state: hosts.map(host => HOST_STATES.indexOf(host.state)),
    severity: hosts.map(host => severityRank(host.severity)),
    age: hosts.map(host => Math.max(0, Math.round((nowMs - host.sinceMs) / 1_000))),
    inMaintenance: hosts.flatMap(host => (host.maintenance === null ? [] : host.id)),
    acknowledged: hosts.flatMap(host => (isTakenCareOf(host) ? host.id : [])),
  }
}
