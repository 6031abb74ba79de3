import { Button } from '@mantine/core'
import { type Host, hostRoutes, type MonitoringModel } from '@narval/contracts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { Counts } from '../../ui/counts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn } from '../../ui/data-table-types.ts'
import { useLiveHosts } from '../../ui/live-hosts.ts'
import { HOST_STATE_SEVERITY, HostStateBadge } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'

const LIST = 'monitoring-model-host'
const words = fr.hostColumns
const columns: readonly TableColumn<Host>[] = [
  {
    id: 'severity',
    header: words.state,
    width: 138,
    card: 'corner',
    cell: host => <HostStateBadge state={host.state} />,
  },
  { id: 'name', header: words.name, grow: 2, card: 'title', cell: host => <strong>{host.name}</strong> },
  { id: 'address', header: words.address, grow: 1.2, cell: host => host.address },
  { id: 'siteName', header: words.site, grow: 1.3, cell: host => host.siteName },
  { id: 'counts', header: words.metrics, width: 150, sortable: false, cell: host => <Counts counts={host.counts} /> },
  { id: 'since', header: words.since, width: 112, align: 'right', cell: host => <Since at={host.since} /> },
]
const LOOK: RowLook<Host> = {
  key: host => host.id,
  name: host => host.name,
  href: host => `/host/${host.id}`,
  edge: host => (HOST_STATE_SEVERITY[host.state] === null ? null : host.severity),
  muted: host => !host.enabled,
}
const BY_STATE = { column: 'severity', dir: 'asc' } as const

/** The equipment that has a model, live, with the way to the whole list. */
export const ModelHosts = ({ model }: { readonly model: MonitoringModel }) => {
  useLiveHosts(LIST)
  const fixed = useMemo(() => ({ monitoringModelId: model.id }), [model.id])
  return (
    <DataTable<Host>
      list={LIST}
      fetchPage={(body, signal) => call(hostRoutes.datatable.put, { body, signal })}
      columns={columns}
      fixed={fixed}
      defaultSort={BY_STATE}
      thenBy="name"
      look={LOOK}
      noun={fr.hosts.count}
      searchLabel={fr.hosts.search}
      empty={{ title: fr.hosts.none, text: fr.hosts.noneText }}
      hub="host"
      lead={
        <Button variant="default" component={Link} to={`/host?monitoringModelId=${model.id}`}>
          {fr.hosts.see}
        </Button>
      }
    />
  )
}
