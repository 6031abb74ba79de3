import { type DatatableInput, type Site, siteRoutes } from '@narval/contracts'
import { type ReactNode, useMemo } from 'react'
import { call, fetchFile } from '../../lib/api.ts'
import { formatNumber, NOTHING } from '../../lib/format.ts'
import { siteOptions, siteTypeOptions } from '../../lib/option-sources.ts'
import { ofSite } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { Counts } from '../../ui/counts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { ActBulk, actionsColumn, RowMenu } from '../../ui/incident-actions.tsx'
import { useFieldColumns } from '../../ui/record-fields-columns.ts'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { SiteBulkActions } from './site-bulk.tsx'
import { SITE_LIST, useLiveSites } from './site-queries.ts'
import { SiteViewSwitch } from './site-view.tsx'

const { columns: words } = fr
const state: TableColumn<Site> = {
  id: 'severity',
  header: words.state,
  width: 116,
  card: 'corner',
  cell: site => (site.hosts === 0 ? NOTHING : <SeverityBadge severity={site.severity} />),
}
const name: TableColumn<Site> = {
  id: 'name',
  header: words.name,
  grow: 2,
  card: 'title',
  cell: site => <strong>{site.name}</strong>,
}
const code: TableColumn<Site> = { id: 'code', header: words.code, width: 104, cell: site => site.code }
const city: TableColumn<Site> = { id: 'city', header: words.city, grow: 1.2, cell: site => site.city }
const type: TableColumn<Site> = { id: 'typeName', header: words.type, cell: site => site.typeName ?? '' }
const hosts: TableColumn<Site> = {
  id: 'hosts',
  header: words.hosts,
  width: 118,
  align: 'right',
  cell: site => formatNumber(site.hosts, 0),
}

const consultation: readonly TableColumn<Site>[] = [
  state,
  name,
  code,
  city,
  type,
  hosts,
  { id: 'counts', header: words.counts, width: 220, sortable: false, cell: site => <Counts counts={site.counts} /> },
]
const edition: readonly TableColumn<Site>[] = [
  name,
  code,
  city,
  type,
  { id: 'parentName', header: words.parent, cell: site => site.parentName ?? '' },
  { id: 'probeName', header: words.probe, grow: 1.3, cell: site => site.probeName ?? '' },
  hosts,
  { id: 'updatedAt', header: words.updated, width: 126, align: 'right', cell: site => <Ago at={site.updatedAt} /> },
]
const filters: readonly TableFilter[] = [
  { name: 'typeId', label: fr.fields.typeId, source: siteTypeOptions },
  { name: 'parentId', label: fr.fields.parentId, source: siteOptions },
]
const alsoSearched = ['postalCode', 'city', 'code']

const looks = (base: string): RowLook<Site> => ({
  key: site => site.id,
  name: site => site.name,
  href: site => `${base}/${site.id}`,
  edge: site => (site.hosts === 0 ? null : site.severity),
})
const LOOK = { read: looks('/site'), edit: { ...looks('/site/edit'), edge: () => null } }

const COLUMNS_UNDER = { read: 'sites', edit: 'sites-edit' } as const
const EXPORT = {
  name: 'sites',
  fetch: (body: DatatableInput) =>
    fetchFile(siteRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}
const editing = (selection: BulkSelection) => <SiteBulkActions selection={selection} />
const acting = (selection: BulkSelection) => <ActBulk of="site" selection={selection} noun={fr.site} />
const bothWays = (selection: BulkSelection) => (
  <>
    {acting(selection)}
    {editing(selection)}
  </>
)
/** What may be done with rows that are ticked asks for one of these. */
const BULK_CLAIMS = { read: ['incident_write', 'site_write'], edit: ['site_write'] } as const
const actions = actionsColumn<Site>(({ id, name: siteName, partial, counts }) => (
  <RowMenu
    acted={{
      ...{ of: 'site', id, name: siteName, on: { siteId: id, partial } },
      ...(!partial && { comment: { kind: 'site', id } }),
      open: counts.error + counts.warning + counts.unknown > 0,
    }}
  />
))

interface SiteListProps {
  readonly mode: 'read' | 'edit'
  readonly emptyText: string
  readonly emptyAction?: ReactNode
}

/** Sites page by page: to look at, or to open in the editor. */
export const SiteList = ({ mode, emptyText, emptyAction }: SiteListProps) => {
  useLiveSites()
  const { can, canOn } = useSession()
  const writes = can('site_write')
  const acts = mode === 'read' && can('incident_write')
  const bulk = acts ? (writes ? bothWays : acting) : writes ? editing : undefined
  const fields = useFieldColumns<Site>({
    scope: 'site',
    list: COLUMNS_UNDER[mode],
    columns: mode === 'read' ? consultation : edition,
    filters,
  })
  const columns = useMemo(
    () => (mode === 'read' ? [...fields.columns, actions] : fields.columns),
    [mode, fields.columns],
  )
  return (
    <DataTable<Site>
      list={SITE_LIST}
      fetchPage={(body, signal) => call(siteRoutes.datatable.put, { body, signal })}
      columns={columns}
      filters={fields.filters}
      defaultSort={mode === 'read' ? BY_STATE : BY_NAME}
      thenBy="name"
      alsoSearched={alsoSearched}
      look={LOOK[mode]}
      noun={fr.site}
      searchLabel={fr.searchSites}
      empty={{ title: fr.emptyTitle, text: emptyText, action: emptyAction }}
      hub="site"
      keeps="sites"
      keepsColumns={COLUMNS_UNDER[mode]}
      exports={EXPORT}
      {...(bulk !== undefined && { bulk, mayTick: site => canOn(ofSite(site), ...BULK_CLAIMS[mode]) })}
      lead={<SiteViewSwitch />}
    />
  )
}
const BY_STATE = { column: 'severity', dir: 'asc' } as const
const BY_NAME = { column: 'name', dir: 'asc' } as const
