import { ActionIcon } from '@mantine/core'
import type { AvailabilityBy, AvailabilityRow, MetricAvailabilityRow } from '@narval/contracts'
import { IconListDetails } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatAvailability } from '../../lib/availability.ts'
import { formatDuration, formatNumber, NOTHING } from '../../lib/format.ts'
import { AvailabilityBar } from '../../ui/availability-bar.tsx'
import type { TableColumn } from '../../ui/data-table-types.ts'
import classes from './availability.module.css'
import { fr } from './fr.ts'

const { columns: words } = fr
type Row = AvailabilityRow
type MetricRow = MetricAvailabilityRow

export const timeText = (ms: number | null): string => (ms === null || ms === 0 ? NOTHING : formatDuration(ms))
const time = <R,>(id: string, header: string, of: (row: R) => number | null, hidden = true): TableColumn<R> => ({
  ...{ id, header, hidden, width: 130, align: 'right' as const },
  cell: row => timeText(of(row)),
})

const NAME: TableColumn<Row> = {
  id: 'name',
  header: words.name,
  grow: 2,
  card: 'title',
  cell: row => <strong>{row.name}</strong>,
}
const COUNT: TableColumn<Row> = {
  id: 'hosts',
  header: words.hosts,
  width: 120,
  align: 'right',
  cell: row => formatNumber(row.hosts, 0),
}
const OWN: Readonly<Record<AvailabilityBy, readonly TableColumn<Row>[]>> = {
  host: [
    NAME,
    { id: 'siteName', header: words.site, grow: 1, cell: row => row.siteName },
    { id: 'typeName', header: words.type, grow: 1, hidden: true, cell: row => row.typeName ?? NOTHING },
  ],
  site: [NAME, COUNT],
  type: [NAME, COUNT],
}

/** What rows of every kind have. */
const ratioColumns = <R extends Row | MetricRow>(): readonly TableColumn<R>[] => [
  {
    id: 'ratio',
    header: words.ratio,
    width: 130,
    align: 'right',
    card: 'corner',
    cell: row => <span className={classes.ratio}>{formatAvailability(row.ratio)}</span>,
  },
  {
    id: 'parts',
    header: words.parts,
    sortable: false,
    grow: 2,
    cell: row => <AvailabilityBar times={row} />,
  },
]
const outageColumns = <R extends Row | MetricRow>(longestHidden: boolean): readonly TableColumn<R>[] => [
  time('unknownMs', words.unknown, row => row.unknownMs),
  time('maintenanceMs', words.maintenance, row => row.maintenanceMs),
  time('outOfServiceMs', words.outOfService, row => row.outOfServiceMs),
  time('notMonitoredMs', words.notMonitored, row => row.notMonitoredMs),
  {
    id: 'outages',
    header: words.outages,
    width: 90,
    align: 'right',
    cell: row => formatNumber(row.outages, 0),
  },
  time('longestOutageMs', words.longest, row => row.longestOutageMs, longestHidden),
  time('mttrMs', words.mttr, row => row.mttrMs),
  time('mtbfMs', words.mtbf, row => row.mtbfMs),
]

const FIGURES: readonly TableColumn<Row>[] = [
  ...ratioColumns<Row>(),
  time('downMs', words.down, row => row.downMs, false),
  time('unreachableMs', words.unreachable, row => row.unreachableMs),
  time('flappingMs', words.flapping, row => row.flappingMs),
  ...outageColumns<Row>(false),
]

/** Where the metrics of a host, or all of them, are reported on; `kept`: the period and what counts. */
export const metricsPath = (hostId: number, kept: string): string =>
  `/dashboard/status-view/availability?${kept === '' ? '' : `${kept}&`}by=metric&host=${hostId}`

const toMetrics = (kept: string): TableColumn<Row> => ({
  id: 'metrics',
  header: words.metrics,
  width: 96,
  sortable: false,
  fixed: true,
  card: 'none',
  cell: row => (
    <ActionIcon
      variant="subtle"
      color="gray"
      component={Link}
      to={metricsPath(row.id, kept)}
      aria-label={`${fr.ownMetrics}\u202f: ${row.name}`}
      title={fr.ownMetrics}
    >
      <IconListDetails size={17} />
    </ActionIcon>
  ),
})

/** Columns of a report on equipment; the same for each kind of row but its names. A host's row leads to its metrics. */
export const equipmentColumns = (by: AvailabilityBy, kept: string): readonly TableColumn<Row>[] => [
  ...OWN[by],
  ...FIGURES,
  ...(by === 'host' ? [toMetrics(kept)] : []),
]

/** Columns of a report on metrics. */
export const METRIC_COLUMNS: readonly TableColumn<MetricRow>[] = [
  { id: 'name', header: words.metric, grow: 2.4, card: 'title', cell: row => <strong>{row.name}</strong> },
  { id: 'hostName', header: words.host, grow: 1.4, cell: row => row.hostName },
  { id: 'scannerName', header: words.scanner, grow: 1, hidden: true, cell: row => row.scannerName },
  { id: 'siteName', header: words.site, grow: 1, hidden: true, cell: row => row.siteName },
  ...ratioColumns<MetricRow>(),
  time('warningMs', words.warning, row => row.warningMs, false),
  time('errorMs', words.error, row => row.errorMs, false),
  time('okMs', 'OK', row => row.okMs),
  ...outageColumns<MetricRow>(true),
]
