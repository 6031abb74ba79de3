import { notifications } from '@mantine/notifications'
import { AVAILABILITY_PRINTED, type ColumnList, type DatatableInput, type DatatableReply } from '@narval/contracts'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import { splitValues } from '../../lib/filter-range.ts'
import type { OptionSource } from '../../lib/option-source.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableExport } from '../../ui/data-table-export.tsx'
import type { RowLook, TableColumn, TableEmpty } from '../../ui/data-table-types.ts'
import { Card, ErrorState, errorText, LoadingState, PageHeader } from '../../ui/page.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import classes from './availability.module.css'
import { Figures, type ReportTotal } from './figures.tsx'
import { fr } from './fr.ts'
import sheet from './print-sheet.module.css'
import { PrintButton, PrintSheet, periodText } from './print-sheet.tsx'
import { ReportAge } from './report-age.tsx'
import { ReportControls } from './report-controls.tsx'
import type { ReportHandle } from './report-options.ts'

/** A filter of a report: things of which one chooses some. */
export interface Narrowing {
  readonly name: string
  readonly label: string
  readonly source: OptionSource
}
/** A column on paper. */
export interface PrintedColumn<Row> {
  readonly header: string
  readonly kind: 'text' | 'number' | 'bar'
  readonly cell: (row: Row) => ReactNode
}
interface Summary {
  readonly to: string
  readonly computedAt: string
  readonly total: ReportTotal
}

/** Longest that a report may take. */
export const REPORT_TIMEOUT_MS = 60_000

interface ReportListProps<Row extends { readonly id: number }> {
  readonly report: ReportHandle
  readonly list: string
  readonly keepsColumns: ColumnList
  readonly put: (body: DatatableInput, signal?: AbortSignal) => Promise<DatatableReply<Row>>
  readonly exports: TableExport
  readonly columns: readonly TableColumn<Row>[]
  readonly printed: readonly PrintedColumn<Row>[]
  readonly narrowing: readonly Narrowing[]
  readonly fixed: Readonly<Record<string, string>>
  readonly look: RowLook<Row>
  readonly noun: (count: number) => string
  readonly empty: TableEmpty
  /** Null: there is none to show, and the list says why. */
  readonly summary: UseQueryResult<Summary> | null
  readonly title: string | undefined
}

/** What the last request of the list asked and got: what is printed is that, whole. */
interface Listed<Row> {
  readonly body: DatatableInput
  readonly reply: DatatableReply<Row>
}

const RATIO = { column: 'ratio', dir: 'asc' } as const

/** A report: what all of it comes to, its rows, and itself on paper. All but `summary` and `report` is to be stable. */
export const ReportList = <Row extends { readonly id: number }>(props: ReportListProps<Row>) => {
  const { report, list, put, summary, title } = props
  const [listed, setListed] = useState<Listed<Row> | null>(null)
  const fetchPage = useCallback(
    async (body: DatatableInput, signal: AbortSignal) => {
      const reply = await put(body, signal)
      setListed({ body, reply })
      return reply
    },
    [put],
  )
  const print = usePrinted(listed, put)
  const narrowed = useNarrowed(report, props.narrowing)
  const told = summary?.data
  return (
    <>
      <PageHeader
        meta={
          <>
            {periodText(report.period)}
            {told !== undefined && (
              <>
                {' '}
                · <ReportAge computedAt={told.computedAt} ends={report.period.to} list={list} />
              </>
            )}
          </>
        }
        actions={<PrintButton busy={print.busy} onPrint={() => void print.start()} />}
      />
      <StatusViewTabs current="availability" />
      <ReportControls report={report} withBy />
      {summary !== null && (
        <Card className={classes.summary} title={title}>
          {told !== undefined ? (
            <Figures total={told.total} />
          ) : summary.isError ? (
            <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
          ) : (
            <LoadingState height={120} />
          )}
        </Card>
      )}
      <DataTable<Row>
        key={list}
        list={list}
        keepsColumns={props.keepsColumns}
        fetchPage={fetchPage}
        columns={props.columns}
        filters={props.narrowing}
        fixed={props.fixed}
        defaultSort={RATIO}
        thenBy="name"
        look={props.look}
        noun={props.noun}
        searchLabel={fr.search}
        empty={props.empty}
        exports={props.exports}
      />
      <PrintSheet
        title={fr.title}
        report={report}
        narrowed={narrowed}
        until={told?.to ?? null}
        computedAt={told?.computedAt ?? null}
      >
        {told !== undefined && (
          <>
            <h2 className={sheet.total}>{title}</h2>
            <Figures total={told.total} />
          </>
        )}
        {print.listed !== null && <PrintedRows listed={print.listed} columns={props.printed} />}
      </PrintSheet>
    </>
  )
}

/** « Site : Lyon, Nice · Recherche : srv », by the names of what the address has ids of. */
const useNarrowed = ({ params }: ReportHandle, narrowing: readonly Narrowing[]): string => {
  const asked = narrowing.flatMap(({ label, name, source }) =>
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
const usePrinted = <Row extends { readonly id: number }>(
  listed: Listed<Row> | null,
  put: ReportListProps<Row>['put'],
) => {
  const [whole, setWhole] = useState<Listed<Row> | null>(null)
  const [busy, setBusy] = useState(false)
  const start = async (): Promise<void> => {
    if (listed === null) return
    setBusy(true)
    try {
      const reply = await put({ ...listed.body, start: 0, length: AVAILABILITY_PRINTED })
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

interface PrintedRowsProps<Row> {
  readonly listed: Listed<Row>
  readonly columns: readonly PrintedColumn<Row>[]
}

const PrintedRows = <Row extends { readonly id: number }>({ listed: { reply }, columns }: PrintedRowsProps<Row>) => {
  const look = ({ kind }: PrintedColumn<Row>) =>
    kind === 'bar' ? { className: sheet.bar } : kind === 'number' ? { 'data-right': true } : {}
  return (
    <>
      <table className={sheet.table}>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.header} {...look(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reply.data.map(row => (
            <tr key={row.id}>
              {columns.map(column => (
                <td key={column.header} {...look(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {reply.data.length < reply.recordsFiltered && <p>{fr.sheet.partial(reply.data.length, reply.recordsFiltered)}</p>}
    </>
  )
}
