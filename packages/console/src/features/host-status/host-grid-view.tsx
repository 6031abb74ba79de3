import { Checkbox, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { SEVERITIES } from '@narval/engine'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import type { TableShape } from '../../lib/datatable-state.ts'
import { formatDuration } from '../../lib/format.ts'
import { filterHosts, GROUPINGS, groupHosts, type HostCell } from '../../lib/host-cells.ts'
import { DataTableToolbar } from '../../ui/data-table-toolbar.tsx'
import { FirstHostButton } from '../../ui/first-host-button.tsx'
import { FreshnessSign, useFreshness } from '../../ui/freshness.tsx'
import { HostGrid } from '../../ui/host-grid/host-grid.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { useTableState } from '../../ui/use-table-state.ts'
import { fr } from './fr.ts'
import { HostCard } from './host-card.tsx'
import classes from './host-status.module.css'
import { ModeSwitch, STATUS_FILTERS, useChoice } from './status-filters.tsx'
import { useHostCells } from './use-host-cells.ts'

const SHAPE: TableShape = {
  columns: [],
  defaultSort: null,
  filters: STATUS_FILTERS.map(filter => ({
    name: filter.name,
    accepts: value =>
      'choices' in filter ? filter.choices.some(choice => choice.value === value) : /^[1-9]\d{0,9}$/.test(value),
  })),
}
const NOBODY: readonly HostCell[] = []
const SIDE_PX = 20
const AROUND_PX = 300
const LEAST_PX = 240

const announce = (host: HostCell, place: number, of: number): string => {
  const marks = [host.inMaintenance && fr.inMaintenance, host.acknowledged && fr.acknowledged]
    .map(mark => (mark === false ? '' : `, ${mark}`))
    .join('')
  const since = formatDuration(Date.now() - host.sinceMs)
  return fr.announce(host.name, common.hostState[host.state], host.siteName, since, marks, place, of)
}

/** Every host as a cell, by site or by type. */
export const HostGridView = () => {
  const handle = useTableState(SHAPE)
  const { search, filters } = handle.state
  const [group, setGroup] = useChoice('group')
  const [hidden, setHidden] = useChoice('hideOk')
  const navigate = useNavigate()
  const { data, error, refetch } = useHostCells()
  const hosts = data ?? NOBODY
  const by = GROUPINGS.find(one => one === group) ?? 'site'
  const hideOk = hidden === 'true'
  const shown = useMemo(() => {
    const { state: states = [], siteId: sites = [], typeId: types = [] } = filters
    return filterHosts(hosts, { search, states, sites, types, hideOk })
  }, [hosts, search, filters, hideOk])
  const groups = useMemo(() => groupHosts(shown, by, { withoutType: fr.withoutType }), [shown, by])
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const stale = useFreshness('host') === 'stale'
  return (
    <>
      <DataTableToolbar
        handle={handle}
        filters={STATUS_FILTERS}
        columns={[]}
        searchLabel={fr.search}
        counts={data === undefined ? null : { total: hosts.length, filtered: shown.length }}
        noun={fr.noun}
        narrow={false}
        lead={<ModeSwitch />}
      />
      <div className={classes.choices}>
        <SegmentedControl
          size="xs"
          aria-label={fr.groupLabel}
          value={by}
          onChange={value => setGroup(value === 'site' ? null : value)}
          data={GROUPINGS.map(value => ({ value, label: fr.groups[value] }))}
        />
        <Checkbox
          size="sm"
          label={fr.hideOk}
          checked={hideOk}
          onChange={event => setHidden(event.currentTarget.checked ? 'true' : null)}
        />
        <Legend />
      </div>
      <section className={classes.surface} data-stale={stale || undefined}>
        {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
        {error === null && data === undefined && <LoadingState />}
        {data !== undefined && shown.length === 0 && (
          <EmptyState
            title={hosts.length > 0 ? (hideOk ? fr.allOkTitle : common.common.none) : fr.emptyTitle}
            {...(hosts.length > 0
              ? { icon: <IconCircleCheck size={28} stroke={1.6} /> }
              : { action: <FirstHostButton /> })}
          >
            {hosts.length > 0 ? (hideOk ? fr.allOkText : '') : fr.emptyText}
          </EmptyState>
        )}
        {shown.length > 0 && (
          <HostGrid
            groups={groups}
            label={fr.grid}
            help={fr.help}
            side={narrow ? SIDE_PX + 6 : SIDE_PX}
            height={Math.max(LEAST_PX, window.innerHeight - AROUND_PX)}
            noun={fr.noun}
            announce={announce}
            onOpen={host => void navigate(`/host/${host.id}`)}
            card={host => <HostCard host={host} />}
          />
        )}
        <footer className={classes.foot}>
          <FreshnessSign hub="host" />
        </footer>
      </section>
    </>
  )
}

/** The shapes, as the cells have them: they are read without colours. */
const Legend = () => (
  <ul className={classes.legend} aria-label={fr.legend}>
    {SEVERITIES.map(severity => (
      <li key={severity}>
        <SeverityIcon severity={severity} size={14} /> {common.severity[severity]}
      </li>
    ))}
    <li>{fr.legendHollow}</li>
    <li>{fr.legendBar}</li>
  </ul>
)
