import {
  type ColumnDef,
  type ReactTable,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { TableColumn } from './data-table-types.ts'

/** Sorting and paging are the server's; the table only holds their state. */
export const listFeatures = tableFeatures({ rowSortingFeature, rowPaginationFeature })
export type ListTable<T extends object> = ReactTable<typeof listFeatures, T>

const GROWING_MIN_PX = 110
/** The column of boxes to tick. */
const TICK_PX = 28
/** The row's edge and side margins in the style sheet. */
const EDGES_PX = 24

/** Our columns as the table library's. */
export const columnDefs = <T extends object>(columns: readonly TableColumn<T>[]): ColumnDef<typeof listFeatures, T>[] =>
  columns.map(column => ({
    id: column.id,
    accessorFn: (row: T) => row,
    header: column.header,
    cell: context => column.cell(context.row.original),
    enableSorting: column.sortable !== false,
  }))

/** The same grid for the head and every row, so that nothing moves when rows come and go. */
export const gridOf = <T>(
  columns: readonly TableColumn<T>[],
  ticks: boolean,
): { gridTemplateColumns: string; minWidth: number } => ({
  gridTemplateColumns: `${ticks ? `${TICK_PX}px ` : ''}${columns
    .map(({ width, grow }) => (width === undefined ? `minmax(${GROWING_MIN_PX}px, ${grow ?? 1}fr)` : `${width}px`))
    .join(' ')}`,
  minWidth: columns.reduce((sum, { width }) => sum + (width ?? GROWING_MIN_PX), EDGES_PX + (ticks ? TICK_PX : 0)),
})
