import { Button } from '@mantine/core'
import { AVAILABILITY_KEY, type DatatableInput, GLOBAL_STREAM, type Metric, metricRoutes } from '@narval/contracts'
import { IconChartLine } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call, fetchFile } from '../../lib/api.ts'
import { formatNumber, formatValue, NOTHING } from '../../lib/format.ts'
import { GRAPH_MAX, graphPath } from '../../lib/graph-ids.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { hostOptions, siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { situationText } from '../../lib/situation.ts'
import { thresholdSummary } from '../../lib/threshold-summary.ts'
import { enabledFilter, maintenanceFilter, severityFilter } from '../../ui/common-filters.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { FlappingMark } from '../../ui/flapping-mark.tsx'
import { ActBulk, actionsColumn, RowMenu } from '../../ui/incident-actions.tsx'
import { useLiveRows } from '../../ui/live-rows.ts'
import { MarkedState } from '../../ui/maintenance-mark.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { MetricBulkActions } from './metric-bulk.tsx'

const LIST = 'metric'
const { columns: words } = fr

/** Availability reads as on the pages of hosts and metrics, other states by their words, or as yes and no. */
const valueText = (metric: Metric): string => {
  const { key, value, unit, type, states } = metric
  if (key === AVAILABILITY_KEY) return situationText(metric)
  if (states !== null || type !== 'state' || (value !== 0 && value !== 1)) return formatValue(value, unit, states)
  return value === 1 ? fr.stateOk : fr.stateBad
}
const attemptText = ({ severity, kind, attempt, maxAttempts }: Metric): string =>
  severity === 'ok' && kind === 'hard' ? '' : `${formatNumber(attempt, 0)}/${formatNumber(maxAttempts, 0)}`

const name: TableColumn<Metric> = {
  id: 'name',
  header: words.name,
  grow: 2.4,
  wrap: true,
  card: 'title',
  cell: metric => <strong>{metric.name}</strong>,
}
const host: TableColumn<Metric> = {
  id: 'hostName',
  header: words.host,
  card: 'title',
  grow: 1.9,
  wrap: true,
  cell: metric => metric.hostName,
}
const site: TableColumn<Metric> = { id: 'siteName', header: words.site, wrap: true, cell: metric => metric.siteName }
const scanner: TableColumn<Metric> = { id: 'scannerName', header: words.scanner, cell: metric => metric.scannerName }

const key: TableColumn<Metric> = { id: 'key', header: words.key, hidden: true, cell: metric => metric.key }
const model: TableColumn<Metric> = {
  id: 'modelName',
  header: words.model,
  sortable: false,
  hidden: true,
  cell: metric => metric.modelName ?? '',
}
const thresholds: TableColumn<Metric> = {
  id: 'thresholds',
  header: words.thresholds,
  grow: 1.8,
  sortable: false,
  cell: metric => thresholdSummary(metric.thresholds, metric.unit) || NOTHING,
}

const consultation: readonly TableColumn<Metric>[] = [
  {
    id: 'severity',
    header: words.state,
    width: 108,
    card: 'corner',
    cell: metric => (
      <MarkedState maintenance={metric.maintenance}>
        <SeverityBadge severity={metric.severity} soft={metric.kind === 'soft'} />
        <FlappingMark percent={metric.flapping} />
      </MarkedState>
    ),
  },
  host,
  name,
  site,
  { id: 'value', header: words.value, width: 104, align: 'right', sortable: false, cell: valueText },
  { id: 'since', header: words.since, width: 96, align: 'right', cell: metric => <Since at={metric.since} /> },
  { id: 'attempt', header: words.attempt, width: 88, align: 'right', cell: attemptText },
  { id: 'information', header: words.information, grow: 1.2, wrap: true, cell: metric => metric.information },
  { id: 'at', header: words.at, width: 118, align: 'right', sortable: false, cell: metric => <Ago at={metric.at} /> },
  { ...scanner, hidden: true },
  key,
  { ...thresholds, hidden: true },
  model,
]
const edition: readonly TableColumn<Metric>[] = [
  name,
  host,
  site,
  scanner,
  thresholds,
  {
    id: 'enabled',
    header: words.enabled,
    width: 104,
    card: 'corner',
    cell: metric => (metric.enabled ? fr.on : fr.off),
  },
  { id: 'updatedAt', header: words.updated, width: 126, align: 'right', cell: metric => <Ago at={metric.updatedAt} /> },
  key,
  model,
]
const siteFilter: TableFilter = { name: 'siteId', label: fr.filters.site, source: siteOptions }
const hostFilter: TableFilter = { name: 'hostId', label: fr.filters.host, source: hostOptions }
const FILTERS = {
  read: [severityFilter, siteFilter, hostFilter, maintenanceFilter],
  edit: [siteFilter, hostFilter, enabledFilter],
}
const ALSO_SEARCHED = ['name', 'hostName', 'siteName', 'scannerName', 'key', 'information']

const looks = (base: string): RowLook<Metric> => ({
  key: metric => metric.id,
  name: metric => `${metric.hostName} · ${metric.name}`,
  href: metric => `${base}/${metric.id}`,
  edge: metric => (metric.enabled ? metric.severity : null),
  muted: metric => !metric.enabled,
})
const LOOK = { read: looks('/metric'), edit: { ...looks('/metric/edit'), edge: () => null } }
const BY_STATE = { column: 'severity', dir: 'asc' } as const
const BY_HOST = { column: 'hostName', dir: 'asc' } as const

const COLUMNS_UNDER = { read: 'metrics', edit: 'metrics-edit' } as const
const EXPORT = {
  name: 'metriques',
  fetch: (body: DatatableInput) =>
    fetchFile(metricRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}
const drawing = (selection: BulkSelection) => <DrawTogether selection={selection} />
const editing = (selection: BulkSelection) => <MetricBulkActions selection={selection} />
const acting = (selection: BulkSelection) => (
  <>
    <ActBulk of="metric" selection={selection} noun={fr.metric} />
    {drawing(selection)}
  </>
)
const bothWays = (selection: BulkSelection) => (
  <>
    {acting(selection)}
    {editing(selection)}
  </>
)
const actions = actionsColumn<Metric>(({ id, name: metricName, hostId, hostName, siteId, severity, kind }) => (
  <RowMenu
    acted={{
      ...{
        of: 'metric',
        id,
        name: `${hostName} · ${metricName}`,
        on: { siteId, hostId },
        comment: { kind: 'metric', id },
      },
      open: severity !== 'ok' && kind === 'hard',
    }}
  />
))
const withActions = [...consultation, actions]

interface MetricListProps {
  readonly mode: 'read' | 'edit'
  readonly emptyAction?: ReactNode
}

/** Metrics page by page: to look at, or to open in the editor. */
export const MetricList = ({ mode, emptyAction }: MetricListProps) => {
  const { can, canOn } = useSession()
  const writes = can('metric_write')
  const bulk = mode === 'edit' ? (writes ? editing : undefined) : writes ? bothWays : acting
  const rows = useLiveRows<Metric>(LIST)
  useHubEvent('metric', GLOBAL_STREAM, ({ metrics, entities }) => {
    rows.patch(new Map(metrics.map(({ hostId: _, siteId: __, ...live }) => [live.id, live])))
    if (entities !== undefined && entities.length > 0) rows.refetch()
  })
  useHubJoined('metric', rows.refetch)
  return (
    <DataTable<Metric>
      list={LIST}
      fetchPage={(body, signal) => call(metricRoutes.datatable.put, { body, signal })}
      columns={mode === 'read' ? withActions : edition}
      filters={FILTERS[mode]}
      defaultSort={mode === 'read' ? BY_STATE : BY_HOST}
      thenBy="name"
      alsoSearched={ALSO_SEARCHED}
      look={LOOK[mode]}
      noun={fr.metric}
      searchLabel={fr.search}
      empty={{ title: fr.emptyTitle, text: fr.emptyText, action: emptyAction }}
      hub="metric"
      keeps="metrics"
      keepsColumns={COLUMNS_UNDER[mode]}
      exports={EXPORT}
      {...(bulk !== undefined && {
        bulk,
        ...(mode === 'edit' && { mayTick: metric => canOn(metric, 'metric_write') }),
      })}
    />
  )
}

/** Leads to one graph of the rows that are ticked, while they are few enough. */
const DrawTogether = ({ selection: { target } }: { readonly selection: BulkSelection }) => {
  const ids = 'ids' in target ? target.ids : []
  const fits = ids.length > 0 && ids.length <= GRAPH_MAX
  const icon = <IconChartLine size={15} />
  const look = { size: 'compact-sm', variant: 'default', leftSection: icon } as const
  return fits ? (
    <Button {...look} component={Link} to={graphPath(ids)}>
      {fr.together}
    </Button>
  ) : (
    <Button {...look} disabled title={fr.tooMany(GRAPH_MAX)}>
      {fr.together}
    </Button>
  )
}
