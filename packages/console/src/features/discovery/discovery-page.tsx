import {
  DISCOVERY_ROLES,
  type DiscoveryFinding,
  type DiscoveryRange,
  discoveryRoutes,
  FINDING_STATES,
} from '@narval/contracts'
import { useMemo } from 'react'
import { call } from '../../lib/api.ts'
import { formatMilliseconds, NOTHING } from '../../lib/format.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { NotLoaded, PageHeader } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './discovery.module.css'
import { FINDING_LIST, useFindingsOf, useRanges } from './discovery-queries.ts'
import { FindingActions } from './finding-actions.tsx'
import { FINDING_SEVERITY, FindingStateBadge } from './finding-state.tsx'
import { fr } from './fr.ts'
import { AddRange, RangeList } from './range-list.tsx'

const { queue } = fr

const cluesOf = ({ rttMs, openPorts, snmp }: DiscoveryFinding): string =>
  [
    ...(rttMs === null ? [] : [`${queue.ping} ${formatMilliseconds(rttMs)}`]),
    ...(snmp === null ? [] : [queue.snmp]),
    ...(openPorts.length === 0 ? [] : [queue.ports(openPorts)]),
  ].join(' · ')

const columns: readonly TableColumn<DiscoveryFinding>[] = [
  {
    id: 'state',
    header: queue.columns.state,
    width: 112,
    card: 'corner',
    cell: ({ state }) => <FindingStateBadge state={state} />,
  },
  {
    id: 'address',
    header: queue.columns.address,
    width: 150,
    card: 'title',
    cell: ({ address }) => <strong className={classes.address}>{address}</strong>,
  },
  {
    id: 'name',
    header: queue.columns.name,
    grow: 1.6,
    cell: ({ name, address }) => (name === address ? NOTHING : name),
  },
  { id: 'role', header: queue.columns.role, width: 142, cell: ({ role }) => fr.roles[role] },
  {
    id: 'clues',
    header: queue.columns.clues,
    grow: 1.8,
    sortable: false,
    cell: finding => <span title={finding.snmp?.sysDescr ?? undefined}>{cluesOf(finding)}</span>,
  },
  {
    id: 'parent',
    header: queue.columns.parent,
    grow: 1,
    sortable: false,
    cell: ({ proposal }) => proposal.parent?.name ?? NOTHING,
  },
  { id: 'hostName', header: queue.columns.host, grow: 1.1, cell: ({ hostName }) => hostName ?? NOTHING },
  {
    id: 'lastSeen',
    header: queue.columns.lastSeen,
    width: 126,
    align: 'right',
    cell: ({ lastSeen }) => <Ago at={lastSeen} />,
  },
  { id: 'mac', header: queue.columns.mac, width: 150, hidden: true, cell: ({ mac }) => mac },
  { id: 'rangeName', header: queue.columns.range, hidden: true, cell: ({ rangeName }) => rangeName },
]
const LOOK: RowLook<DiscoveryFinding> = {
  key: ({ id }) => id,
  name: ({ address, name }) => (name === address ? address : `${address} ${name}`),
  href: ({ id }) => `/scanner/discovery/address/${id}`,
  edge: ({ state }) => FINDING_SEVERITY[state],
  muted: ({ state }) => state === 'ignored',
}
const BY_STATE = { column: 'state', dir: 'asc' } as const
const ALSO_SEARCHED = ['mac', 'rangeName']
const FILTERS: readonly TableFilter[] = [
  {
    name: 'state',
    label: queue.filters.state,
    choices: FINDING_STATES.map(value => ({ value, label: fr.states[value] })),
  },
  {
    name: 'role',
    label: queue.filters.role,
    choices: DISCOVERY_ROLES.map(value => ({ value, label: fr.roles[value] })),
  },
  { name: 'siteId', label: queue.filters.site, source: siteOptions },
]
const bulkActions = (selection: BulkSelection) => <FindingActions selection={selection} />

/** /scanner/discovery: the ranges, and what they found that waits for a decision. */
export const DiscoveryPage = () => {
  const { data, error, refetch } = useRanges()
  if (data === undefined) return <NotLoaded error={error} onRetry={refetch} height={300} isAlone />
  return <Discovery ranges={data} />
}

const Discovery = ({ ranges }: { readonly ranges: readonly DiscoveryRange[] }) => {
  const { can } = useSession()
  const names = ranges.map(({ id, name }) => `${id} ${name}`).join('\n')
  const filters = useMemo(
    () => [
      ...FILTERS,
      {
        name: 'rangeId',
        label: queue.filters.range,
        choices: ranges.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    ],
    [names],
  )
  useFindingsOf(ranges)
  const any = ranges.length > 0
  return (
    <div className={classes.page}>
      {can('scanner_write') && any && <PageHeader actions={<AddRange />} />}
      <RangeList ranges={ranges} />
      {any && (
        <DataTable<DiscoveryFinding>
          list={FINDING_LIST}
          fetchPage={(body, signal) => call(discoveryRoutes.datatable.put, { body, signal })}
          columns={columns}
          filters={filters}
          defaultSort={BY_STATE}
          thenBy="address"
          alsoSearched={ALSO_SEARCHED}
          look={LOOK}
          noun={queue.noun}
          searchLabel={queue.search}
          empty={{ title: queue.emptyTitle, text: queue.emptyText }}
          {...(can('host_write') && { bulk: bulkActions })}
        />
      )}
    </div>
  )
}
