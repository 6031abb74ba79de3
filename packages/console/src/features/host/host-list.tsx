import { type DatatableInput, HOST_STATES, type Host, hostRoutes } from '@narval/contracts'
import { type ReactNode, useMemo } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { call, fetchFile } from '../../lib/api.ts'
import { hostTypeOptions, monitoringModelOptions, siteOptions } from '../../lib/option-sources.ts'
import { ofHost } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { enabledFilter, maintenanceFilter } from '../../ui/common-filters.tsx'
import { Counts } from '../../ui/counts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { ActBulk, actionsColumn, RowMenu } from '../../ui/incident-actions.tsx'
import { useLiveHosts } from '../../ui/live-hosts.ts'
import { MarkedState } from '../../ui/maintenance-mark.tsx'
import { useFieldColumns } from '../../ui/record-fields-columns.ts'
import { HOST_STATE_SEVERITY, HostStateBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { HostBulkActions } from './host-bulk.tsx'
import { HOST_LIST } from './host-queries.ts'

const { columns: words } = fr
const name: TableColumn<Host> = {
  id: 'name',
  header: words.name,
  grow: 2,
  card: 'title',
  cell: host => <strong>{host.name}</strong>,
}
const address: TableColumn<Host> = { id: 'address', header: words.address, grow: 1.2, cell: host => host.address }
const site: TableColumn<Host> = { id: 'siteName', header: words.site, grow: 1.3, cell: host => host.siteName }
const type: TableColumn<Host> = { id: 'typeName', header: words.type, cell: host => host.typeName ?? '' }
const probe: TableColumn<Host> = { id: 'probeName', header: words.probe, cell: host => host.probeName ?? '' }

const effectiveProbe: TableColumn<Host> = {
  id: 'effectiveProbe',
  header: words.effectiveProbe,
  sortable: false,
  hidden: true,
  cell: ({ effectiveProbe: probe, standIn }) =>
    standIn === null ? (probe?.name ?? '') : fr.runBy(standIn.name, probe?.name ?? ''),
}
const model: TableColumn<Host> = { id: 'modelName', header: words.model, cell: host => host.modelName ?? '' }
const tags: TableColumn<Host> = { id: 'tags', header: words.tags, cell: host => host.tags.join(', ') }
const description: TableColumn<Host> = {
  id: 'description',
  header: words.description,
  sortable: false,
  hidden: true,
  cell: host => host.description,
}
const parents: TableColumn<Host> = {
  id: 'parents',
  header: words.parents,
  sortable: false,
  hidden: true,
  cell: host => host.parents.map(parent => parent.name).join(', '),
}
const models: TableColumn<Host> = {
  id: 'monitoringModels',
  header: words.models,
  sortable: false,
  hidden: true,
  cell: host => host.monitoringModels.map(one => one.name).join(', '),
}
const updated: TableColumn<Host> = {
  id: 'updatedAt',
  header: words.updated,
  width: 126,
  align: 'right',
  cell: host => <Ago at={host.updatedAt} />,
}
const hidden = (column: TableColumn<Host>): TableColumn<Host> => ({ ...column, hidden: true })

const consultation: readonly TableColumn<Host>[] = [
  {
    id: 'severity',
    header: words.state,
    width: 138,
    card: 'corner',
    cell: host => (
      <MarkedState maintenance={host.maintenance}>
        <HostStateBadge state={host.state} />
      </MarkedState>
    ),
  },
  name,
  address,
  site,
  type,
  { id: 'counts', header: words.metrics, width: 150, sortable: false, cell: host => <Counts counts={host.counts} /> },
  { id: 'since', header: words.since, width: 112, align: 'right', cell: host => <Since at={host.since} /> },
  {
    id: 'lastAnswer',
    header: words.answer,
    width: 130,
    align: 'right',
    sortable: false,
    cell: host => <Ago at={host.lastAnswer} />,
  },
  hidden(model),
  hidden(tags),
  effectiveProbe,
  parents,
  models,
  description,
  hidden(updated),
]
const edition: readonly TableColumn<Host>[] = [
  name,
  address,
  site,
  type,
  model,
  probe,
  tags,
  { id: 'enabled', header: words.enabled, width: 104, card: 'corner', cell: host => (host.enabled ? fr.on : fr.off) },
  updated,
  effectiveProbe,
  parents,
  models,
  description,
]
const stateFilter: TableFilter = {
  name: 'state',
  label: fr.filters.state,
  choices: HOST_STATES.map(state => ({
    value: state,
    label: common.hostState[state],
    icon: iconOf(HOST_STATE_SEVERITY[state]),
  })),
}
const siteFilter: TableFilter = { name: 'siteId', label: fr.filters.site, source: siteOptions }
const typeFilter: TableFilter = { name: 'typeId', label: fr.filters.type, source: hostTypeOptions }
const modelFilter: TableFilter = {
  name: 'monitoringModelId',
  label: fr.filters.model,
  source: monitoringModelOptions,
}
const FILTERS = {
  read: [stateFilter, siteFilter, typeFilter, maintenanceFilter],
  edit: [siteFilter, typeFilter, modelFilter, enabledFilter],
}
const COLUMNS_AND_FILTERS = {
  read: { columns: consultation, filters: FILTERS.read },
  edit: { columns: edition, filters: FILTERS.edit },
}
const COLUMNS_UNDER = { read: 'hosts', edit: 'hosts-edit' } as const
const EXPORT = {
  name: 'equipements',
  fetch: (body: DatatableInput) =>
    fetchFile(hostRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}
const ALSO_SEARCHED = ['name', 'address', 'siteName', 'typeName', 'modelName', 'tags']

function iconOf(severity: (typeof HOST_STATE_SEVERITY)[keyof typeof HOST_STATE_SEVERITY]): ReactNode {
  return severity === null ? null : <SeverityIcon severity={severity} />
}

const looks = (base: string): RowLook<Host> => ({
  key: host => host.id,
  name: host => host.name,
  href: host => `${base}/${host.id}`,
  edge: host => (HOST_STATE_SEVERITY[host.state] === null ? null : host.severity),
  muted: host => !host.enabled,
})
const LOOK = { read: looks('/host'), edit: { ...looks('/host/edit'), edge: () => null } }
const BY_STATE = { column: 'severity', dir: 'asc' } as const
const BY_NAME = { column: 'name', dir: 'asc' } as const

/** What may be done with rows that are ticked asks for one of these. */
const BULK_CLAIMS = { read: ['incident_write', 'host_write'], edit: ['host_write'] } as const
const editing = (selection: BulkSelection) => <HostBulkActions selection={selection} />
const acting = (selection: BulkSelection) => <ActBulk of="host" selection={selection} noun={fr.host} />
const bothWays = (selection: BulkSelection) => (
  <>
    {acting(selection)}
    {editing(selection)}
  </>
)
const actions = actionsColumn<Host>(({ id, name: hostName, siteId, counts }) => (
  <RowMenu
    acted={{
      ...{ of: 'host', id, name: hostName, on: { siteId, hostId: id }, comment: { kind: 'host', id } },
      open: counts.error + counts.warning + counts.unknown > 0,
    }}
  />
))

interface HostListProps {
  readonly mode: 'read' | 'edit'
  readonly emptyText: string
  readonly emptyAction?: ReactNode
}

/** Equipment page by page: to look at, or to open in the editor. */
export const HostList = ({ mode, emptyText, emptyAction }: HostListProps) => {
  useLiveHosts(HOST_LIST)
  const { can, canOn } = useSession()
  const writes = can('host_write')
  const acts = mode === 'read' && can('incident_write')
  const bulk = acts ? (writes ? bothWays : acting) : writes ? editing : undefined
  const fields = useFieldColumns<Host>({ scope: 'host', list: COLUMNS_UNDER[mode], ...COLUMNS_AND_FILTERS[mode] })
  const columns = useMemo(
    () => (mode === 'read' ? [...fields.columns, actions] : fields.columns),
    [mode, fields.columns],
  )
  return (
    <DataTable<Host>
      list={HOST_LIST}
      fetchPage={(body, signal) => call(hostRoutes.datatable.put, { body, signal })}
      columns={columns}
      filters={fields.filters}
      defaultSort={mode === 'read' ? BY_STATE : BY_NAME}
      thenBy="name"
      alsoSearched={ALSO_SEARCHED}
      look={LOOK[mode]}
      noun={fr.host}
      searchLabel={fr.search}
      empty={{ title: fr.emptyTitle, text: emptyText, action: emptyAction }}
      hub="host"
      keeps="hosts"
      keepsColumns={COLUMNS_UNDER[mode]}
      exports={EXPORT}
      {...(bulk !== undefined && { bulk, mayTick: host => canOn(ofHost(host), ...BULK_CLAIMS[mode]) })}
    />
  )
}
