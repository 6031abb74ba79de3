import {
  type DatatableInput,
  type DatatableReply,
  type MetricAvailabilityRow,
  metricAvailabilityRoutes,
} from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, fetchFile } from '../../lib/api.ts'
import { formatAvailability } from '../../lib/availability.ts'
import { splitValues } from '../../lib/filter-range.ts'
import { formatNumber } from '../../lib/format.ts'
import { ApiError } from '../../lib/http.ts'
import { hostOptions, hostTypeOptions, siteOptions } from '../../lib/option-sources.ts'
import { AvailabilityBar } from '../../ui/availability-bar.tsx'
import type { TableExport } from '../../ui/data-table-export.tsx'
import type { RowLook } from '../../ui/data-table-types.ts'
import { fr } from './fr.ts'
import { REPORT_KEY } from './report-age.tsx'
import { METRIC_COLUMNS, timeText } from './report-columns.tsx'
import { type Narrowing, type PrintedColumn, REPORT_TIMEOUT_MS, ReportList } from './report-list.tsx'
import type { ReportHandle } from './report-options.ts'

type Row = MetricAvailabilityRow

const NARROWING: readonly Narrowing[] = [
  { name: 'host', label: fr.filters.host, source: hostOptions },
  { name: 'site', label: fr.filters.site, source: siteOptions },
  { name: 'type', label: fr.filters.type, source: hostTypeOptions },
]
const EXPORT: TableExport = {
  name: 'disponibilite-metriques',
  fetch: body =>
    fetchFile(metricAvailabilityRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: REPORT_TIMEOUT_MS }),
}
const EMPTY = { title: fr.emptyMetricsTitle, text: fr.emptyMetricsText }

/** The server computes no more than so many at once: nothing is wrong, some are to be chosen. */
const isTooMany = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 400 && Object.keys(error.problem.fields ?? {}).length === 0
const isChosen = ({ filters }: DatatableInput): boolean =>
  NARROWING.some(({ name }) => filters !== undefined && Object.hasOwn(filters, name))

const put = async (body: DatatableInput, signal?: AbortSignal): Promise<DatatableReply<Row>> => {
  const options = { body, timeoutMs: REPORT_TIMEOUT_MS, ...(signal && { signal }) }
  return call(metricAvailabilityRoutes.datatable.put, options).catch(error => {
    if (!isTooMany(error) || isChosen(body)) throw error
    return { draw: body.draw ?? 0, recordsTotal: 0, recordsFiltered: 0, data: [] }
  })
}

/** A report of metrics, a row for each: of some equipment, as a whole large fleet has too many of them. */
export const MetricReport = ({ report }: { readonly report: ReportHandle }) => {
  const { metricQuery, kept } = report
  const { from, to, hours, maintenance, warning, unknown } = metricQuery
  const fixed = useMemo(
    () => ({ from, to, hours, maintenance, warning, unknown }),
    [from, to, hours, maintenance, warning, unknown],
  )
  const look = useMemo<RowLook<Row>>(
    () => ({
      key: row => row.id,
      name: row => `${row.hostName}\u202f: ${row.name}`,
      href: row => `/dashboard/status-view/availability/metric/${row.id}${kept === '' ? '' : `?${kept}`}`,
    }),
    [kept],
  )
  const summary = useSummary(report)
  const tooMany = isTooMany(summary.error) ? summary.error.message : null
  const empty = useMemo(() => (tooMany === null ? EMPTY : { title: fr.tooManyTitle, text: tooMany }), [tooMany])
  return (
    <ReportList<Row>
      report={report}
      list="availability-metric"
      keepsColumns="availability-metric"
      put={put}
      exports={EXPORT}
      columns={METRIC_COLUMNS}
      printed={PRINTED}
      narrowing={NARROWING}
      fixed={fixed}
      look={look}
      noun={fr.nouns.metric}
      empty={empty}
      summary={tooMany === null ? summary : null}
      title={summary.data && fr.total(fr.nouns.metric(summary.data.total.metrics))}
    />
  )
}

const useSummary = ({ params, metricQuery }: ReportHandle) => {
  const chosen = NARROWING.flatMap(({ name }) => {
    const ids = splitValues(params.get(name) ?? '').join()
    return ids === '' ? [] : [[name, ids] as const]
  })
  const asked = { ...metricQuery, ...Object.fromEntries(chosen) }
  return useQuery({
    queryKey: [REPORT_KEY, 'metrics', asked],
    queryFn: ({ signal }) =>
      call(metricAvailabilityRoutes.summary, { query: asked, signal, timeoutMs: REPORT_TIMEOUT_MS }),
  })
}

const PRINTED: readonly PrintedColumn<Row>[] = [
  { header: fr.columns.metric, kind: 'text', cell: row => row.name },
  { header: fr.columns.host, kind: 'text', cell: row => row.hostName },
  { header: fr.columns.ratio, kind: 'number', cell: row => formatAvailability(row.ratio) },
  { header: fr.columns.parts, kind: 'bar', cell: row => <AvailabilityBar times={row} /> },
  { header: fr.columns.warning, kind: 'number', cell: row => timeText(row.warningMs) },
  { header: fr.columns.error, kind: 'number', cell: row => timeText(row.errorMs) },
  { header: fr.columns.outages, kind: 'number', cell: row => formatNumber(row.outages, 0) },
]
