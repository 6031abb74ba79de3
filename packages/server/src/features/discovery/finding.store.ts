import {
  addressKey,
  DISCOVERY_ROLES,
  type DiscoveryFinding,
  type DiscoveryRole,
  FINDING_STATES,
  type FindingState,
  fold,
} from '@narval/contracts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { idFilter, type ListSpec, wordFilter } from '../../store/datatable.ts'
import { readShippedModels } from '../../store/shipped-models.ts'
import type { DiscoveryTables } from '../../store/tables/discovery.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import type { Changed, Facts } from './findings.ts'
import { proposedModels, ROLE_TYPES } from './guess.ts'

export type FindingColumns = Selectable<DiscoveryTables['discovery_finding']>
export interface FindingRow extends FindingColumns {
  range_name: string
  site_id: number
  site_name: string
  probe_id: number | null
  host_name: string | null
  parent_host_name: string | null
  parent_finding_host_id: number | null
  parent_name: string | null
  state: string
}

/** The state of a finding: never kept, so that a host which is deleted makes its finding new again. */
export const STATE_SQL = sql<string>`case when finding.ignored = 1 then 'ignored' when finding.vanished_at is not null then 'vanished'
  when finding.changes <> '[]' then 'changed' when finding.host_id is not null then 'known' else 'new' end`
/** Their order is that in which people look at them. */
const STATE_RANK = sql`case when finding.ignored = 1 then 4 when finding.vanished_at is not null then 2
  when finding.changes <> '[]' then 1 when finding.host_id is not null then 3 else 0 end`

export const findingList: ListSpec = {
  select: sql`finding.*, range.name as range_name, range.site_id, range.probe_id, site.name as site_name, host.name as host_name,
    parent_host.name as parent_host_name, parent.host_id as parent_finding_host_id, parent.name as parent_name, ${STATE_SQL} as state`,
  from: sql`discovery_finding finding join discovery_range range on range.id = finding.range_id join site on site.id = range.site_id
    left join host on host.id = finding.host_id left join host parent_host on parent_host.id = finding.parent_host_id
    left join discovery_finding parent on parent.id = finding.parent_id`,
  visible: sql<boolean>`1 = 1`,
  columns: {
    address: { sort: sql`finding.address_key`, search: sql`finding.address` },
    name: { sort: sql`finding.name_folded`, search: sql`finding.name_folded` },
    state: { sort: STATE_RANK },
    role: { sort: sql`finding.role` },
    mac: { sort: sql`finding.mac`, search: sql`finding.mac` },
    hostName: { sort: sql`host.name_folded`, search: sql`host.name_folded` },
    rangeName: { sort: sql`range.name_folded`, search: sql`range.name_folded` },
    siteName: { sort: sql`site.name_folded`, search: sql`site.name_folded` },
    firstSeen: { sort: sql`finding.first_seen_at` },
    lastSeen: { sort: sql`finding.last_seen_at` },
  },
  filters: {
    id: idFilter(sql`finding.id`),
    rangeId: idFilter(sql`finding.range_id`),
    siteId: idFilter(sql`range.site_id`),
    state: wordFilter(STATE_SQL, new Map(FINDING_STATES.map(state => [state, state]))),
    role: wordFilter(sql`finding.role`, new Map(DISCOVERY_ROLES.map(role => [role, role]))),
  },
  order: sql`${STATE_RANK}, finding.address_key`,
  tie: sql`finding.id`,
}

export const roleOf = (row: Pick<FindingColumns, 'role'>): DiscoveryRole =>
  DISCOVERY_ROLES.find(role => role === row.role) ?? 'unknown'
/** What this server wrote there itself. */
export const factsOf = (row: Pick<FindingColumns, 'facts'>): Facts => JSON.parse(row.facts)
export const changesOf = (row: Pick<FindingColumns, 'changes'>): Changed[] => JSON.parse(row.changes)
const stateOf = (row: Pick<FindingRow, 'state'>): FindingState => FINDING_STATES.find(one => one === row.state) ?? 'new'

/** What roles stand for in this installation. */
export interface Catalogue {
  readonly types: ReadonlyMap<string, { readonly id: number; readonly name: string }>
  readonly models: ReadonlyMap<string, { readonly id: number; readonly name: string }>
}

export const readCatalogue = async (db: Db): Promise<Catalogue> => {
  const types = await db.selectFrom('host_type').select(['id', 'name', 'name_folded']).execute()
  const models = await readShippedModels(db)
  return {
    types: new Map(types.map(type => [type.name_folded, { id: type.id, name: type.name }])),
    models: new Map(models.map(model => [model.key, { id: model.id, name: model.name }])),
  }
}

export const typeOf = (role: DiscoveryRole, { types }: Catalogue): { id: number; name: string } | null =>
  ROLE_TYPES[role].map(name => types.get(fold(name))).find(type => type !== undefined) ?? null

export const modelsOf = (role: DiscoveryRole, facts: Facts, { models }: Catalogue): { id: number; name: string }[] =>
  proposedModels(role, facts).flatMap(key => models.get(key) ?? [])

/** The parent that is proposed: a host, or another found thing that is none yet. */
export const parentOf = (row: FindingRow): DiscoveryFinding['proposal']['parent'] => {
  const source = row.parent_source === 'traceroute' ? 'traceroute' : 'lldp'
  const hostId = row.parent_host_id ?? row.parent_finding_host_id
  const name = row.parent_host_name ?? row.parent_name
  return name === null || (hostId === row.host_id && hostId !== null)
    ? null
    : { hostId, findingId: row.parent_id, name, source }
}

export const toFinding = (row: FindingRow, catalogue: Catalogue): DiscoveryFinding => {
  const facts = factsOf(row)
  const role = roleOf(row)
  const type = typeOf(role, catalogue)
  return {
    id: row.id,
    rangeId: row.range_id,
    rangeName: row.range_name,
    siteId: row.site_id,
    siteName: row.site_name,
    address: row.address,
    name: row.name,
    state: stateOf(row),
    hostId: row.host_id,
    hostName: row.host_name,
    mac: row.mac,
    role,
    rttMs: facts.rttMs,
    dnsName: facts.dnsName,
    openPorts: facts.openPorts,
    snmp: facts.snmp,
    neighbours: facts.neighbours.map(({ localPort, name, chassis, port, addresses }) => ({
      ...{ localPort, port, name: name === '' ? chassis : name },
      address: addresses[0] ?? '',
    })),
    hops: facts.hops,
    changes: changesOf(row),
    firstSeen: toIso(row.first_seen_at),
    lastSeen: toIso(row.last_seen_at),
    vanishedSince: toIsoOrNull(row.vanished_at),
    proposal: {
      typeId: type?.id ?? null,
      typeName: type?.name ?? null,
      monitoringModels: modelsOf(role, facts, catalogue),
      parent: parentOf(row),
    },
  }
}

/** What a list of findings is keyed by. */
export const keyOf = (address: string): string => addressKey(address) ?? ''
