import { Button } from '@mantine/core'
import { type Host, hostRoutes, type Site } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { ofSite } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { severityFilter } from '../../ui/common-filters.tsx'
import { Counts } from '../../ui/counts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn } from '../../ui/data-table-types.ts'
import { useLiveHosts } from '../../ui/live-hosts.ts'
import { HOST_STATE_SEVERITY, HostStateBadge } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'

const columns: readonly TableColumn<Host>[] = [
  {
    id: 'severity',
    header: fr.columns.state,
    width: 136,
    card: 'corner',
    cell: host => <HostStateBadge state={host.state} />,
  },
  { id: 'name', header: fr.columns.name, grow: 2, card: 'title', cell: host => <strong>{host.name}</strong> },
  { id: 'address', header: fr.columns.address, cell: host => host.address },
  { id: 'typeName', header: fr.columns.type, cell: host => host.typeName ?? '' },
  {
    id: 'counts',
    header: fr.columns.metrics,
    width: 150,
    sortable: false,
    cell: host => <Counts counts={host.counts} />,
  },
  { id: 'since', header: fr.columns.since, width: 110, align: 'right', cell: host => <Since at={host.since} /> },
]
const SITE_HOST_LIST = 'site-host'
const filters = [severityFilter]
const look: RowLook<Host> = {
  key: host => host.id,
  name: host => host.name,
  href: host => `/host/${host.id}`,
  edge: host => (HOST_STATE_SEVERITY[host.state] === null ? null : host.severity),
  muted: host => !host.enabled,
}

/** The equipment of one site. */
export const SiteHosts = ({ site }: { readonly site: Site }) => {
  const siteId = site.id
  const fixed = useMemo(() => ({ siteId }), [siteId])
  const writes = useSession().canOn(ofSite(site), 'host_write')
  useLiveHosts(SITE_HOST_LIST)
  return (
    <DataTable<Host>
      list={SITE_HOST_LIST}
      fetchPage={(body, signal) => call(hostRoutes.datatable.put, { body, signal })}
      columns={columns}
      filters={filters}
      fixed={fixed}
      defaultSort={BY_STATE}
      thenBy="name"
      look={look}
      noun={fr.hosts}
      searchLabel={fr.searchHosts}
      empty={{
        title: fr.emptyHostsTitle,
        text: fr.emptyHostsText,
        action: writes && (
          <Button component={Link} to={`/host/edit/new?siteId=${siteId}`} leftSection={<IconPlus size={16} />}>
            {fr.addHost}
          </Button>
        ),
      }}
      hub="host"
    />
  )
}
const BY_STATE = { column: 'severity', dir: 'asc' } as const
