import {
  AVAILABILITY_DEFAULT_DAYS,
  type AvailabilitySummary,
  availabilityRoutes,
  type MetricAvailabilitySummary,
  metricAvailabilityRoutes,
} from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { availability as words } from '../i18n/availability.ts'
import { call } from '../lib/api.ts'
import { formatAvailability } from '../lib/availability.ts'
import { formatCount, formatDuration } from '../lib/format.ts'
import { AvailabilityBar } from './availability-bar.tsx'
import classes from './availability-card.module.css'
import { Card } from './page.tsx'

const REPORT = '/dashboard/status-view/availability'
/** Thirty days do not change from one look to the next. */
const FRESH_MS = 60_000

interface AvailabilityCardProps {
  readonly of: 'host' | 'site' | 'metric'
  readonly id: number
}

/** How available a host, a metric, or the equipment of a site, was of late; leads to the report. What it says comes into a room of its own. */
export const AvailabilityCard = ({ of, id }: AvailabilityCardProps) => {
  const { data } = useQuery({
    queryKey: ['availability-card', of, id],
    queryFn: ({ signal }): Promise<AvailabilitySummary | MetricAvailabilitySummary> => {
      const query = { [of]: String(id) }
      return of === 'metric'
        ? call(metricAvailabilityRoutes.summary, { query, signal })
        : call(availabilityRoutes.summary, { query, signal })
    },
    staleTime: FRESH_MS,
  })
  if (data !== undefined && 'hosts' in data.total && data.total.hosts === 0) return null
  const report = of === 'site' ? `${REPORT}?period=30d&site=${id}` : `${REPORT}/${of}/${id}?period=30d`
  return (
    <Card title={words.lastDays(AVAILABILITY_DEFAULT_DAYS)} aside={<Link to={report}>{words.report}</Link>}>
      <div className={classes.body}>{data !== undefined && <Figures total={data.total} />}</div>
    </Card>
  )
}

const Figures = ({ total }: { readonly total: (AvailabilitySummary | MetricAvailabilitySummary)['total'] }) => (
  <>
    {total.ratio === null ? (
      <p className={classes.none}>{words.nothing}</p>
    ) : (
      <p className={classes.figures}>
        <span className={classes.ratio}>{formatAvailability(total.ratio)}</span>
        <span className={classes.more}>
          {formatCount(total.outages, 'panne')}
          {total.outages > 0 && ` · ${words.longest.toLowerCase()}\u202f: ${formatDuration(total.longestOutageMs)}`}
        </span>
      </p>
    )}
    <AvailabilityBar times={total} />
  </>
)
