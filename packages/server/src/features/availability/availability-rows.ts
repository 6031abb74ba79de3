import {
  type AvailabilityBy,
  type AvailabilityQuery,
  type AvailabilityRow,
  type AvailabilityTotal,
  fold,
} from '@narval/contracts'
import {
  type AvailabilityRules,
  type AvailabilityTotals,
  addAvailability,
  availabilityFigures,
  NO_AVAILABILITY,
} from '@narval/engine'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import { type MemoryColumn, type MemoryList, textColumn } from '../../store/memory-list.ts'

type HostTotals = readonly [host: HostEntry, totals: AvailabilityTotals]

/** A row with its names as they are searched and sorted. */
export interface ListedRow extends AvailabilityRow {
  readonly folded: string
  readonly foldedSite: string
}

export const toRow = ({ folded: _, foldedSite: __, ...row }: ListedRow): AvailabilityRow => row

/** All of them as one. */
export const sumOf = (hosts: readonly HostTotals[], rules: AvailabilityRules): AvailabilityTotal => {
  const totals = hosts.reduce((sum, [, one]) => addAvailability(sum, one), NO_AVAILABILITY)
  return { hosts: hosts.length, ...totals, ...availabilityFigures(totals, rules) }
}

/** One row a host, or the hosts of a site or of a type added up. */
export const rowsOf = (
  hosts: readonly HostTotals[],
  by: AvailabilityBy,
  rules: AvailabilityRules,
  typeNames: ReadonlyMap<number, string>,
): ListedRow[] => {
  const typeOf = ({ facts }: HostEntry) => ({
    typeId: facts.typeId,
    typeName: facts.typeId === null ? null : (typeNames.get(facts.typeId) ?? null),
  })
  if (by === 'host') {
    return hosts.map(one => {
      const [host] = one
      const { id, name, site, folded } = host
      const names = { name, siteId: site.id, siteName: site.name, folded, foldedSite: site.folded }
      return { id, ...names, ...typeOf(host), ...sumOf([one], rules) }
    })
  }
  const groups = Map.groupBy(hosts, ([{ site, facts }]) => (by === 'site' ? site.id : (facts.typeId ?? 0)))
  return [...groups].flatMap(([id, some]) => {
    const [host] = some[0] ?? []
    return host === undefined ? [] : [{ id, ...namesOf(host, by, typeOf(host)), ...sumOf(some, rules) }]
  })
}

type Names = Pick<ListedRow, 'name' | 'siteId' | 'siteName' | 'typeId' | 'typeName' | 'folded' | 'foldedSite'>
const namesOf = (
  { site }: HostEntry,
  by: 'site' | 'type',
  type: Pick<AvailabilityRow, 'typeId' | 'typeName'>,
): Names => {
  if (by === 'site') {
    const { id, name, folded } = site
    return { name, siteId: id, siteName: name, typeId: null, typeName: null, folded, foldedSite: folded }
  }
  const name = type.typeName ?? 'Sans type'
  return { name, siteId: null, siteName: null, ...type, folded: fold(name), foldedSite: '' }
}

/** Whether a report is about a host. */
export const askedHosts = (
  query: Pick<AvailabilityQuery, 'host' | 'site' | 'type'>,
): ((host: HostEntry) => boolean) => {
  const [hosts, sites, types] = [query.host, query.site, query.type].map(ids =>
    ids === undefined ? null : new Set(ids),
  )
  return ({ id, site, facts }) =>
    hosts?.has(id) !== false && sites?.has(site.id) !== false && types?.has(facts.typeId ?? 0) !== false
}

const FIGURES = [
  ...['hosts', 'ratio', 'availableMs', 'downMs', 'unreachableMs', 'flappingMs', 'unknownMs', 'maintenanceMs'],
  ...['outOfServiceMs', 'notMonitoredMs', 'outages', 'longestOutageMs', 'mttrMs', 'mtbfMs'],
] as const satisfies readonly (keyof AvailabilityRow)[]

/** How rows are searched and sorted: the least available first, those of which no time counted last. */
export const AVAILABILITY_LIST: MemoryList<ListedRow> = {
  columns: new Map<string, MemoryColumn<ListedRow>>([
    ['id', { sort: row => row.id }],
    ['name', textColumn(row => row.folded)],
    ['siteName', textColumn(row => row.foldedSite)],
    ['typeName', textColumn(row => (row.typeName === null ? null : fold(row.typeName)))],
    ...FIGURES.map(name => [name, { sort: (row: ListedRow) => row[name] }] as const),
  ]),
  filters: new Map(),
  live: new Set(),
  order: [
    ['ratio', 'asc'],
    ['name', 'asc'],
  ],
}
