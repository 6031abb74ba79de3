import { fold, HOST_STATES, type HostChanged, type HostGrid, type HostStateName } from '@narval/contracts'
import { SEVERITIES, type Severity, severityRank } from '@narval/engine'
import type { GridGroup } from './grid-layout.ts'

/** A host as a cell shows it. */
export interface HostCell {
  readonly id: number
  readonly name: string
  readonly siteId: number
  readonly siteName: string
  readonly typeId: number | null
  readonly typeName: string | null
  readonly state: HostStateName
  readonly severity: Severity
  readonly sinceMs: number
  readonly inMaintenance: boolean
  readonly acknowledged: boolean
}

/** The server's columns as hosts, in its order: that of names. */
export const readGrid = (grid: HostGrid): readonly HostCell[] => {
  const atMs = Date.parse(grid.at)
  const inMaintenance = new Set(grid.inMaintenance)
  const acknowledged = new Set(grid.acknowledged)
  return grid.id.map((id, index) => {
    const site = grid.sites[grid.site[index] ?? 0]
    const typePlace = grid.type[index] ?? null
    const type = typePlace === null ? undefined : grid.types[typePlace]
    return {
      id,
      name: grid.name[index] ?? '',
      siteId: site?.id ?? 0,
      siteName: site?.name ?? '',
      typeId: type?.id ?? null,
      typeName: type?.name ?? null,
      state: HOST_STATES[grid.state[index] ?? 0] ?? 'unknown',
      severity: SEVERITIES[grid.severity[index] ?? 0] ?? 'unknown',
      sinceMs: atMs - (grid.age[index] ?? 0) * 1_000,
      inMaintenance: inMaintenance.has(id),
      acknowledged: acknowledged.has(id),
    }
  })
}

/** The hosts with what a message says of some of them; the very same array when it says nothing of any. */
export const withChanges = (hosts: readonly HostCell[], changed: HostChanged['hosts']): readonly HostCell[] => {
  const told = new Map(changed.map(one => [one.id, one]))
  if (told.size === 0 || !hosts.some(host => told.has(host.id))) return hosts
  return hosts.map(host => {
    const now = told.get(host.id)
    if (now === undefined) return host
    const { state, severity, inMaintenance } = now
    // What was taken care of is over with the problem; a new one is asked for.
    const acknowledged = host.acknowledged && severity !== 'ok'
    return { ...host, state, severity, inMaintenance, acknowledged, sinceMs: Date.parse(now.since) }
  })
}

export interface CellFilter {
  readonly search: string
  readonly states: readonly string[]
  readonly sites: readonly string[]
  readonly types: readonly string[]
  readonly hideOk: boolean
}

/** Those that are searched and filtered for; « OK » hidden, what is disabled is too: nothing is to be done about it. */
export const filterHosts = (hosts: readonly HostCell[], filter: CellFilter): readonly HostCell[] => {
  const looked = fold(filter.search.trim())
  const among = (chosen: readonly string[], value: string | number | null): boolean =>
    chosen.length === 0 || (value !== null && chosen.includes(String(value)))
  return hosts.filter(
    host =>
      (looked === '' || fold(host.name).includes(looked) || fold(host.siteName).includes(looked)) &&
      among(filter.states, host.state) &&
      among(filter.sites, host.siteId) &&
      among(filter.types, host.typeId) &&
      !(filter.hideOk && (host.severity === 'ok' || host.state === 'disabled')),
  )
}

export const GROUPINGS = ['site', 'type'] as const
export type Grouping = (typeof GROUPINGS)[number]

const worstRank = (hosts: readonly HostCell[]): number => Math.min(...hosts.map(host => severityRank(host.severity)))

/** By site or by type, by name; with `worstFirst` the groups with the worst come first, as on a wall that nobody scrolls. */
export const groupHosts = (
  hosts: readonly HostCell[],
  by: Grouping,
  options: { readonly withoutType: string; readonly worstFirst?: boolean },
): readonly GridGroup<HostCell>[] => {
  const keyed = Map.groupBy(hosts, host => (by === 'site' ? host.siteId : (host.typeId ?? 0)))
  const groups = [...keyed].map(([key, own]) => ({
    key: String(key),
    name: (by === 'site' ? own[0]?.siteName : own[0]?.typeName) ?? options.withoutType,
    hosts: own,
  }))
  const order = new Intl.Collator('fr', { numeric: true })
  return groups.toSorted(
    (a, b) =>
      (options.worstFirst === true ? worstRank(a.hosts) - worstRank(b.hosts) : 0) || order.compare(a.name, b.name),
  )
}

/** What a cell looks like: its shape, and what is marked on it. Cells of the same look are drawn from one picture. */
export type CellShape = Severity | 'pending' | 'disabled'
export interface CellLook {
  readonly shape: CellShape
  readonly hollow: boolean
  readonly marked: boolean
}
export const lookOf = ({ state, severity, acknowledged, inMaintenance }: HostCell): CellLook => ({
  shape: state === 'pending' || state === 'disabled' ? state : severity,
  hollow: acknowledged,
  marked: inMaintenance,
})
export const lookKey = ({ shape, hollow, marked }: CellLook): string =>
  `${shape}${hollow ? '-' : '+'}${marked ? 'm' : ''}`
