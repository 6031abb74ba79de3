import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ColumnList, DatatableInput, DatatableReply, HubName, ListName } from '@narval/contracts'
import { IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTable } from '@tanstack/react-table'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { table as words } from '../i18n/table.ts'
import {
  datatableRequest,
  isNarrowed,
  nextSort,
  type ShapeFilter,
  type TableShape,
  type TableSort,
  type TableState,
} from '../lib/datatable-state.ts'
import { isRange, rangeOf } from '../lib/filter-range.ts'
import classes from './data-table.module.css'
import { BulkBar, Tick } from './data-table-bulk.tsx'
import { DataTableCards } from './data-table-cards.tsx'
import { columnDefs, gridOf, listFeatures } from './data-table-columns.ts'
import { ColumnsMenu, useColumnChoice } from './data-table-columns-menu.tsx'
import { ExportButton, type TableExport } from './data-table-export.tsx'
import { DataTableFooter } from './data-table-footer.tsx'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableRows, SkeletonRows, useRowHeight } from './data-table-rows.tsx'
import { type BulkSelection, type SelectionHandle, useSelection } from './data-table-selection.ts'
import { DataTableToolbar } from './data-table-toolbar.tsx'
import type { RowLook, TableColumn, TableEmpty, TableFilter } from './data-table-types.ts'
import { ViewsMenu } from './data-table-views-menu.tsx'
import { useFreshness } from './freshness.tsx'
import { LIST_KEY } from './live-rows.ts'
import { EmptyState, ErrorState } from './page.tsx'
import { useAvailableHeight } from './use-available-height.ts'
import { useTableState } from './use-table-state.ts'

/** Everything but the first page's rows is the page's to keep stable: define it outside of the component or memoise it. */
export interface DataTableProps<T extends object> {
  /** Name of the list: its part of the query key, see `useLiveRows`. */
  readonly list: string
  readonly fetchPage: (body: DatatableInput, signal: AbortSignal) => Promise<DatatableReply<T>>
  readonly columns: readonly TableColumn<T>[]
  readonly filters?: readonly TableFilter[]
  /** Filters that the page imposes; not shown, not in the URL. */
  readonly fixed?: Readonly<Record<string, string | number>>
  readonly defaultSort: TableSort | null
  /** Columns searched though not shown. */
  readonly alsoSearched?: readonly string[]
  /** Orders rows that the sorted column leaves equal. */
  readonly thenBy?: string
  readonly look: RowLook<T>
  /** « 1 équipement », « 10 000 équipements ». */
  readonly noun: (count: number) => string
  readonly searchLabel: string
  readonly empty: TableEmpty
  readonly lead?: ReactNode
  /** The hub that keeps the rows up to date: its state is shown, and rows grey when it stops. */
  readonly hub?: HubName
  /** Also asks again this often, ms; for lists that no hub follows. */
  readonly refreshMs?: number
  /** Px to leave free under the table. */
  readonly below?: number
  /** Keeps saved views under this name, and the chosen columns unless `keepsColumns` says another, or alone keeps them. */
  readonly keeps?: ListName
  readonly keepsColumns?: ColumnList
  /** Lets rows be ticked: what can be done with them. Their keys are ids. */
  readonly bulk?: (selection: BulkSelection) => ReactNode
  /** The rows that may be ticked; all unless told. */
  readonly mayTick?: (row: T) => boolean
  readonly exports?: TableExport
}

const NO_FILTERS: readonly TableFilter[] = []
const NO_ROWS: readonly never[] = []
const anyRow = (): boolean => true
const NARROW = '(max-width: 48em)'
const FOOTER_PX = 49
const HEAD_PX = 42
const SHELL_BELOW_PX = 64
const SKELETON_ROWS = 10

const shapeFilter = (filter: TableFilter): ShapeFilter => ({
  name: filter.name,
  accepts: value =>
    'choices' in filter
      ? filter.choices.some(choice => choice.value === value)
      : 'typed' in filter
        ? value !== '' && (filter.typed === 'text' || isRange(filter.typed, rangeOf(value)))
        : /^[1-9]\d{0,9}$/.test(value),
})

/** A list paged, sorted and searched by the server; its state lives in the URL. */
export const DataTable = <T extends object>(props: DataTableProps<T>) => {
  const { list, filters = NO_FILTERS, fixed, defaultSort, alsoSearched, thenBy, look, noun } = props
  const columnsUnder = props.keepsColumns ?? props.keeps
  const choice = useColumnChoice(columnsUnder, props.columns)
  const columns = choice.shown
  const shape = useMemo<TableShape>(
    () => ({
      columns,
      filters: filters.map(shapeFilter),
      defaultSort,
      ...(alsoSearched && { alsoSearched }),
      ...(thenBy && { thenBy }),
    }),
    [columns, filters, defaultSort, alsoSearched, thenBy],
  )
  const handle = useTableState(shape)
  const { state, update } = handle
  const query = useQuery({
    queryKey: [LIST_KEY, list, state, fixed],
    queryFn: ({ signal }) => props.fetchPage(datatableRequest(state, shape, fixed), signal),
    enabled: choice.isKnown,
    placeholderData: keepPreviousData,
    // Messages that came while the list was not shown were not heard.
    staleTime: 0,
    refetchInterval: props.refreshMs ?? false,
  })
  const reply = query.data
  const lastPage = reply === undefined ? state.page : Math.max(1, Math.ceil(reply.recordsFiltered / state.length))
  // Rows were deleted, or the link is old: go to the last page that exists rather than show an empty one.
  useEffect(() => {
    if (!query.isPlaceholderData && state.page > lastPage) update({ page: lastPage }, true)
  }, [query.isPlaceholderData, state.page, lastPage, update])

  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const live = props.hub ?? null
  const interrupted = useFreshness(live) === 'stale' && live !== null
  const matching = reply?.recordsFiltered ?? 0
  const ticked = useSelection(JSON.stringify([state.search, state.filters, fixed]), matching)
  const selection = props.bulk === undefined ? null : ticked
  const { mayTick = anyRow } = props
  const page = useMemo(
    () => (reply?.data ?? []).filter(mayTick).map(row => Number(look.key(row))),
    [reply, look, mayTick],
  )
  const wholeRequest = (): DatatableInput => ({ ...datatableRequest(state, shape, fixed), start: 0 })
  const sort = (column: string): void => update({ sort: nextSort(state.sort, column, shape) })
  return (
    <div data-table={list}>
      <DataTableToolbar
        handle={handle}
        filters={filters}
        columns={columns}
        searchLabel={props.searchLabel}
        counts={
          reply === undefined
            ? null
            : {
                // What the page itself imposes is no choice of the reader: the total of everything would mislead.
                total: fixed === undefined ? reply.recordsTotal : reply.recordsFiltered,
                filtered: reply.recordsFiltered,
              }
        }
        noun={noun}
        narrow={narrow}
        lead={props.lead}
        tools={
          columnsUnder === undefined && props.exports === undefined ? undefined : (
            <>
              {props.keeps !== undefined && <ViewsMenu list={props.keeps} />}
              {columnsUnder !== undefined && !narrow && <ColumnsMenu columns={props.columns} choice={choice} />}
              {props.exports !== undefined && <ExportButton source={props.exports} body={wholeRequest} />}
            </>
          )
        }
      />
      <div
        className={classes.card}
        data-loading={reply === undefined || undefined}
        data-stale={interrupted || query.isError || undefined}
      >
        <div className={classes.progress} data-on={query.isPlaceholderData || undefined} />
        {selection !== null && (
          <BulkBar selection={selection} page={page} matching={matching} noun={noun} narrow={narrow}>
            {props.bulk?.({
              count: selection.count,
              target: selection.all ? { filter: wholeRequest() } : { ids: [...selection.ids] },
              clear: selection.clear,
            })}
          </BulkBar>
        )}
        {query.isError && reply !== undefined && <div className={classes.notice}>{words.refreshFailed}</div>}
        {query.isError && reply === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : reply?.data.length === 0 && !query.isPlaceholderData ? (
          <NoRows
            narrowed={isNarrowed(state)}
            empty={props.empty}
            onClear={() => update({ search: '', filters: {} })}
          />
        ) : narrow && reply !== undefined ? (
          <DataTableCards
            rows={reply.data}
            columns={columns}
            look={look}
            label={props.searchLabel}
            selection={selection}
            page={page}
          />
        ) : (
          <WideTable
            {...props}
            columns={columns}
            reply={reply}
            state={state}
            onSort={sort}
            selection={selection}
            page={page}
          />
        )}
        <DataTableFooter handle={handle} filtered={reply?.recordsFiltered ?? 0} live={live} />
      </div>
    </div>
  )
}

interface WideTableProps<T extends object> extends DataTableProps<T> {
  readonly reply: DatatableReply<T> | undefined
  readonly state: TableState
  readonly onSort: (column: string) => void
  readonly selection: SelectionHandle | null
  readonly page: readonly number[]
}

const WideTable = <T extends object>({
  reply,
  columns,
  state,
  look,
  below,
  onSort,
  searchLabel,
  selection,
  page: ids,
}: WideTableProps<T>) => {
  const definitions = useMemo(() => columnDefs(columns), [columns])
  const grid = useMemo(() => gridOf(columns, selection !== null), [columns, selection !== null])
  const rowId = useCallback((row: T) => String(look.key(row)), [look])
  const { sort, page, length } = state
  const sorting = useMemo(() => (sort === null ? [] : [{ id: sort.column, desc: sort.dir === 'desc' }]), [sort])
  const pagination = useMemo(() => ({ pageIndex: page - 1, pageSize: length }), [page, length])
  const table = useTable({
    features: listFeatures,
    columns: definitions,
    data: reply?.data ?? NO_ROWS,
    rowCount: reply?.recordsFiltered ?? 0,
    getRowId: rowId,
    manualSorting: true,
    manualPagination: true,
    state: { sorting, pagination },
  })
  const scroller = useRef<HTMLDivElement>(null)
  const sizes = { headPx: HEAD_PX, rowPx: useRowHeight() }
  const height = useAvailableHeight(scroller, (below ?? SHELL_BELOW_PX) + FOOTER_PX, sizes)
  const firstIndex = (page - 1) * length
  return (
    <div ref={scroller} className={classes.scroller} style={{ maxHeight: height }}>
      <table
        className={classes.table}
        style={{ minWidth: grid.minWidth }}
        aria-label={searchLabel}
        aria-busy={reply === undefined}
        aria-rowcount={reply === undefined ? -1 : reply.recordsFiltered + 1}
      >
        <DataTableHead
          table={table}
          columns={columns}
          grid={grid}
          onSort={onSort}
          lead={
            selection === null ? undefined : (
              <Tick
                checked={ids.length > 0 && ids.every(selection.isTicked)}
                partly={ids.some(selection.isTicked)}
                disabled={ids.length === 0}
                label={words.selectPage}
                onToggle={() => selection.togglePage(ids)}
              />
            )
          }
        />
        {reply === undefined ? (
          <SkeletonRows columns={columns} grid={grid} count={SKELETON_ROWS} ticks={selection !== null} />
        ) : (
          <DataTableRows
            table={table}
            columns={columns}
            look={look}
            grid={grid}
            scroller={scroller}
            firstIndex={firstIndex}
            selection={selection}
            page={ids}
          />
        )}
      </table>
    </div>
  )
}

const NoRows = ({ narrowed, empty, onClear }: { narrowed: boolean; empty: TableEmpty; onClear: () => void }) =>
  narrowed ? (
    <EmptyState
      title={words.noMatch}
      icon={<IconSearchOff size={28} stroke={1.6} />}
      action={
        <Button variant="default" onClick={onClear}>
          {words.clearFilters}
        </Button>
      }
    >
      {words.noMatchHelp}
    </EmptyState>
  ) : (
    <EmptyState title={empty.title} icon={empty.icon} action={empty.action}>
      {empty.text}
    </EmptyState>
  )
