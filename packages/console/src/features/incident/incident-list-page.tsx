import { Button } from '@mantine/core'
import { type DatatableInput, INCIDENT_KINDS, type Incident, incidentRoutes } from '@narval/contracts'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call, fetchFile } from '../../lib/api.ts'
import { hostOptions, siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { severityFilter } from '../../ui/common-filters.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableExport } from '../../ui/data-table-export.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { ActBulk, actionsColumn, RowMenu } from '../../ui/incident-actions.tsx'
import { useLiveRows } from '../../ui/live-rows.ts'
import { LiveViewTabs } from '../../ui/live-view-tabs.tsx'
import { actedOf } from './actions.tsx'
import { incidentPath } from './chain-view.ts'
import { fr } from './fr.ts'
import { INCIDENT_COLUMNS } from './incident-columns.tsx'
import { incidentFilters, NOBODY } from './incident-filters.ts'
import { INCIDENT_LIST, useLiveIncidents } from './incident-queries.ts'

const { filters: words } = fr
const choicesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }))

const FILTERS: readonly TableFilter[] = [
  { name: 'open', label: words.open, single: true, choices: choicesOf(words.openChoices) },
  severityFilter,
  { name: 'kind', label: words.kind, choices: INCIDENT_KINDS.map(value => ({ value, label: fr.kinds[value] })) },
  { name: 'siteId', label: words.site, source: siteOptions },
  { name: 'hostId', label: words.host, source: hostOptions },
  { name: 'acknowledged', label: words.acknowledged, single: true, choices: choicesOf(words.acknowledgedChoices) },
  { name: 'period', label: words.period, typed: 'date' },
  { name: 'merged', label: words.merged, single: true, choices: choicesOf(words.mergedChoices) },
]
/** Before the period: whose they are. */
const MINE_AT = 6
const FRESH_MS = 15_000
const LOOK: RowLook<Incident> = {
  key: incident => incident.id,
  name: incident => incident.title,
  href: incident => incidentPath(incident.id),
  edge: incident => (incident.closedAt === null ? incident.severity : null),
  fresh: ({ closedAt, failsSince }) => closedAt === null && Date.now() - Date.parse(failsSince) < FRESH_MS,
  muted: incident => incident.closedAt !== null,
}
const ALSO_SEARCHED = ['hostName', 'siteName', 'probeName', 'information']
const fetchPage = (body: DatatableInput, signal: AbortSignal) =>
  call(incidentRoutes.datatable.put, { body: { ...body, filters: incidentFilters(body.filters) }, signal })

/** The filters of the list in the form that the server takes. */
const targetOf = ({ target }: BulkSelection): BulkSelection['target'] =>
  'filter' in target
    ? { filter: { ...target.filter, filters: incidentFilters(target.filter.filters) } }
    : { ids: [...target.ids] }
const bulk = (selection: BulkSelection) => (
  <ActBulk of="incident" selection={selection} noun={fr.noun} target={targetOf(selection)} />
)
const EXPORT: TableExport = {
  name: 'incidents',
  fetch: body =>
    fetchFile(incidentRoutes.datatable.put, {
      body: { ...body, filters: incidentFilters(body.filters) },
      accept: 'text/csv',
      timeoutMs: 120_000,
    }),
}

const ownersOf = (login: string) => [
  { value: login, label: words.ownerMine },
  { value: NOBODY, label: words.ownerNobody },
]

/** Shown to who may act: nothing of it is left for others. */
const actionsOf = (onDone: () => void): TableColumn<Incident> => ({
  ...actionsColumn<Incident>(incident => <RowMenu acted={actedOf(incident)} onDone={onDone} />),
  card: 'none',
})

/** /dashboard/live-view/incident: what is wrong and what was, the newest first, alive. */
export const IncidentListPage = () => {
  useLiveIncidents()
  const { user, can, canOn } = useSession()
  const login = user?.login ?? ''
  const acts = can('incident_write')
  const filters = useMemo<readonly TableFilter[]>(
    () => [
      ...FILTERS.slice(0, MINE_AT),
      { name: 'owner', label: words.owner, single: true, choices: ownersOf(login) },
      ...FILTERS.slice(MINE_AT),
    ],
    [login],
  )
  const rows = useLiveRows<Incident>(INCIDENT_LIST)
  const columns = useMemo<readonly TableColumn<Incident>[]>(
    () => [...INCIDENT_COLUMNS, ...(acts ? [actionsOf(rows.refetch)] : [])],
    [acts, rows],
  )
  const empty = useMemo(
    () => ({
      title: fr.emptyTitle,
      text: fr.emptyText,
      icon: <IconCircleCheck size={28} stroke={1.6} />,
      action: (
        <Button component={Link} variant="default" to="/host">
          {fr.emptyAction}
        </Button>
      ),
    }),
    [],
  )
  return (
    <>
      <LiveViewTabs current="incident" />
      <DataTable<Incident>
        list={INCIDENT_LIST}
        keeps="incidents"
        fetchPage={fetchPage}
        columns={columns}
        filters={filters}
        defaultSort={null}
        alsoSearched={ALSO_SEARCHED}
        look={LOOK}
        noun={fr.noun}
        searchLabel={fr.search}
        empty={empty}
        {...(acts && { bulk, mayTick: incident => canOn(incident, 'incident_write') })}
        exports={EXPORT}
        hub="metric"
      />
    </>
  )
}
