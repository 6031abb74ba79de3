import { SEVERITIES, type SeverityCounts } from '@narval/engine'
import { fr } from '../i18n/fr.ts'
import { formatNumber, NNBSP, NOTHING } from '../lib/format.ts'
import classes from './counts.module.css'
import { SeverityIcon } from './severity.tsx'

interface CountsProps {
  readonly counts: SeverityCounts
  /** With their shares as a thin bar below. */
  readonly bar?: boolean
}

/** How many in each severity, worst first; severities without any are left out. */
export const Counts = ({ counts, bar = false }: CountsProps) => {
  const shown = SEVERITIES.filter(severity => counts[severity] > 0)
  if (shown.length === 0) return <span className={classes.none}>{NOTHING}</span>
  const figures = (
    <span className={classes.counts}>
      {shown.map(severity => (
        <span key={severity} className={classes.count} title={`${fr.severity[severity]}${NNBSP}: ${counts[severity]}`}>
          <SeverityIcon severity={severity} size={13} label={fr.severity[severity]} />
          {formatNumber(counts[severity], 0)}
        </span>
      ))}
    </span>
  )
  if (!bar) return figures
  return (
    <span className={classes.barred}>
      {figures}
      <span className={classes.bar} aria-hidden="true">
        {shown.map(severity => (
          <span key={severity} data-severity={severity} style={{ flexGrow: counts[severity] }} />
        ))}
      </span>
    </span>
  )
}
