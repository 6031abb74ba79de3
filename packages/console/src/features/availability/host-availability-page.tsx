import { Button } from '@mantine/core'
import { type AvailabilityInterval, type AvailabilityOfHost, availabilityRoutes } from '@narval/contracts'
import { IconListDetails } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
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

/** /dashboard/status-view/availability/host/:id: the intervals that make the availability of one host. */
export const HostAvailabilityPage = () => {
  const id = useIdParam() ?? 0
  const report = useReport()
  const query = useQuery({
    queryKey: [REPORT_KEY, 'host', id, report.query],
    queryFn: ({ signal }) => call(availabilityRoutes.host, { params: { id }, query: report.query, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <ReportOfOne report={report} query={query} missing={fr}>
      {found => <OfHost found={found} report={report} />}
    </ReportOfOne>
  )
}

interface OfHostProps {
  readonly found: AvailabilityOfHost
  readonly report: ReportHandle
}

const OfHost = ({ found, report }: OfHostProps) => {
  const { row } = found
  return (
    <IntervalView
      report={report}
      name={row.name}
      fullName={row.name}
      places={
        <>
          <Link to={`/host/${row.id}`}>{fr.host}</Link>
          {row.siteId !== null && (
            <>
              {' '}
              · <Link to={`/site/${row.siteId}`}>{row.siteName}</Link>
            </>
          )}
        </>
      }
      actions={
        <Button
          variant="default"
          component={Link}
          to={metricsPath(row.id, report.kept)}
          leftSection={<IconListDetails size={16} />}
        >
          {fr.ownMetrics}
        </Button>
      }
      found={found}
      total={row}
      intervals={found.intervals.map(toShown)}
      fetchCsv={() =>
        fetchFile(availabilityRoutes.host, { params: { id: row.id }, query: report.query, accept: 'text/csv' })
      }
    />
  )
}

/** Before it was there it had no state. */
const toShown = ({ state, ...interval }: AvailabilityInterval): ShownInterval => ({
  ...interval,
  state: interval.reason === 'not-monitored' && state !== 'disabled' ? null : words.hostState[state],
})
