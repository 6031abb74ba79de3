import { Button } from '@mantine/core'
import { type DatatableInput, MAINTENANCE_STATES, type Maintenance, maintenanceRoutes } from '@narval/contracts'
import { IconTool } from '@tabler/icons-react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { maintenancePath } from '../../ui/maintenance-mark.tsx'
import { fr } from './fr.ts'
import { MAINTENANCE_LIST } from './maintenance-queries.ts'
import { StateBadge } from './maintenance-state.tsx'
import { spanText, whenText } from './maintenance-when.ts'

const { columns: words, filters: filterWords } = fr

const objectsText = ({ sites, hosts, metrics, siteCount, hostCount, metricCount }: Maintenance): string => {
  const names = [...sites, ...hosts].map(({ name }) => name)
  const all = [...names, ...metrics.map(({ name, hostName }) => `${hostName}\u202f: ${name}`)]
  const told = all.slice(0, 3)
  const count = siteCount + hostCount + metricCount
  return count === 0 ? fr.noObject : fr.objects(told.join(', '), count - told.length)
}
const reportText = ({ lastRun }: Maintenance): string => {
  const report = lastRun?.report
  if (report == null) return ''
  if (report.brokenCount > 0) return fr.brokenShort(report.brokenCount)
  return report.stillBrokenCount === 0 ? fr.back : fr.nothingMore
}

const COLUMNS: readonly TableColumn<Maintenance>[] = [
  {
    id: 'state',
    header: words.state,
    width: 176,
    sortable: false,
    card: 'corner',
    cell: ({ state }) => <StateBadge state={state} />,
  },
  { id: 'comment', header: words.comment, grow: 1.6, card: 'title', cell: row => <strong>{row.comment}</strong> },
  { id: 'objects', header: words.objects, grow: 1.6, sortable: false, cell: objectsText },
  { id: 'startsAt', header: words.when, grow: 2, cell: whenText },
  {
    id: 'next',
    header: words.next,
    grow: 1.6,
    sortable: false,
    hidden: true,
    cell: ({ current, next }) => (current === null ? (next === null ? '' : spanText(next)) : spanText(current)),
  },
  { id: 'author', header: words.author, cell: row => row.author ?? '' },
  { id: 'report', header: words.report, sortable: false, cell: reportText },
]
const FILTERS: readonly TableFilter[] = [
  {
    name: 'state',
    label: filterWords.state,
    choices: MAINTENANCE_STATES.map(value => ({ value, label: fr.states[value] })),
  },
  {
    name: 'kind',
    label: filterWords.kind,
    single: true,
    choices: Object.entries(filterWords.kinds).map(([value, label]) => ({ value, label })),
  },
]
const LOOK: RowLook<Maintenance> = {
  key: row => row.id,
  name: row => row.comment,
  href: row => maintenancePath(row.id),
  muted: row => row.state === 'over',
}
const fetchPage = (body: DatatableInput, signal: AbortSignal) => call(maintenanceRoutes.datatable.put, { body, signal })
const ALSO_SEARCHED = ['comment', 'author']

/** All maintenances, the newest first. */
export const MaintenanceTable = () => {
  const writes = useSession().can('incident_write')
  const empty = {
    title: fr.emptyTitle,
    text: fr.emptyText,
    icon: <IconTool size={28} stroke={1.6} />,
    ...(writes && {
      action: (
        <Button component={Link} variant="default" to="/dashboard/live-view/maintenance/new">
          {fr.plan}
        </Button>
      ),
    }),
  }
  return (
    <DataTable<Maintenance>
      list={MAINTENANCE_LIST}
      fetchPage={fetchPage}
      columns={COLUMNS}
      filters={FILTERS}
      defaultSort={null}
      alsoSearched={ALSO_SEARCHED}
      look={LOOK}
      noun={fr.noun}
      searchLabel={fr.search}
      empty={empty}
      hub="service"
    />
  )
}
