import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MissingRecord, RecordView } from '../../ui/record.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import { ReportControls } from './report-controls.tsx'
import type { ReportHandle } from './report-options.ts'

interface ReportOfOneProps<T> {
  readonly report: ReportHandle
  readonly query: UseQueryResult<T>
  /** What is said when there is no such object. */
  readonly missing: Parameters<typeof MissingRecord>[0]['words']
  readonly children: (found: T) => ReactNode
}

/** The page of one object's report: its choices, then what was found. */
export const ReportOfOne = <T,>({ report, query, missing, children }: ReportOfOneProps<T>) => (
  <>
    <StatusViewTabs current="availability" />
    <ReportControls report={report} />
    <RecordView
      query={query}
      height={600}
      missing={<MissingRecord words={missing} list="/dashboard/status-view/availability" />}
    >
      {children}
    </RecordView>
  </>
)
