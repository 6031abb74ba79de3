import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { FlexRender } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import type { ListTable } from './data-table-columns.ts'
import type { TableColumn } from './data-table-types.ts'

interface HeadProps<T extends object> {
  readonly table: ListTable<T>
  readonly columns: readonly TableColumn<T>[]
  readonly grid: { readonly gridTemplateColumns: string }
  readonly onSort: (column: string) => void
  /** Before the columns: the box that ticks the page. */
  readonly lead?: ReactNode
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const

/** The head that stays; a click on a name sorts by it. */
export const DataTableHead = <T extends object>({ table, columns, grid, onSort, lead }: HeadProps<T>) => (
  <thead className={classes.head}>
    {table.getHeaderGroups().map(group => (
      <tr key={group.id} className={classes.headRow} style={grid} aria-rowindex={1}>
        {lead !== undefined && <th className={classes.headCell}>{lead}</th>}
        {group.headers.map((header, at) => {
          const sorted = header.column.getIsSorted()
          const Icon = sorted === 'asc' ? IconArrowUp : sorted === 'desc' ? IconArrowDown : IconArrowsSort
          return (
            <th
              key={header.id}
              className={classes.headCell}
              data-align={columns[at]?.align}
              aria-sort={sorted === false ? undefined : ARIA[sorted]}
            >
              {header.column.getCanSort() ? (
                <UnstyledButton
                  className={classes.headButton}
                  data-sorted={sorted || undefined}
                  title={columns[at]?.header}
                  onClick={() => onSort(header.column.id)}
                >
                  <span className={classes.headLabel}>
                    <FlexRender header={header} />
                  </span>
                  <Icon className={classes.headIcon} size={14} stroke={2} aria-hidden />
                </UnstyledButton>
              ) : (
                <span className={classes.headText} title={columns[at]?.header}>
                  <span className={classes.headLabel}>
                    <FlexRender header={header} />
                  </span>
                </span>
              )}
            </th>
          )
        })}
      </tr>
    ))}
  </thead>
)
