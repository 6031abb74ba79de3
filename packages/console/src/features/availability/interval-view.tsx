import { ActionIcon, SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { Card, errorText, PageHeader } from '../../ui/page.tsx'
import classes from './availability.module.css'
import { Figures, type ReportTotal } from './figures.tsx'
import { fr } from './fr.ts'
import { IntervalTable, isEvent, type ShownInterval } from './interval-table.tsx'
import sheet from './print-sheet.module.css'
import { PrintButton, PrintSheet, periodText } from './print-sheet.tsx'
import { ReportAge } from './report-age.tsx'
import type { ReportHandle } from './report-options.ts'
import { TimeStrip } from './time-strip.tsx'

interface IntervalViewProps {
  readonly report: ReportHandle
  /** Its name, in full where it stands alone. */
  readonly name: string
  readonly fullName: string
  /** Where it stands, as links. */
  readonly places: ReactNode
  readonly actions?: ReactNode
  readonly found: {
    readonly from: string
    readonly to: string
    readonly computedAt: string
    readonly intervalCount: number
  }
  readonly total: ReportTotal
  readonly intervals: readonly ShownInterval[]
  readonly fetchCsv: () => Promise<Blob>
}

/** What the availability of one thing comes to, and each interval that made it, on screen and on paper. */
export const IntervalView = (props: IntervalViewProps) => {
  const { report, found, intervals, total } = props
  const showsAll = report.params.get('intervals') === 'all'
  const shown = showsAll ? intervals : intervals.filter(isEvent)
  return (
    <>
      <PageHeader
        title={props.name}
        meta={
          <>
            {periodText(report.period)} · {props.places} ·{' '}
            <ReportAge computedAt={found.computedAt} ends={report.period.to} />
          </>
        }
        actions={
          <>
            {props.actions}
            <PrintButton busy={false} onPrint={() => window.print()} />
          </>
        }
      />
      <Card className={classes.summary} title={fr.title}>
        <Figures total={total} />
        <TimeStrip from={found.from} to={found.to} intervals={intervals} />
      </Card>
      <Card flush title={fr.intervals} aside={<IntervalTools {...props} showsAll={showsAll} />}>
        {shown.length === 0 ? (
          <p className={classes.note}>{fr.noEvents}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
          <section className={classes.tableScroll} tabIndex={0} aria-label={fr.intervals}>
            <IntervalTable intervals={shown} className={classes.table} />
          </section>
        )}
        {intervals.length < found.intervalCount && (
          <p className={classes.note}>{fr.more(intervals.length, found.intervalCount)}</p>
        )}
      </Card>
      <PrintSheet title={fr.ofOne(props.fullName)} report={report} until={found.to} computedAt={found.computedAt}>
        <Figures total={total} />
        <TimeStrip from={found.from} to={found.to} intervals={intervals} />
        {shown.length > 0 && <IntervalTable intervals={shown} className={sheet.table} />}
      </PrintSheet>
    </>
  )
}

const IntervalTools = ({
  report,
  fullName,
  fetchCsv,
  showsAll,
}: IntervalViewProps & { readonly showsAll: boolean }) => {
  const saving = useMutation({
    mutationFn: fetchCsv,
    onSuccess: content => saveFile(`disponibilite-${fullName}.csv`, content),
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
