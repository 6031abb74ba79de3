import { Button, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { table as words } from '../i18n/table.ts'
import { isNarrowed } from '../lib/datatable-state.ts'
import classes from './data-table.module.css'
import { TableFilterChip } from './data-table-filters.tsx'
import type { TableColumn, TableFilter } from './data-table-types.ts'
import { SearchField } from './search-field.tsx'
import toolbar from './toolbar.module.css'
import type { TableStateHandle } from './use-table-state.ts'

interface ToolbarProps<T> {
  readonly handle: TableStateHandle
  readonly filters: readonly TableFilter[]
  readonly columns: readonly TableColumn<T>[]
  readonly searchLabel: string
  readonly counts: { readonly total: number; readonly filtered: number } | null
  readonly noun: (count: number) => string
  readonly narrow: boolean
  /** Before the filters: the page's own switch. */
  readonly lead?: ReactNode
  /** After the count: what can be done with the list as a whole. */
  readonly tools?: ReactNode
}

/** Search, filter chips, and how many rows match. */
export const DataTableToolbar = <T,>({
  handle,
  filters,
  columns,
  searchLabel,
  counts,
  noun,
  narrow,
  lead,
  tools,
}: ToolbarProps<T>) => {
  const { state, update } = handle
  return (
    <div className={toolbar.toolbar}>
      {lead}
      <SearchField label={searchLabel} value={state.search} onSearch={search => update({ search }, true)} />
      {filters.map(filter => (
        <TableFilterChip
          key={filter.name}
          filter={filter}
          values={state.filters[filter.name] ?? []}
          onChange={values => update({ filters: withFilter(state.filters, filter.name, values) })}
        />
      ))}
      {isNarrowed(state) && (
        <Button variant="subtle" size="compact-sm" onClick={() => update({ search: '', filters: {} })}>
          {words.clearFilters}
        </Button>
      )}
      {narrow && <SortSelect handle={handle} columns={columns} />}
      <div className={toolbar.spacer} />
      <output className={toolbar.count} aria-live="polite">
        {counts !== null && countText(counts, noun)}
      </output>
      {tools !== undefined && <div className={classes.tools}>{tools}</div>}
    </div>
  )
}

const withFilter = (
  filters: Readonly<Record<string, readonly string[]>>,
  name: string,
  values: readonly string[],
): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries({ ...filters, [name]: values }).filter(([, chosen]) => chosen.length > 0))

/** « 10 000 équipements », or « 25 sur 10 000 équipements » once the list is narrowed. */
const countText = (
  { total, filtered }: { total: number; filtered: number },
  noun: (count: number) => string,
): string =>
  filtered === total ? noun(total) : `${words.filtered(filtered, total).replace(/ sur .*$/, '')} sur ${noun(total)}`

const SortSelect = <T,>({ handle, columns }: { handle: TableStateHandle; columns: readonly TableColumn<T>[] }) => {
  const { sort } = handle.state
  const data = columns
    .filter(column => column.sortable !== false)
    .flatMap(column => [
      { value: column.id, label: words.sorted(column.header, 'asc') },
      { value: `-${column.id}`, label: words.sorted(column.header, 'desc') },
    ])
  return (
    <Select
      size="sm"
      aria-label={words.sortBy}
      data={data}
      allowDeselect={false}
      value={sort === null ? null : `${sort.dir === 'desc' ? '-' : ''}${sort.column}`}
      placeholder={words.sortBy}
      onChange={value => {
        if (value === null) return
        handle.update({ sort: { column: value.replace(/^-/, ''), dir: value.startsWith('-') ? 'desc' : 'asc' } })
      }}
    />
  )
}
