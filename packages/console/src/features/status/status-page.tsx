import { SegmentedControl } from '@mantine/core'
import { SEVERITIES, type Severity } from '@narval/engine'
import { useMemo, useState } from 'react'
import { siteOptions } from '../../lib/option-sources.ts'
import { FreshnessSign, useFreshness } from '../../ui/freshness.tsx'
import { Card, EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import { useTicking } from '../../ui/time.tsx'
import toolbar from '../../ui/toolbar.module.css'
import { useAddress } from '../../ui/use-address.ts'
import { Columns, columnTime } from './columns.tsx'
import { FiguresTable } from './figures-table.tsx'
import { fr } from './fr.ts'
import { HourChanges } from './hour-changes.tsx'
import { Legend } from './legend.tsx'
import { SiteMatrix } from './site-matrix.tsx'
import {
  daysOf,
  hoursOf,
  joined,
  STATUS_RANGES,
  type StatusColumn,
  spanOf,
  statusRangeOf,
  totalOf,
} from './status-columns.ts'
import classes from './status-page.module.css'
import { useLiveStatus, useStatusHours } from './status-queries.ts'

const PROBLEMS = SEVERITIES.filter(severity => severity !== 'ok')
const MINUTE_MS = 60_000

/** Where the page stands, in its address. */
const usePlace = () => {
  const { params, put } = useAddress()
  const idOf = (name: string): number | null => {
    const text = params.get(name) ?? ''
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
  }
  const change = (changes: Readonly<Record<string, string | null>>, replace = true): void =>
    put({ page: null, ...changes }, { replace })
  return {
    range: statusRangeOf(params.get('range')),
    site: idOf('site'),
    showsAll: params.get('show') !== 'problems',
    /** Starts of the day and of the hour that are chosen. */
    day: idOf('day'),
    hour: idOf('hour'),
    change,
  }
}

/** dashboard/status-view: what states there were, hour by hour, what changed, and where all stands now. */
export const StatusPage = () => {
  const { range, site, showsAll, day, hour, change } = usePlace()
  const nowMs = useTicking(now => Math.floor(now / MINUTE_MS) * MINUTE_MS)
  const stale = useFreshness('service') === 'stale'
  useLiveStatus()
  const span = useMemo(() => spanOf(range, nowMs), [range, nowMs])
  const { hours, late } = useStatusHours({ ...span, site })
  const all = useMemo(() => hoursOf(hours.data ?? [], late), [hours.data, late])
  const columns = useMemo(() => (range === '30d' ? daysOf(all) : all), [range, all])
  const chosenDay = range === '30d' ? columns.find(column => column.fromMs === day) : undefined
  const ofDay = all.filter(({ fromMs }) => chosenDay && fromMs >= chosenDay.fromMs && fromMs < chosenDay.untilMs)
  const chosen = all.find(column => column.fromMs === hour) ?? chosenDay
  const shown: readonly Severity[] = showsAll ? SEVERITIES : PROBLEMS
  const toggle = (name: 'day' | 'hour', held: number | null) => (fromMs: number) =>
    change({ ...(name === 'day' && { hour: null }), [name]: held === fromMs ? null : String(fromMs) })
  return (
    <>
      <PageHeader />
      <StatusViewTabs current="hours" />
      <div className={toolbar.toolbar}>
        <SegmentedControl
          aria-label={fr.rangeLabel}
          size="sm"
          value={range}
          onChange={value => change({ range: value === '24h' ? null : value, day: null, hour: null })}
          data={STATUS_RANGES.map(value => ({ value, label: fr.ranges[value] }))}
        />
        <div className={classes.site}>
          <RemoteSelect
            quiet
            label={fr.site}
            placeholder={fr.allSites}
            source={siteOptions}
            value={site}
            onChange={id => change({ site: id === null ? null : String(id) })}
          />
        </div>
        <SegmentedControl
          aria-label={fr.showLabel}
          size="sm"
          value={showsAll ? 'all' : 'problems'}
          onChange={value => change({ show: value === 'all' ? null : value })}
          data={[
            { value: 'all', label: fr.shows.all },
            { value: 'problems', label: fr.shows.problems },
          ]}
        />
        <div className={toolbar.spacer} />
        <FreshnessSign hub="service" />
      </div>
      <Card title={range === '30d' ? fr.days : fr.hours} data-stale={stale || undefined} className={classes.card}>
        {hours.data === undefined ? (
          hours.isError ? (
            <ErrorState error={hours.error} onRetry={() => void hours.refetch()} />
          ) : (
            <LoadingState height={286} />
          )
        ) : totalOf(joined(columns)) === 0 ? (
          <EmptyState title={fr.empty}>{fr.emptyText}</EmptyState>
        ) : (
          <>
            <Chart
              label={fr.chart}
              columns={columns}
              shown={shown}
              nowMs={nowMs}
              selected={range === '30d' ? day : hour}
              onSelect={range === '30d' ? toggle('day', day) : toggle('hour', hour)}
            />
            {chosenDay !== undefined && (
              <div className={classes.day}>
                <h3 className={classes.dayTitle}>{fr.hoursOf(chosenDay.fromMs)}</h3>
                <Chart
                  label={fr.hoursOf(chosenDay.fromMs)}
                  columns={ofDay}
                  shown={shown}
                  nowMs={nowMs}
                  selected={hour}
                  onSelect={toggle('hour', hour)}
                />
              </div>
            )}
            <p className={classes.hint}>{fr.hint}</p>
            <FiguresTable columns={chosenDay === undefined ? columns : ofDay} nowMs={nowMs} />
          </>
        )}
      </Card>
      {chosen !== undefined && (
        <div className={classes.changes}>
          <HourChanges
            key={chosen.fromMs}
            window={{ fromMs: chosen.fromMs, untilMs: chosen.untilMs, site }}
            time={columnTime(chosen)}
          />
        </div>
      )}
      <SiteMatrix site={site} stale={stale} />
    </>
  )
}

interface ChartProps {
  readonly label: string
  readonly columns: readonly StatusColumn[]
  readonly shown: readonly Severity[]
  readonly nowMs: number
  readonly selected: number | null
  readonly onSelect: (fromMs: number) => void
}

/** Columns under the figures of the one that is looked at, else of the chosen one, else of all. */
const Chart = ({ label, columns, shown, nowMs, selected, onSelect }: ChartProps) => {
  const [lookedMs, setLookedMs] = useState<number | null>(null)
  const looked = columns.find(column => column.fromMs === (lookedMs ?? selected)) ?? null
  return (
    <>
      <Legend columns={columns} shown={shown} looked={looked} nowMs={nowMs} />
      <Columns
        label={label}
        columns={columns}
        shown={shown}
        nowMs={nowMs}
        selected={selected}
        onSelect={onSelect}
        onLook={column => setLookedMs(column?.fromMs ?? null)}
      />
    </>
  )
}
