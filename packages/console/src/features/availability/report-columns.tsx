import type { AvailabilityBy, AvailabilityRow } from '@narval/contracts'
import { formatAvailability } from '../../lib/availability.ts'
import { formatDuration, formatNumber, NOTHING } from '../../lib/format.ts'
import { AvailabilityBar } from '../../ui/availability-bar.tsx'
import type { TableColumn } from '../../ui/data-table-types.ts'
import classes from './availability.module.css'
import { fr } from './fr.ts'

const { columns: words } = fr
type Row = AvailabilityRow

export const timeText = (ms: number | null): string => (ms === null || ms === 0 ? NOTHING : formatDuration(ms))
const time = (id: string, header: string, of: (row: Row) => number | null, hidden = true): TableColumn<Row> => ({
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
const FIGURES: readonly TableColumn<Row>[] = [
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
  time('downMs', words.down, row => row.downMs, false),
  time('unreachableMs', words.unreachable, row => row.unreachableMs),
  time('flappingMs', words.flapping, row => row.flappingMs),
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
  time('longestOutageMs', words.longest, row => row.longestOutageMs, false),
  time('mttrMs', words.mttr, row => row.mttrMs),
  time('mtbfMs', words.mtbf, row => row.mtbfMs),
]

/** Columns of a report; the same for each kind of row but its names. */
export const REPORT_COLUMNS: Readonly<Record<AvailabilityBy, readonly TableColumn<Row>[]>> = {
  host: [...OWN.host, ...FIGURES],
  site: [...OWN.site, ...FIGURES],
  type: [...OWN.type, ...FIGURES],
}
