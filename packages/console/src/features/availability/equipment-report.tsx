import { type AvailabilityBy, type AvailabilityRow, availabilityRoutes, type DatatableInput } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, fetchFile } from '../../lib/api.ts'
import { formatAvailability } from '../../lib/availability.ts'
import { splitValues } from '../../lib/filter-range.ts'
import { formatNumber } from '../../lib/format.ts'
import { hostTypeOptions, siteOptions } from '../../lib/option-sources.ts'
import { AvailabilityBar } from '../../ui/availability-bar.tsx'
import type { TableExport } from '../../ui/data-table-export.tsx'
import type { RowLook } from '../../ui/data-table-types.ts'
import { fr } from './fr.ts'
import { REPORT_KEY } from './report-age.tsx'
import { equipmentColumns, timeText } from './report-columns.tsx'
import { type Narrowing, type PrintedColumn, REPORT_TIMEOUT_MS, ReportList } from './report-list.tsx'
import type { ReportHandle } from './report-options.ts'

const NARROWING: readonly Narrowing[] = [
  { name: 'site', label: fr.filters.site, source: siteOptions },
  { name: 'type', label: fr.filters.type, source: hostTypeOptions },
]
const EXPORT: TableExport = {
  name: 'disponibilite',
  fetch: body =>
    fetchFile(availabilityRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: REPORT_TIMEOUT_MS }),
}
const EMPTY = { title: fr.emptyTitle, text: fr.emptyText }
const put = (body: DatatableInput, signal?: AbortSignal) =>
  call(availabilityRoutes.datatable.put, { body, timeoutMs: REPORT_TIMEOUT_MS, ...(signal && { signal }) })

interface EquipmentReportProps {
  readonly report: ReportHandle
  readonly by: AvailabilityBy
}

/** A report of equipment, a row for each, or for each site or type. */
export const EquipmentReport = ({ report, by }: EquipmentReportProps) => {
  const { query, kept } = report
  const { from, to, hours, maintenance, unreachable, unknown } = query
  const fixed = useMemo(
    () => ({ from, to, hours, maintenance, unreachable, unknown, by }),
    [from, to, hours, maintenance, unreachable, unknown, by],
  )
  const look = useMemo<RowLook<AvailabilityRow>>(
    () => ({ key: row => row.id, name: row => row.name, href: row => pathOf(row, by, kept) }),
    [by, kept],
  )
  const columns = useMemo(() => equipmentColumns(by, kept), [by, kept])
  const summary = useSummary(report)
  return (
    <ReportList<AvailabilityRow>
      report={report}
      list={`availability-${by}`}
      keepsColumns="availability"
      put={put}
      exports={EXPORT}
      columns={columns}
      printed={PRINTED[by]}
      narrowing={NARROWING}
      fixed={fixed}
      look={look}
      noun={fr.nouns[by]}
      empty={EMPTY}
      summary={summary}
      title={summary.data && fr.total(fr.hostsNoun(summary.data.total.hosts))}
    />
  )
}

const BASE = '/dashboard/status-view/availability'
/** A host opens its intervals; a site or a type its equipment. */
const pathOf = ({ id }: AvailabilityRow, by: AvailabilityBy, kept: string): string => {
  if (by === 'host') return `${BASE}/host/${id}${kept === '' ? '' : `?${kept}`}`
  return `${BASE}?${kept === '' ? '' : `${kept}&`}${by}=${id}`
}

const useSummary = ({ params, query }: ReportHandle) => {
  const [site, type] = [params.get('site'), params.get('type')].map(text => splitValues(text ?? '').join())
  const asked = { ...query, ...(site && { site }), ...(type && { type }) }
  return useQuery({
    queryKey: [REPORT_KEY, 'summary', asked],
    queryFn: ({ signal }) => call(availabilityRoutes.summary, { query: asked, signal, timeoutMs: REPORT_TIMEOUT_MS }),
  })
}

const COUNT: PrintedColumn<AvailabilityRow> = {
  header: fr.columns.hosts,
  kind: 'number',
  cell: row => formatNumber(row.hosts, 0),
}
const SITE: PrintedColumn<AvailabilityRow> = { header: fr.columns.site, kind: 'text', cell: row => row.siteName }
const printed = (
  by: AvailabilityBy,
  second: PrintedColumn<AvailabilityRow>,
): readonly PrintedColumn<AvailabilityRow>[] => [
  { header: fr.bys[by], kind: 'text', cell: row => row.name },
  second,
  { header: fr.columns.ratio, kind: 'number', cell: row => formatAvailability(row.ratio) },
  { header: fr.columns.parts, kind: 'bar', cell: row => <AvailabilityBar times={row} /> },
  { header: fr.columns.down, kind: 'number', cell: row => timeText(row.downMs) },
  { header: fr.columns.outages, kind: 'number', cell: row => formatNumber(row.outages, 0) },
  { header: fr.columns.longest, kind: 'number', cell: row => timeText(row.longestOutageMs) },
]
const PRINTED = { host: printed('host', SITE), site: printed('site', COUNT), type: printed('type', COUNT) } as const
