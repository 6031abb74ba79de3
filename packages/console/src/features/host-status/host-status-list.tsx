import { type DatatableInput, type Host, hostRoutes } from '@narval/contracts'
import { call, fetchFile } from '../../lib/api.ts'
import { formatDuration, formatMilliseconds, formatRatio, NOTHING } from '../../lib/format.ts'
import { Counts } from '../../ui/counts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn } from '../../ui/data-table-types.ts'
import { useLiveHosts } from '../../ui/live-hosts.ts'
import { MarkedState } from '../../ui/maintenance-mark.tsx'
import { HOST_STATE_SEVERITY, HostStateBadge } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { ModeSwitch, STATUS_FILTERS } from './status-filters.tsx'

const LIST = 'host-status'
const { columns: words } = fr

const COLUMNS: readonly TableColumn<Host>[] = [
  {
    id: 'state',
    header: words.state,
    width: 130,
    card: 'corner',
    cell: host => (
      <MarkedState maintenance={host.maintenance}>
        <HostStateBadge state={host.state} />
      </MarkedState>
    ),
  },
  { id: 'name', header: words.name, grow: 1.8, card: 'title', cell: host => <strong>{host.name}</strong> },
  { id: 'siteName', header: words.site, grow: 1.2, cell: host => host.siteName },
  {
    id: 'rttMs',
    header: words.rtt,
    width: 76,
    align: 'right',
    sortable: false,
    cell: host => (host.rttMs === null ? NOTHING : formatMilliseconds(host.rttMs)),
  },
  {
    id: 'lossRatio',
    header: words.loss,
    width: 68,
    align: 'right',
    sortable: false,
    cell: host => (host.lossRatio === null ? NOTHING : formatRatio(host.lossRatio)),
  },
  {
    id: 'counts',
    header: words.counts,
    width: 128,
    sortable: false,
    cell: host => <Counts counts={host.counts} bar />,
  },
  {
    id: 'lastAnswer',
    header: words.answer,
    width: 104,
    align: 'right',
    sortable: false,
    cell: host => <Ago at={host.lastAnswer} />,
  },
  {
    id: 'effectiveProbe',
    header: words.probe,
    sortable: false,
    cell: ({ effectiveProbe, standIn }) => standIn?.name ?? effectiveProbe?.name ?? '',
  },
  { id: 'parents', header: words.parents, sortable: false, cell: host => host.parents.map(one => one.name).join(', ') },
  {
    id: 'uptimeS',
    header: words.uptime,
    width: 110,
    align: 'right',
    sortable: false,
    cell: host => (host.uptimeS === null ? NOTHING : formatDuration(host.uptimeS * 1_000)),
  },
  {
    id: 'since',
    header: words.since,
    width: 104,
    align: 'right',
    hidden: true,
    cell: host => <Since at={host.since} />,
  },
  { id: 'typeName', header: words.type, hidden: true, cell: host => host.typeName ?? '' },
  { id: 'address', header: words.address, hidden: true, cell: host => host.address },
]
const LOOK: RowLook<Host> = {
  key: host => host.id,
  name: host => host.name,
  href: host => `/host/${host.id}`,
  edge: host => (HOST_STATE_SEVERITY[host.state] === null ? null : host.severity),
  muted: host => !host.enabled,
}
const fetchPage = (body: DatatableInput, signal: AbortSignal) => call(hostRoutes.datatable.put, { body, signal })
const EXPORT = {
  name: 'equipements',
  fetch: (body: DatatableInput) =>
    fetchFile(hostRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}
const BY_STATE = { column: 'state', dir: 'asc' } as const

/** The same hosts line by line, with what their last checks found. */
export const HostStatusList = () => {
  useLiveHosts(LIST)
  return (
    <DataTable<Host>
      list={LIST}
      fetchPage={fetchPage}
      columns={COLUMNS}
      filters={STATUS_FILTERS}
      defaultSort={BY_STATE}
      thenBy="severity"
      alsoSearched={['address', 'siteName']}
      look={LOOK}
      noun={fr.noun}
      searchLabel={fr.search}
      empty={{ title: fr.emptyTitle, text: fr.emptyText }}
      hub="host"
      refreshMs={30_000}
      keepsColumns="host-status"
      exports={EXPORT}
      lead={<ModeSwitch />}
    />
  )
}
