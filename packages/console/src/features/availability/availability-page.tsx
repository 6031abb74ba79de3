import { notifications } from '@mantine/notifications'
import {
  AVAILABILITY_PRINTED,
  type AvailabilityRow,
  availabilityRoutes,
  type DatatableInput,
  type DatatableReply,
} from '@narval/contracts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { call, fetchFile } from '../../lib/api.ts'
import { formatAvailability } from '../../lib/availability.ts'
import { splitValues } from '../../lib/filter-range.ts'
import { formatNumber } from '../../lib/format.ts'
import { hostTypeOptions, siteOptions } from '../../lib/option-sources.ts'
import { AvailabilityBar } from '../../ui/availability-bar.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableExport } from '../../ui/data-table-export.tsx'
import type { RowLook, TableFilter } from '../../ui/data-table-types.ts'
import { Card, ErrorState, errorText, LoadingState, PageHeader } from '../../ui/page.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import classes from './availability.module.css'
import { Figures } from './figures.tsx'
import { fr } from './fr.ts'
import sheet from './print-sheet.module.css'
import { PrintButton, PrintSheet, periodText } from './print-sheet.tsx'
import { REPORT_COLUMNS, timeText } from './report-columns.tsx'
import { ReportControls } from './report-controls.tsx'
import { type ReportHandle, useReport } from './report-options.ts'

const NARROWING = [
  { name: 'site', label: fr.filters.site, source: siteOptions },
  { name: 'type', label: fr.filters.type, source: hostTypeOptions },
] as const
const FILTERS: readonly TableFilter[] = NARROWING
const TIMEOUT_MS = 60_000
const EXPORT: TableExport = {
  name: 'disponibilite',
  fetch: body => fetchFile(availabilityRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: TIMEOUT_MS }),
}
const EMPTY = { title: fr.emptyTitle, text: fr.emptyText }

/** What the last request of the list asked and got: what is printed is that, whole. */
interface Listed {
  readonly body: DatatableInput
  readonly reply: DatatableReply<AvailabilityRow>
}

/** /dashboard/status-view/availability: how much of a period equipment was available, by host, site or type. */
export const AvailabilityPage = () => {
  const report = useReport()
  const { by, query, kept } = report
  const [listed, setListed] = useState<Listed | null>(null)
  const fetchPage = useCallback(async (body: DatatableInput, signal: AbortSignal) => {
    const reply = await call(availabilityRoutes.datatable.put, { body, signal, timeoutMs: TIMEOUT_MS })
    setListed({ body, reply })
    return reply
  }, [])
  const { from, to, hours, maintenance, unreachable, unknown } = query
  const fixed = useMemo(
    () => ({ from, to, hours, maintenance, unreachable, unknown, by }),
    [from, to, hours, maintenance, unreachable, unknown, by],
  )
  const look = useMemo<RowLook<AvailabilityRow>>(
    () => ({ key: row => row.id, name: row => row.name, href: row => pathOf(row, by, kept) }),
    [by, kept],
  )
  const summary = useSummary(report)
  const print = usePrinted(listed)
  const narrowed = useNarrowed(report)
  return (
    <>
      <PageHeader
        meta={periodText(report.period)}
        actions={<PrintButton busy={print.busy} onPrint={() => void print.start()} />}
      />
      <StatusViewTabs current="availability" />
      <ReportControls report={report} withBy />
      <Card className={classes.summary} title={summary.data && fr.total(fr.hostsNoun(summary.data.total.hosts))}>
        {summary.data !== undefined ? (
          <Figures total={summary.data.total} />
        ) : summary.isError ? (
          <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
        ) : (
          <LoadingState height={120} />
        )}
      </Card>
      <DataTable<AvailabilityRow>
        key={by}
        list={`availability-${by}`}
        keepsColumns="availability"
        fetchPage={fetchPage}
        columns={REPORT_COLUMNS[by]}
        filters={FILTERS}
        fixed={fixed}
        defaultSort={RATIO}
        thenBy="name"
        look={look}
        noun={fr.nouns[by]}
        searchLabel={fr.search}
        empty={EMPTY}
        exports={EXPORT}
      />
      <PrintSheet title={fr.title} report={report} narrowed={narrowed} until={summary.data?.to ?? null}>
        {summary.data !== undefined && (
          <>
            <h2 className={sheet.total}>{fr.total(fr.hostsNoun(summary.data.total.hosts))}</h2>
            <Figures total={summary.data.total} />
          </>
        )}
        {print.listed !== null && <PrintedRows listed={print.listed} by={by} />}
      </PrintSheet>
    </>
  )
}
const RATIO = { column: 'ratio', dir: 'asc' } as const

const BASE = '/dashboard/status-view/availability'
/** A host opens its intervals; a site or a type its equipment. */
const pathOf = ({ id }: AvailabilityRow, by: ReportHandle['by'], kept: string): string => {
  if (by === 'host') return `${BASE}/host/${id}${kept === '' ? '' : `?${kept}`}`
  return `${BASE}?${kept === '' ? '' : `${kept}&`}${by}=${id}`
}

const useSummary = ({ params, query }: ReportHandle) => {
  const [site, type] = [params.get('site'), params.get('type')].map(text => splitValues(text ?? '').join())
  const asked = { ...query, ...(site && { site }), ...(type && { type }) }
  return useQuery({
    queryKey: ['availability', 'summary', asked],
    queryFn: ({ signal }) => call(availabilityRoutes.summary, { query: asked, signal, timeoutMs: TIMEOUT_MS }),
  })
}

/** « Site : Lyon, Nice · Recherche : srv », by the names of what the address has ids of. */
const useNarrowed = ({ params }: ReportHandle): string => {
  const asked = NARROWING.flatMap(({ label, name, source }) =>
    splitValues(params.get(name) ?? '').map(id => ({ label, source, id: Number(id) })),
  )
  const found = useQueries({
    queries: asked.map(({ source, id }) => ({
      queryKey: ['option-name', source.key, id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => source.nameOf(id, signal),
    })),
  })
  const named = asked.map(({ label, id }, index) => ({ label, name: found[index]?.data ?? `n° ${id}` }))
  const search = params.get('q') ?? ''
  return [
    ...Map.groupBy([...named, ...(search === '' ? [] : [{ label: fr.sheet.search, name: search }])], one => one.label),
  ]
    .map(([label, some]) => `${label}\u202f: ${some.map(({ name }) => name).join(', ')}`)
    .join(' · ')
}

/** Asks for every row before the browser prints; by the browser's own menu, what the list shows is printed. */
const usePrinted = (listed: Listed | null) => {
  const [whole, setWhole] = useState<Listed | null>(null)
  const [busy, setBusy] = useState(false)
  const start = async (): Promise<void> => {
    if (listed === null) return
    setBusy(true)
    try {
      const body = { ...listed.body, start: 0, length: AVAILABILITY_PRINTED }
      const reply = await call(availabilityRoutes.datatable.put, { body, timeoutMs: TIMEOUT_MS })
      flushSync(() => {
        setWhole({ body: listed.body, reply })
        setBusy(false)
      })
      window.print()
    } catch (error) {
      notifications.show({ title: fr.print, message: errorText(error), color: 'red' })
    } finally {
      setBusy(false)
    }
  }
  return { start, busy, listed: whole !== null && whole.body === listed?.body ? whole : listed }
}

const PrintedRows = ({ listed: { reply }, by }: { readonly listed: Listed; readonly by: ReportHandle['by'] }) => (
  <>
    <table className={sheet.table}>
      <thead>
        <tr>
          <th>{fr.bys[by]}</th>
          <th data-right={by === 'host' ? undefined : true}>{by === 'host' ? fr.columns.site : fr.columns.hosts}</th>
          <th data-right>{fr.columns.ratio}</th>
          <th className={sheet.bar}>{fr.columns.parts}</th>
          <th data-right>{fr.columns.down}</th>
          <th data-right>{fr.columns.outages}</th>
          <th data-right>{fr.columns.longest}</th>
        </tr>
      </thead>
      <tbody>
        {reply.data.map(row => (
          <tr key={row.id}>
            <td>{row.name}</td>
            <td data-right={by === 'host' ? undefined : true}>
              {by === 'host' ? row.siteName : formatNumber(row.hosts, 0)}
            </td>
            <td data-right>{formatAvailability(row.ratio)}</td>
            <td className={sheet.bar}>
              <AvailabilityBar times={row} />
            </td>
            <td data-right>{timeText(row.downMs)}</td>
            <td data-right>{formatNumber(row.outages, 0)}</td>
            <td data-right>{timeText(row.longestOutageMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {reply.data.length < reply.recordsFiltered && <p>{fr.sheet.partial(reply.data.length, reply.recordsFiltered)}</p>}
  </>
)
