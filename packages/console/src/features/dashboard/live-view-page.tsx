import { SegmentedControl } from '@mantine/core'
import {
  type DashboardMain,
  type DatatableInput,
  dashboardRoutes,
  PROBLEM_VIEWS,
  type ProblemRow,
  type ProblemView,
} from '@narval/contracts'
import { SEVERITIES } from '@narval/engine'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { call, fetchFile } from '../../lib/api.ts'
import { useFirstRun } from '../../lib/first-run.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { maintenanceFilter, severityFilter } from '../../ui/common-filters.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableEmpty, TableFilter } from '../../ui/data-table-types.ts'
import { FirstHostButton } from '../../ui/first-host-button.tsx'
import { ActBulk, actionsColumn } from '../../ui/incident-actions.tsx'
import { useLiveRows } from '../../ui/live-rows.ts'
import { LiveViewTabs } from '../../ui/live-view-tabs.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { WallButton } from '../../ui/wall-button.tsx'
import { PROBLEM_LIST, useDashboardMain, useLiveProblems } from './dashboard-queries.ts'
import { emptinessOf } from './emptiness.ts'
import { FirstRunInvitation } from './first-run-invitation.tsx'
import { fr } from './fr.ts'
import { PROBLEM_COLUMNS } from './problem-columns.tsx'
import { RowActions } from './row-actions.tsx'
import { type TileFilter, Tiles } from './tiles.tsx'

const FRESH_MS = 15_000
const filters: readonly TableFilter[] = [
  severityFilter,
  { name: 'siteId', label: fr.site, source: siteOptions },
  maintenanceFilter,
]
const look: RowLook<ProblemRow> = {
  key: row => row.id,
  name: row => `${row.hostName}, ${row.name}`,
  href: row => `/host/${row.hostId}`,
  edge: row => (row.severity === 'ok' ? null : row.severity),
  fresh: row => row.severity !== 'ok' && Date.now() - Date.parse(row.since) < FRESH_MS,
}
const fetchPage = (body: DatatableInput, signal: AbortSignal) => call(dashboardRoutes.datatable.put, { body, signal })

const EXPORT = {
  name: 'problemes',
  fetch: (body: DatatableInput) =>
    fetchFile(dashboardRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}

const bulkActions = (selection: BulkSelection) => <ActBulk of="problem" selection={selection} noun={fr.noun} />

/** dashboard/live-view: counters, then what is wrong now, the worst first, alive. */
export const LiveViewPage = () => {
  const [params, setParams] = useSearchParams()
  const view: ProblemView = PROBLEM_VIEWS.find(one => one === params.get('view')) ?? 'unhandled'
  const { data: main } = useDashboardMain()
  const firstRun = useFirstRun(main)
  const { can, canOn } = useSession()
  const acts = can('incident_write')
  const rows = useLiveRows<ProblemRow>(PROBLEM_LIST)
  useLiveProblems()
  const columns = useMemo<readonly TableColumn<ProblemRow>[]>(
    () => [...PROBLEM_COLUMNS, actionsColumn<ProblemRow>(row => <RowActions problem={row} onChanged={rows.refetch} />)],
    [rows],
  )
  const change = (changes: Readonly<Record<string, string | null>>): void =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        next.delete('page')
        for (const [name, value] of Object.entries(changes)) value === null ? next.delete(name) : next.set(name, value)
        return next
      },
      { replace: true },
    )
  const acknowledged = params.get('acknowledged') === 'true'
  const inMaintenance = params.get('inMaintenance') === 'true'
  const selected: TileFilter = acknowledged
    ? 'acknowledged'
    : inMaintenance
      ? 'inMaintenance'
      : (SEVERITIES.find(severity => severity === params.get('severity')) ?? null)
  const select = (filter: TileFilter): void => {
    const own = { acknowledged: null, inMaintenance: null, severity: null }
    if (filter === 'acknowledged') change({ ...own, acknowledged: 'true', view: 'problems' })
    else if (filter === 'inMaintenance') change({ ...own, inMaintenance: 'true', view: 'problems' })
    else if (filter === 'ok') change({ ...own, severity: 'ok', view: 'all' })
    else
      change({ ...own, severity: filter, ...(view === 'all' || acknowledged || inMaintenance ? { view: null } : {}) })
  }
  const fixed = useMemo(() => ({ view, ...(acknowledged ? { acknowledged: 'true' } : {}) }), [view, acknowledged])
  return (
    <>
      <PageHeader actions={<WallButton />} />
      <LiveViewTabs current="problems" />
      {firstRun === 'own' && <FirstRunInvitation />}
      <Tiles main={main} selected={selected} onSelect={select} />
      <DataTable<ProblemRow>
        list={PROBLEM_LIST}
        fetchPage={fetchPage}
        columns={columns}
        filters={filters}
        fixed={fixed}
        defaultSort={null}
        look={look}
        noun={fr.noun}
        searchLabel={fr.search}
        empty={useEmpty(view, main)}
        hub="metric"
        keeps="problems"
        exports={EXPORT}
        {...(acts && { bulk: bulkActions, mayTick: problem => canOn(problem, 'incident_write') })}
        lead={
          <SegmentedControl
            aria-label={fr.viewLabel}
            size="sm"
            value={view}
            onChange={value => change({ view: value === 'unhandled' ? null : value, acknowledged: null })}
            data={PROBLEM_VIEWS.map(value => ({ value, label: fr.views[value] }))}
          />
        }
      />
    </>
  )
}

const useEmpty = (view: ProblemView, main: DashboardMain | undefined): TableEmpty => {
  const writes = useSession().canEverywhere('host_write')
  const emptiness = emptinessOf(view, main?.severities)
  if (emptiness !== 'nothing') {
    const isWell = emptiness !== 'unknown'
    return {
      title: view === 'problems' ? fr.emptyProblemsTitle : fr.emptyUnhandledTitle,
      text: isWell ? fr.emptyTexts[emptiness] : fr.emptyUnknownText(main?.severities.unknown ?? 0),
      ...(isWell && { icon: <IconCircleCheck size={28} stroke={1.6} /> }),
    }
  }
  if (!writes) return { title: fr.emptyAllTitle, text: fr.emptyAllTextReader }
  return { title: fr.emptyAllTitle, text: fr.emptyAllText, action: <FirstHostButton /> }
}
