import { type AvailabilityOfMetric, type MetricAvailabilityInterval, metricAvailabilityRoutes } from '@narval/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { causes } from '../../i18n/causes.ts'
import { fr as words } from '../../i18n/fr.ts'
import { call, fetchFile } from '../../lib/api.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import type { ShownInterval } from './interval-table.tsx'
import { IntervalView } from './interval-view.tsx'
import { REPORT_KEY } from './report-age.tsx'
import { metricsPath } from './report-columns.tsx'
import { ReportOfOne } from './report-of-one.tsx'
import { type ReportHandle, useReport } from './report-options.ts'

/** /dashboard/status-view/availability/metric/:id: the intervals that make the availability of one metric. */
export const MetricAvailabilityPage = () => {
  const id = useIdParam() ?? 0
  const report = useReport(true)
  const { metricQuery } = report
  const query = useQuery({
    queryKey: [REPORT_KEY, 'metric', id, metricQuery],
    queryFn: ({ signal }) => call(metricAvailabilityRoutes.metric, { params: { id }, query: metricQuery, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <ReportOfOne report={report} query={query} missing={fr.metricNotFound}>
      {found => <OfMetric found={found} report={report} />}
    </ReportOfOne>
  )
}

interface OfMetricProps {
  readonly found: AvailabilityOfMetric
  readonly report: ReportHandle
}

const OfMetric = ({ found, report }: OfMetricProps) => {
  const { row } = found
  return (
    <IntervalView
      report={report}
      name={row.name}
      fullName={`${row.hostName} · ${row.name}`}
      places={
        <>
          <Link to={`/metric/${row.id}`}>{fr.metric}</Link> ·{' '}
          <Link to={metricsPath(row.hostId, report.kept)}>{row.hostName}</Link> ·{' '}
          <Link to={`/site/${row.siteId}`}>{row.siteName}</Link> · {row.scannerName}
        </>
      }
      found={found}
      total={row}
      intervals={found.intervals.map(toShown)}
      fetchCsv={() =>
        fetchFile(metricAvailabilityRoutes.metric, {
          params: { id: row.id },
          query: report.metricQuery,
          accept: 'text/csv',
        })
      }
    />
  )
}

const toShown = ({ severity, cause, ...interval }: MetricAvailabilityInterval): ShownInterval => ({
  ...interval,
  state: stateOf(interval.reason, severity, cause),
})

/** « Inconnu : Sonde hors ligne »; before it was there it had no state. */
const stateOf = (
  reason: MetricAvailabilityInterval['reason'],
  severity: MetricAvailabilityInterval['severity'],
  cause: MetricAvailabilityInterval['cause'],
): string | null => {
  if (severity === 'disabled') return words.hostState.disabled
  if (reason === 'not-monitored') return null
  return cause === null ? words.severity[severity] : `${words.severity[severity]}\u202f: ${causes[cause]}`
}
