import { Link } from 'react-router'
import { table as words } from '../i18n/table.ts'
import classes from './data-table.module.css'
import { Tick } from './data-table-bulk.tsx'
import type { SelectionHandle } from './data-table-selection.ts'
import type { RowLook, TableColumn } from './data-table-types.ts'

interface CardsProps<T extends object> {
  readonly rows: readonly T[]
  readonly columns: readonly TableColumn<T>[]
  readonly look: RowLook<T>
  readonly label: string
  readonly selection: SelectionHandle | null
  /** The rows that may be ticked. */
  readonly page: readonly number[]
}

const withPlace = <T,>(columns: readonly TableColumn<T>[], place: TableColumn<T>['card']): readonly TableColumn<T>[] =>
  columns.filter(column => (column.card ?? 'line') === place)

/** Rows on a narrow screen: one card each, the whole of it opens. */
export const DataTableCards = <T extends object>({ rows, columns, look, label, selection, page }: CardsProps<T>) => {
  const titles = withPlace(columns, 'title')
  const corners = withPlace(columns, 'corner')
  const lines = withPlace(columns, 'line')
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map(row => {
        const href = look.href?.(row)
        const title = titles.map((column, at) => (
          <span key={column.id}>
            {at > 0 && ' · '}
            {column.cell(row)}
          </span>
        ))
        return (
          <li
            key={look.key(row)}
            className={classes.cardRow}
            data-edge={look.edge?.(row) ?? undefined}
            data-fresh={look.fresh?.(row) || undefined}
            data-muted={look.muted?.(row) || undefined}
          >
            <div className={classes.cardHead}>
              {selection !== null && (
                <div className={classes.cardTick}>
                  <Tick
                    checked={selection.isTicked(Number(look.key(row))) && page.includes(Number(look.key(row)))}
                    disabled={!page.includes(Number(look.key(row)))}
                    label={words.selectRow(look.name(row))}
                    onToggle={through => selection.toggle(Number(look.key(row)), page, through)}
                  />
                </div>
              )}
              <div className={classes.cardTitle}>
                {href === undefined ? (
                  title
                ) : (
                  <Link className={classes.cardLink} to={href}>
                    {title}
                  </Link>
                )}
              </div>
              <div className={classes.cardCorner}>
                {corners.map(column => (
                  <span key={column.id}>{column.cell(row)}</span>
                ))}
              </div>
            </div>
            <dl className={classes.cardLines}>
              {lines.map(column => (
                <CardLine key={column.id} column={column} row={row} />
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

const CardLine = <T,>({ column, row }: { column: TableColumn<T>; row: T }) => {
  const content = column.cell(row)
  if (content === null || content === '' || content === undefined) return null
  return (
    <>
      <dt>{column.header}</dt>
      <dd>{content}</dd>
    </>
  )
}
