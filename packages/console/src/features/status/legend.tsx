import { SEVERITIES, type Severity } from '@narval/engine'
import { useId } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { formatDuration, formatNumber, formatRatio, NOTHING } from '../../lib/format.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { columnTime, Patterns } from './columns.tsx'
import { fr } from './fr.ts'
import classes from './legend.module.css'
import { joined, type StatusColumn, shareOf, totalOf, unwatchedMs } from './status-columns.ts'

interface LegendProps {
  readonly columns: readonly StatusColumn[]
  readonly shown: readonly Severity[]
  /** The one whose figures are told; null: all of them together. */
  readonly looked: StatusColumn | null
  readonly nowMs: number
}

/** What each pattern means, with the figures of the column that is looked at, or of the whole range. */
export const Legend = ({ columns, shown, looked, nowMs }: LegendProps) => {
  const id = useId()
  const column = looked ?? joined(columns)
  const total = totalOf(column)
  const lost =
    looked === null ? columns.reduce((sum, one) => sum + unwatchedMs(one, nowMs), 0) : unwatchedMs(looked, nowMs)
  return (
    <div className={classes.legend}>
      <span className={classes.time}>{looked === null ? fr.wholeRange : columnTime(looked)}</span>
      <svg width={0} height={0} aria-hidden="true" className={classes.defs}>
        <Patterns id={id} />
      </svg>
      {SEVERITIES.filter(severity => shown.includes(severity)).map(severity => (
        <span key={severity} className={classes.entry}>
          <svg className={classes.swatch} width={14} height={14} aria-hidden="true">
            <rect width={14} height={14} rx={3} fill={`url(#${id}${severity})`} />
          </svg>
          <SeverityIcon severity={severity} size={13} />
          {common.severity[severity]}
          <strong>{total === 0 ? NOTHING : formatRatio(shareOf(column, severity))}</strong>
          {total > 0 && (
            <span className={classes.count}>
              {fr.average(formatNumber(column.sums[severity] / Math.max(1, column.watchedMs), 1))}
            </span>
          )}
        </span>
      ))}
      {lost > 0 && (
        <span className={classes.entry}>
          <svg className={classes.swatch} width={14} height={14} aria-hidden="true">
            <rect className={classes.unwatched} x={0.5} y={0.5} width={13} height={13} rx={3} />
          </svg>
          {fr.unwatched}
          <strong>{formatDuration(lost)}</strong>
        </span>
      )}
    </div>
  )
}
