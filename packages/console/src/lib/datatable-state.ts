import { DATATABLE_DEFAULT_LENGTH, type DatatableInput } from '@narval/contracts'
import { joinValues, splitValues } from './filter-range.ts'

/** Page sizes that a list offers. */
export const PAGE_LENGTHS = [DATATABLE_DEFAULT_LENGTH, 50, 100, 250] as const
const SEARCH_MAX = 200

export interface TableSort {
  readonly column: string
  readonly dir: 'asc' | 'desc'
}

/** What a reader chose in a list. `page` counts from 1; a filter without values is absent. */
export interface TableState {
  readonly search: string
  readonly sort: TableSort | null
  readonly page: number
  readonly length: number
  readonly filters: Readonly<Record<string, readonly string[]>>
}

export interface ShapeFilter {
  readonly name: string
  readonly accepts: (value: string) => boolean
}
/** What a list knows of its own state: its columns, its filters, and how it is sorted unasked. */
export interface TableShape {
  /** As shown; only those that sort are named to the server, which refuses names it does not know. */
  readonly columns: readonly { readonly id: string; readonly sortable?: boolean }[]
  readonly filters: readonly ShapeFilter[]
  readonly defaultSort: TableSort | null
  /** Columns that are searched though not shown. */
  readonly alsoSearched?: readonly string[]
  /** Column that orders rows which the sorted one leaves equal. */
  readonly thenBy?: string
}

const wholeNumber = (text: string | null): number => (text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 0)

const sortOf = (text: string | null, shape: TableShape): TableSort | null => {
  if (text === null) return shape.defaultSort
  const column = text.replace(/^-/, '')
  const known = shape.columns.some(candidate => candidate.id === column && candidate.sortable !== false)
  return known ? { column, dir: text.startsWith('-') ? 'desc' : 'asc' } : shape.defaultSort
}

/** The state in a URL. What is unknown or out of bounds is left out, so that an old or mistyped link still opens. */
export const readTableState = (params: URLSearchParams, shape: TableShape): TableState => {
  const length = wholeNumber(params.get('length'))
  return {
    search: (params.get('q') ?? '').slice(0, SEARCH_MAX),
    sort: sortOf(params.get('sort'), shape),
    page: Math.max(1, wholeNumber(params.get('page'))),
    length: PAGE_LENGTHS.some(known => known === length) ? length : DATATABLE_DEFAULT_LENGTH,
    filters: Object.fromEntries(
      shape.filters
        .map(({ name, accepts }) => [name, splitValues(params.get(name) ?? '').filter(accepts)] as const)
        .filter(([, values]) => values.length > 0),
    ),
  }
}

const sameSort = (a: TableSort | null, b: TableSort | null): boolean => a?.column === b?.column && a?.dir === b?.dir

/** Writes the state over a URL's parameters: other parameters stay, defaults are not written. */
export const writeTableState = (params: URLSearchParams, state: TableState, shape: TableShape): URLSearchParams => {
  const next = new URLSearchParams(params)
  const put = (name: string, value: string): void => (value === '' ? next.delete(name) : next.set(name, value))
  put('q', state.search)
  const { sort } = state
  put(
    'sort',
    sort === null || sameSort(sort, shape.defaultSort) ? '' : `${sort.dir === 'desc' ? '-' : ''}${sort.column}`,
  )
  put('page', state.page === 1 ? '' : String(state.page))
  put('length', state.length === DATATABLE_DEFAULT_LENGTH ? '' : String(state.length))
  for (const { name } of shape.filters) put(name, joinValues(state.filters[name] ?? []))
  return next
}

/** Ascending, then descending, then as the list is sorted unasked. */
export const nextSort = (current: TableSort | null, column: string, shape: TableShape): TableSort | null => {
  if (current?.column !== column) return { column, dir: 'asc' }
  if (current.dir === 'asc') return { column, dir: 'desc' }
  return shape.defaultSort?.column === column ? { column, dir: 'asc' } : shape.defaultSort
}

/** True when the reader narrowed the list: an empty answer then means « nothing matches », not « nothing yet ». */
export const isNarrowed = (state: TableState): boolean => state.search !== '' || Object.keys(state.filters).length > 0

const wireColumns = (shape: TableShape): readonly string[] => [
  ...new Set([
    ...shape.columns.filter(column => column.sortable !== false).map(column => column.id),
    ...(shape.alsoSearched ?? []),
    ...(shape.thenBy === undefined ? [] : [shape.thenBy]),
  ]),
]

const orderOf = ({ sort }: TableState, shape: TableShape, names: readonly string[]): DatatableInput['order'] => {
  const wanted = sort === null ? [] : [sort]
  if (shape.thenBy !== undefined && sort?.column !== shape.thenBy) wanted.push({ column: shape.thenBy, dir: 'asc' })
  return wanted.map(({ column, dir }) => ({ column: names.indexOf(column), dir })).filter(({ column }) => column >= 0)
}

/** The request of the server's protocol; `fixed` are filters that the page itself imposes. */
export const datatableRequest = (
  state: TableState,
  shape: TableShape,
  fixed: Readonly<Record<string, string | number>> = {},
): DatatableInput => {
  const names = wireColumns(shape)
  const chosen = Object.entries(state.filters).map(([name, values]) => [
    name,
    values.length === 1 ? (values[0] ?? '') : [...values],
  ])
  return {
    draw: 1,
    start: (state.page - 1) * state.length,
    length: state.length,
    search: { value: state.search },
    order: orderOf(state, shape, names),
    columns: names.map(data => ({ data })),
    filters: { ...Object.fromEntries(chosen), ...fixed },
  }
}
