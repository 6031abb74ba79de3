import { Button } from '@mantine/core'
import { CHECK_FAMILIES, CHECK_KINDS, CHECKS, type Scanner, scannerRoutes } from '@narval/contracts'
import { IconActivity, IconPlus, IconRadar2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { call, fetchFile } from '../../lib/api.ts'
import { formatDuration, formatMilliseconds, formatNumber, NOTHING } from '../../lib/format.ts'
import { hostOptions, probeOptions, siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { enabledFilter } from '../../ui/common-filters.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableExport } from '../../ui/data-table-export.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { FirstHostButton } from '../../ui/first-host-button.tsx'
import { ModelBadge } from '../../ui/model-badge.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { ScannerBulkActions } from './scanner-bulk.tsx'
import { NextRun, RunResult } from './scanner-state.tsx'

const { columns: words } = fr

const probeOf = ({ probeName, standIn }: Scanner): string =>
  standIn === null ? (probeName ?? NOTHING) : fr.runBy(standIn.name, probeName ?? '')

const columns: readonly TableColumn<Scanner>[] = [
  {
    id: 'result',
    header: words.result,
    width: 110,
    sortable: false,
    card: 'corner',
    cell: scanner => <RunResult scanner={scanner} />,
  },
  {
    id: 'name',
    header: words.name,
    grow: 2.2,
    card: 'title',
    cell: scanner => (
      <>
        <strong>{scanner.name}</strong>
        <ModelBadge modelId={scanner.modelId} modelName={scanner.modelName} plain />
      </>
    ),
  },
  { id: 'kind', header: words.kind, width: 116, cell: scanner => CHECKS[scanner.kind].label },
  { id: 'hostName', header: words.host, grow: 2.4, cell: scanner => scanner.hostName },
  { id: 'siteName', header: words.site, cell: scanner => scanner.siteName },
  { id: 'probeName', header: words.probe, cell: probeOf },
  {
    id: 'lastError',
    header: words.lastError,
    grow: 1.6,
    sortable: false,
    cell: scanner => <span title={scanner.lastError ?? ''}>{scanner.lastError ?? ''}</span>,
  },
  {
    id: 'interval',
    hidden: true,
    header: words.interval,
    width: 90,
    align: 'right',
    sortable: false,
    cell: scanner => formatDuration(scanner.effective.intervalSeconds * 1_000),
  },
  {
    id: 'metrics',
    hidden: true,
    header: words.metrics,
    width: 88,
    align: 'right',
    sortable: false,
    cell: scanner => formatNumber(scanner.metrics, 0),
  },
  {
    id: 'lastDurationMs',
    hidden: true,
    header: words.duration,
    width: 80,
    align: 'right',
    sortable: false,
    cell: scanner => (scanner.lastDurationMs === null ? NOTHING : formatMilliseconds(scanner.lastDurationMs)),
  },
  {
    id: 'lastRun',
    header: words.lastRun,
    width: 126,
    align: 'right',
    sortable: false,
    cell: scanner => <Ago at={scanner.lastRun} />,
  },
  {
    id: 'nextRun',
    header: words.nextRun,
    width: 126,
    align: 'right',
    sortable: false,
    cell: scanner => <NextRun scanner={scanner} brief />,
  },
]
const FILTERS: readonly TableFilter[] = [
  {
    name: 'family',
    label: fr.filters.family,
    choices: CHECK_FAMILIES.map(family => ({ value: family, label: family })),
  },
  {
    name: 'kind',
    label: fr.filters.kind,
    choices: CHECK_KINDS.map(kind => ({ value: kind, label: CHECKS[kind].label })),
  },
  { name: 'siteId', label: fr.filters.site, source: siteOptions },
  { name: 'hostId', label: fr.filters.host, source: hostOptions },
  enabledFilter,
]
const WITH_PROBES: readonly TableFilter[] = [
  ...FILTERS,
  { name: 'probeId', label: fr.filters.probe, source: probeOptions },
]
const ALSO_SEARCHED = ['name', 'kind', 'hostName', 'hostAddress', 'siteName']
const LOOK: RowLook<Scanner> = {
  key: scanner => scanner.id,
  name: scanner => `${scanner.hostName} · ${scanner.name}`,
  href: scanner => `/scanner/edit/${scanner.id}`,
  edge: scanner => (!scanner.enabled || scanner.lastRun === null ? null : scanner.lastError === null ? 'ok' : 'error'),
  muted: scanner => !scanner.enabled,
}
const BY_HOST = { column: 'hostName', dir: 'asc' } as const
/** No hub follows scanners: their last runs are asked for again. */
const REFRESH_MS = 10_000

const EXPORT: TableExport = {
  name: 'scanners',
  fetch: body => fetchFile(scannerRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}

const bulkActions = (selection: BulkSelection) => <ScannerBulkActions selection={selection} />

const AddScanner = () => (
  <Button component={Link} to="/scanner/edit/new" leftSection={<IconPlus size={16} />}>
    {fr.add}
  </Button>
)

const Pings = () => (
  <Button component={Link} to="/scanner/edit/ping" variant="default" leftSection={<IconActivity size={16} />}>
    {fr.pings.title}
  </Button>
)

const Discover = () =>
  useSession().canEverywhere('scanner_read') && (
    <Button component={Link} to="/scanner/discovery" variant="default" leftSection={<IconRadar2 size={16} />}>
      {fr.discover}
    </Button>
  )

/** /scanner/edit: every scanner, with its last result. */
export const ScannerListPage = () => {
  const { can, canOn } = useSession()
  const writes = can('scanner_write')
  return (
    <>
      <PageHeader
        actions={
          <>
            <Pings />
            <Discover />
            {writes && <AddScanner />}
          </>
        }
      />
      <DataTable<Scanner>
        list="scanner"
        fetchPage={(body, signal) => call(scannerRoutes.datatable.put, { body, signal })}
        columns={columns}
        filters={can('probe_write') ? WITH_PROBES : FILTERS}
        defaultSort={BY_HOST}
        thenBy="name"
        alsoSearched={ALSO_SEARCHED}
        look={LOOK}
        noun={fr.scanner}
        searchLabel={fr.search}
        empty={{
          title: fr.emptyTitle,
          text: fr.emptyText,
          action: <FirstHostButton otherwise={writes && <AddScanner />} />,
        }}
        refreshMs={REFRESH_MS}
        keeps="scanners"
        exports={EXPORT}
        {...(writes && { bulk: bulkActions, mayTick: scanner => canOn(scanner, 'scanner_write') })}
      />
    </>
  )
}
