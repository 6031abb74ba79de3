import type { AvailabilityTotal, MetricAvailabilityTotal } from '@narval/contracts'
import { formatAvailability, type Times } from '../../lib/availability.ts'
import { formatNumber } from '../../lib/format.ts'
import { AvailabilityBar, AvailabilityLegend } from '../../ui/availability-bar.tsx'
import classes from './availability.module.css'
import { fr } from './fr.ts'
import { timeText } from './report-columns.tsx'

/** What a report comes to, of equipment or of metrics. */
export type ReportTotal = Omit<AvailabilityTotal, 'hosts'> | Omit<MetricAvailabilityTotal, 'metrics'>

/** What a report comes to: the ratio, outages, and all the time as one bar with its legend. */
export const Figures = ({ total }: { readonly total: ReportTotal }) => {
  const times: Times = total
  return (
    <>
      <dl className={classes.figures}>
        {[
          [fr.figures.ratio, formatAvailability(total.ratio)],
          [fr.figures.outages, formatNumber(total.outages, 0)],
          [fr.figures.longest, timeText(total.longestOutageMs)],
          [fr.figures.mttr, timeText(total.mttrMs)],
          [fr.figures.mtbf, timeText(total.mtbfMs)],
        ].map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <AvailabilityBar times={times} large />
      <AvailabilityLegend times={times} />
    </>
  )
}
