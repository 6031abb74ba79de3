import { ActionIcon, SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type AvailabilityOfHost, availabilityRoutes } from '@narval/contracts'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call, fetchFile } from '../../lib/api.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Card, errorText, PageHeader } from '../../ui/page.tsx'
import { MissingRecord, RecordView } from '../../ui/record.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import classes from './availability.module.css'
import { Figures } from './figures.tsx'
import { fr } from './fr.ts'
import { IntervalTable, isEvent } from './interval-table.tsx'
import sheet from './print-sheet.module.css'
import { PrintButton, PrintSheet, periodText } from './print-sheet.tsx'
import { ReportControls } from './report-controls.tsx'
import { type ReportHandle, useReport } from './report-options.ts'
import { TimeStrip } from './time-strip.tsx'

/** /dashboard/status-view/availability/host/:id: the intervals that make the availability of one host. */
export const HostAvailabilityPage = () => {
  const id = useIdParam() ?? 0
  const report = useReport()
  const query = useQuery({
    queryKey: ['availability', 'host', id, report.query],
    queryFn: ({ signal }) => call(availabilityRoutes.host, { params: { id }, query: report.query, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <StatusViewTabs current="availability" />
      <ReportControls report={report} />
      <RecordView
        query={query}
        height={600}
        missing={<MissingRecord words={fr} list="/dashboard/status-view/availability" />}
      >
        {found => <OfHost found={found} report={report} />}
      </RecordView>
    </>
  )
}

interface OfHostProps {
  readonly found: AvailabilityOfHost
  readonly report: ReportHandle
}

const OfHost = ({ found, report }: OfHostProps) => {
  const { row, intervals, intervalCount } = found
  const showsAll = report.params.get('intervals') === 'all'
  const shown = showsAll ? intervals : intervals.filter(isEvent)
  return (
    <>
      <PageHeader
        title={row.name}
        meta={
          <>
            {periodText(report.period)} · <Link to={`/host/${row.id}`}>{fr.host}</Link>
            {row.siteId !== null && (
              <>
                {' '}
                · <Link to={`/site/${row.siteId}`}>{row.siteName}</Link>
              </>
            )}
          </>
        }
        actions={<PrintButton busy={false} onPrint={() => window.print()} />}
      />
      <Card className={classes.summary} title={fr.title}>
        <Figures total={row} />
        <TimeStrip from={found.from} to={found.to} intervals={intervals} />
      </Card>
      <Card flush title={fr.intervals} aside={<IntervalTools found={found} report={report} showsAll={showsAll} />}>
        {shown.length === 0 ? (
          <p className={classes.note}>{fr.noEvents}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
          <section className={classes.tableScroll} tabIndex={0} aria-label={fr.intervals}>
            <IntervalTable intervals={shown} className={classes.table} />
          </section>
        )}
        {intervals.length < intervalCount && <p className={classes.note}>{fr.more(intervals.length, intervalCount)}</p>}
      </Card>
      <PrintSheet title={fr.ofHost(row.name)} report={report} until={found.to}>
        <Figures total={row} />
        <TimeStrip from={found.from} to={found.to} intervals={intervals} />
        {shown.length > 0 && <IntervalTable intervals={shown} className={sheet.table} />}
      </PrintSheet>
    </>
  )
}

const IntervalTools = ({ found: { row }, report, showsAll }: OfHostProps & { readonly showsAll: boolean }) => {
  const saving = useMutation({
    mutationFn: () =>
      fetchFile(availabilityRoutes.host, { params: { id: row.id }, query: report.query, accept: 'text/csv' }),
    onSuccess: content => saveFile(`disponibilite-${row.name}.csv`, content),
    onError: error => {
      notifications.show({ title: fr.csvFailed, message: errorText(error), color: 'red' })
    },
  })
  return (
    <span className={classes.tools}>
      <SegmentedControl
        aria-label={fr.intervals}
        size="xs"
        value={showsAll ? 'all' : 'events'}
        onChange={value => report.change({ intervals: value === 'all' ? value : null })}
        data={[
          { value: 'events', label: fr.shown.events },
          { value: 'all', label: fr.shown.all },
        ]}
      />
      <ActionIcon
        variant="default"
        size={30}
        loading={saving.isPending}
        aria-label={fr.csv}
        title={fr.csv}
        onClick={() => saving.mutate()}
      >
        <IconDownload size={16} />
      </ActionIcon>
    </span>
  )
}
