import { Button } from '@mantine/core'
import { type Host, hostRoutes, type Site } from '@narval/contracts'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { severityFilter } from '../../ui/common-filters.tsx'
import { Counts } from '../../ui/counts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn } from '../../ui/data-table-types.ts'
import { Facts } from '../../ui/facts.tsx'
import { useLiveHosts } from '../../ui/live-hosts.ts'
import { Card, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { RecordFieldsCard } from '../../ui/record-fields.tsx'
import { HOST_STATE_SEVERITY, HostStateBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import classes from './site-page.module.css'
import { siteQuery, useLiveSite } from './site-queries.ts'

/** /site/:id: the site's facts and its equipment. */
export const SitePage = () => {
  const id = useIdParam() ?? 0
  const { data: site, error, refetch } = useQuery(siteQuery(id))
  useLiveSite(id)
  const writes = useSession().can('site_write')
  if (site === undefined)
    return error === null ? (
      <LoadingState height={400} />
    ) : (
      <Card>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Card>
    )
  return (
    <div className={classes.page}>
      <PageHeader
        title={site.name}
        lead={site.hosts > 0 ? <SeverityIcon severity={site.severity} size={22} /> : undefined}
        meta={[site.code, site.typeName, site.city].filter(Boolean).join(' · ')}
        actions={
          writes && (
            <Button variant="default" component={Link} to={`/site/edit/${id}`} leftSection={<IconPencil size={16} />}>
              {fr.edit}
            </Button>
          )
        }
      />
      <SiteFacts site={site} />
      <RecordFieldsCard scope="site" id={id} name={site.name} />
      <h2 className={classes.heading}>
        {fr.host} <Counts counts={site.counts} />
      </h2>
      <SiteHosts siteId={id} />
    </div>
  )
}

const position = ({ latitude, longitude }: Site): string =>
  latitude === null || longitude === null ? '' : `${formatNumber(latitude, 5)} ; ${formatNumber(longitude, 5)}`
const addressOf = (site: Site): string =>
  [site.address, [site.postalCode, site.city].filter(Boolean).join(' '), site.country].filter(Boolean).join('\n')

const SiteFacts = ({ site }: { readonly site: Site }) => (
  <Card>
    <Facts
      facts={[
        { label: fr.facts.address, value: addressOf(site) },
        {
          label: fr.facts.parent,
          value: site.parentName && <Link to={`/site/${site.parentId}`}>{site.parentName}</Link>,
        },
        { label: fr.facts.contact, value: site.contactName },
        {
          label: fr.facts.phone,
          value: site.contactPhone && (
            <a href={`tel:${site.contactPhone.replace(/[^\d+]/g, '')}`}>{site.contactPhone}</a>
          ),
        },
        {
          label: fr.facts.email,
          value: site.contactEmail && <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>,
        },
        { label: fr.facts.probe, value: site.probeName },
        { label: fr.facts.position, value: position(site) },
        { label: fr.facts.timeZone, value: site.timeZone },
        {
          label: fr.facts.updated,
          value: `${formatDateTime(site.updatedAt)}${site.updatedBy === null ? '' : fr.by(site.updatedBy)}`,
        },
      ]}
    />
    {site.instruction !== '' && (
      <div className={classes.instruction}>
        <h3>{fr.facts.instruction}</h3>
        <p>{site.instruction}</p>
      </div>
    )}
  </Card>
)

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

const SiteHosts = ({ siteId }: { readonly siteId: number }) => {
  const fixed = useMemo(() => ({ siteId }), [siteId])
  const writes = useSession().can('host_write')
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
