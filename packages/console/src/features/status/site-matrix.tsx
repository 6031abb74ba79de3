import { Button } from '@mantine/core'
import { HOST_STATES, type HostStateName, type StatusSite } from '@narval/contracts'
import { SEVERITIES, type Severity } from '@narval/engine'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { formatNumber, NOTHING } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { Card, EmptyState, NotLoaded } from '../../ui/page.tsx'
import { HOST_STATE_SEVERITY, SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './site-matrix.module.css'
import { useStatusSites } from './status-queries.ts'

const { matrix: words } = fr
const ROW_PX = 38
/** Fewer rows than this are all drawn. */
const VIRTUAL_FROM = 40
const OVERSCAN = 8

const severityLink = (site: number, severity: Severity): string =>
  `/dashboard/live-view?view=${severity === 'ok' ? 'all' : 'problems'}&siteId=${site}&severity=${severity}`
const stateLink = (site: number, state: HostStateName): string => `/host?siteId=${site}&state=${state}`

/** Worst first: by errors, then alerts, then what is unknown, then by name. */
const worstFirst = (a: StatusSite, b: StatusSite): number =>
  b.metrics.error - a.metrics.error ||
  b.metrics.warning - a.metrics.warning ||
  b.metrics.unknown - a.metrics.unknown ||
  a.siteName.localeCompare(b.siteName, 'fr')

interface MatrixProps {
  /** Null: all of them. */
  readonly site: number | null
  readonly stale: boolean
}

/** How many metrics and how much equipment of each site are in each state now; each figure leads to what it counts. */
export const SiteMatrix = ({ site, stale }: MatrixProps) => {
  const { data, error, refetch } = useStatusSites()
  const writes = useSession().can('site_write')
  const rows = useMemo(
    () => data?.filter(({ siteId }) => site === null || siteId === site).toSorted(worstFirst),
    [data, site],
  )
  return (
    <Card title={words.title} flush className={classes.card}>
      {rows === undefined ? (
        <NotLoaded error={error} onRetry={refetch} />
      ) : rows.length === 0 ? (
        <EmptyState
          title={words.empty}
          action={
            writes && (
              <Button component={Link} to="/site/edit/new">
                {words.addSite}
              </Button>
            )
          }
        >
          {words.emptyText}
        </EmptyState>
      ) : (
        <Matrix rows={rows} stale={stale} />
      )}
    </Card>
  )
}

const Matrix = ({ rows, stale }: { readonly rows: readonly StatusSite[]; readonly stale: boolean }) => {
  const scroller = useRef<HTMLDivElement>(null)
  const isVirtual = rows.length > VIRTUAL_FROM
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    enabled: isVirtual,
  })
  const items = virtualizer.getVirtualItems()
  const shown = isVirtual ? items.flatMap(({ index }) => rows[index] ?? []) : rows
  const first = isVirtual ? (items[0]?.index ?? 0) : 0
  const before = isVirtual ? (items[0]?.start ?? 0) : 0
  const after = isVirtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  return (
    <div ref={scroller} className={classes.scroller} data-stale={stale || undefined}>
      <table className={classes.table} aria-label={words.label} aria-rowcount={rows.length + 2}>
        <thead>
          <tr aria-rowindex={1}>
            <th rowSpan={2} className={classes.site} scope="col">
              {words.site}
            </th>
            <th colSpan={SEVERITIES.length} scope="colgroup">
              {words.metrics}
            </th>
            <th colSpan={HOST_STATES.length} scope="colgroup" className={classes.border}>
              {words.hosts}
            </th>
          </tr>
          <tr aria-rowindex={2}>
            {SEVERITIES.map(severity => (
              <th key={severity} scope="col">
                <span className={classes.head}>
                  <SeverityIcon severity={severity} size={13} />
                  {common.severity[severity]}
                </span>
              </th>
            ))}
            {HOST_STATES.map((state, index) => (
              <th key={state} scope="col" className={index === 0 ? classes.border : undefined}>
                {common.hostState[state]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {shown.map((row, index) => (
            <Row key={row.siteId} row={row} index={first + index} />
          ))}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

const Row = ({ row, index }: { readonly row: StatusSite; readonly index: number }) => (
  <tr aria-rowindex={index + 3} style={{ height: ROW_PX }}>
    <th scope="row" className={classes.site}>
      <Link to={`/site/${row.siteId}`} title={row.siteName}>
        {row.siteName}
      </Link>
    </th>
    {SEVERITIES.map(severity => (
      <Cell
        key={severity}
        count={row.metrics[severity]}
        severity={severity}
        to={severityLink(row.siteId, severity)}
        name={words.cell(row.metrics[severity], common.severity[severity], row.siteName)}
      />
    ))}
    {HOST_STATES.map((state, place) => (
      <Cell
        key={state}
        border={place === 0}
        count={row.states[state]}
        severity={HOST_STATE_SEVERITY[state]}
        to={stateLink(row.siteId, state)}
        name={words.cell(row.states[state], common.hostState[state], row.siteName)}
      />
    ))}
  </tr>
)

interface CellProps {
  readonly count: number
  readonly severity: Severity | null
  readonly to: string
  readonly name: string
  readonly border?: boolean
}

const Cell = ({ count, severity, to, name, border = false }: CellProps) => (
  <td className={border ? classes.border : undefined}>
    {count === 0 ? (
      <span className={classes.none}>{NOTHING}</span>
    ) : (
      <Link
        to={to}
        className={classes.count}
        data-severity={severity ?? undefined}
        data-bad={(severity !== null && severity !== 'ok') || undefined}
        aria-label={name}
        title={name}
      >
        {formatNumber(count, 0)}
      </Link>
    )}
  </td>
)
