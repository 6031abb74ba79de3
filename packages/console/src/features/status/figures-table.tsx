import { SEVERITIES } from '@narval/engine'
import { useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { formatDuration, formatNumber, formatRatio, NOTHING } from '../../lib/format.ts'
import { columnTime } from './columns.tsx'
import classes from './figures-table.module.css'
import { fr } from './fr.ts'
import { HOUR_MS, type StatusColumn, shareOf, totalOf, unwatchedMs } from './status-columns.ts'

interface FiguresTableProps {
  readonly columns: readonly StatusColumn[]
  readonly nowMs: number
}

/** The same figures to read, or to have read: drawn once it is opened, newest first. */
export const FiguresTable = ({ columns, nowMs }: FiguresTableProps) => {
  const [open, setOpen] = useState(false)
  const isDaily = columns.some(({ fromMs, untilMs }) => untilMs - fromMs > HOUR_MS)
  return (
    <details className={classes.details} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{fr.asTable}</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className={classes.scroller} tabIndex={0} aria-label={fr.chart}>
          <table className={classes.table} aria-label={fr.chart}>
            <thead>
              <tr>
                <th scope="col">{isDaily ? fr.tableTime.day : fr.tableTime.hour}</th>
                {SEVERITIES.map(severity => (
                  <th key={severity} scope="col">
                    {common.severity[severity]}
                  </th>
                ))}
                <th scope="col">{fr.unwatched}</th>
              </tr>
            </thead>
            <tbody>
              {columns.toReversed().map(column => (
                <tr key={column.fromMs}>
                  <th scope="row">{columnTime(column)}</th>
                  {SEVERITIES.map(severity => (
                    <td key={severity}>{figureOf(column, severity)}</td>
                  ))}
                  <td>{unwatchedMs(column, nowMs) === 0 ? NOTHING : formatDuration(unwatchedMs(column, nowMs))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

/** « 0,8 % (12) »: the share of the time, and how many on average. */
const figureOf = (column: StatusColumn, severity: (typeof SEVERITIES)[number]): string =>
  totalOf(column) === 0 || column.sums[severity] === 0
    ? NOTHING
    : `${formatRatio(shareOf(column, severity))} (${formatNumber(column.sums[severity] / column.watchedMs, 1)})`
