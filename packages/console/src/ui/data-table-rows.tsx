import { FlexRender } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import { table as words } from '../i18n/table.ts'
import { useSession } from '../lib/session.ts'
import classes from './data-table.module.css'
import { Tick } from './data-table-bulk.tsx'
import type { ListTable } from './data-table-columns.ts'
import type { SelectionHandle } from './data-table-selection.ts'
import type { RowLook, TableColumn } from './data-table-types.ts'

/** Heights of a row in the style sheet, px. */
const ROW_PX = { comfortable: 41, compact: 33 } as const
/** That of the density which the account has chosen. */
export const useRowHeight = (): number => ROW_PX[useSession().user?.density ?? 'comfortable']
/** Longer pages draw only the rows near the screen. */
const VIRTUAL_FROM = 60
const OVERSCAN = 12

interface RowsProps<T extends object> {
  readonly table: ListTable<T>
  readonly columns: readonly TableColumn<T>[]
  readonly look: RowLook<T>
  readonly grid: { readonly gridTemplateColumns: string }
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly firstIndex: number
  readonly selection: SelectionHandle | null
  /** The rows that may be ticked. */
  readonly page: readonly number[]
}

const INTERACTIVE = 'a, button, input, label, select, textarea, [role="button"]'
const isInteractive = (target: EventTarget, row: HTMLElement): boolean => {
  const hit = target instanceof Element ? target.closest(INTERACTIVE) : null
  return hit !== null && row.contains(hit)
}

/** A text cut by its column is whole on hover. */
const showWhole = (event: PointerEvent<HTMLElement>): void => {
  const cell = event.target instanceof Element ? event.target.closest('td') : null
  if (cell === null || cell.dataset.title !== undefined) return
  const cut =
    cell.scrollWidth > cell.clientWidth || (cell.dataset.wrap !== undefined && cell.scrollHeight > cell.clientHeight)
  if (cut) cell.title = cell.textContent ?? ''
  else cell.removeAttribute('title')
}

const MOVES: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: index => index + 1,
  ArrowUp: index => index - 1,
  PageDown: index => index + 10,
  PageUp: index => index - 10,
  Home: () => 0,
  End: (_, last) => last,
}

/** Rows of a list: one tab stop, arrows move, Enter or a click opens; long pages draw what the screen shows. */
export const DataTableRows = <T extends object>(props: RowsProps<T>) => {
  const { table, columns, look, grid, scroller, firstIndex, selection, page } = props
  const navigate = useNavigate()
  const rows = table.getRowModel().rows
  const last = rows.length - 1
  const rowPx = useRowHeight()
  const virtual = rows.length > VIRTUAL_FROM
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    enabled: virtual,
  })
  // Heights are remembered until it is told that they changed.
  useEffect(() => virtualizer.measure(), [rowPx])
  const body = useRef<HTMLTableSectionElement>(null)
  const [active, setActive] = useState(0)
  const wanted = useRef<number | null>(null)
  const items = virtual ? virtualizer.getVirtualItems().map(item => item.index) : rows.map((_, index) => index)
  const stop = items.includes(Math.min(active, last)) ? Math.min(active, last) : (items[0] ?? 0)

  useEffect(() => {
    if (wanted.current === null) return
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (row === null || row === undefined) return
    wanted.current = null
    row.focus()
  })

  const tickable = useMemo(() => new Set(page), [page])
  const open = (row: T, event: MouseEvent | KeyboardEvent): void => {
    const href = look.href?.(row)
    if (href === undefined) return
    if (event.ctrlKey || event.metaKey) window.open(href, '_blank', 'noopener')
    else void navigate(href)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>, row: T, index: number): void => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter') open(row, event)
    if (event.key === ' ' && selection !== null) {
      event.preventDefault()
      const id = Number(look.key(row))
      if (tickable.has(id)) selection.toggle(id, page, event.shiftKey)
    }
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(last, move(index, last)))
    wanted.current = next
    setActive(next)
    if (virtual) virtualizer.scrollToIndex(next)
  }
  const onClick = (event: MouseEvent<HTMLTableRowElement>, row: T): void => {
    // What a menu or a dialog of the row shows elsewhere is no click on the row.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
    const selecting = (window.getSelection()?.toString() ?? '') !== ''
    if (!selecting && !isInteractive(event.target, event.currentTarget)) open(row, event)
  }

  const before = virtual ? (virtualizer.getVirtualItems()[0]?.start ?? 0) : 0
  const after = virtual ? virtualizer.getTotalSize() - (virtualizer.getVirtualItems().at(-1)?.end ?? 0) : 0
  return (
    <tbody className={classes.body} ref={body} onPointerOver={showWhole}>
      {before > 0 && <tr aria-hidden style={{ display: 'block', height: before }} />}
      {items.map(index => {
        const row = rows[index]
        if (row === undefined) return null
        const linked = look.href !== undefined
        const id = Number(look.key(row.original))
        const ticked = selection?.isTicked(id) === true && tickable.has(id)
        return (
          <tr
            key={row.id}
            className={classes.row}
            style={grid}
            data-index={index}
            data-link={linked || undefined}
            data-edge={look.edge?.(row.original) ?? undefined}
            data-fresh={look.fresh?.(row.original) || undefined}
            data-muted={look.muted?.(row.original) || undefined}
            data-ticked={ticked || undefined}
            aria-selected={selection === null ? undefined : ticked}
            aria-rowindex={firstIndex + index + 2}
            tabIndex={linked ? (index === stop ? 0 : -1) : undefined}
            onFocus={() => setActive(index)}
            onClick={linked ? event => onClick(event, row.original) : undefined}
            onKeyDown={linked ? event => onKeyDown(event, row.original, index) : undefined}
          >
            {selection !== null && (
              <td className={classes.tickCell}>
                <Tick
                  checked={ticked}
                  disabled={!tickable.has(id)}
                  label={words.selectRow(look.name(row.original))}
                  onToggle={through => selection.toggle(id, page, through)}
                />
              </td>
            )}
            {row.getAllCells().map((cell, at) => (
              <td key={cell.id} className={classes.cell} data-align={columns[at]?.align} data-wrap={columns[at]?.wrap}>
                <FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        )
      })}
      {after > 0 && <tr aria-hidden style={{ display: 'block', height: after }} />}
    </tbody>
  )
}

const WIDTHS = ['72%', '48%', '60%', '84%', '55%']
/** The shape of rows to come; invisible for the first 300 ms. */
export const SkeletonRows = <T,>({
  columns,
  grid,
  count,
  ticks,
}: {
  ticks: boolean
  columns: readonly TableColumn<T>[]
  grid: RowsProps<object>['grid']
  count: number
}) => (
  <tbody className={`${classes.body} ${classes.waiting}`} aria-hidden>
    {Array.from({ length: count }, (_, row) => (
      <tr key={row} className={classes.row} style={grid}>
        {ticks && <td />}
        {columns.map((column, at) => (
          <td key={column.id} className={classes.cell} data-align={column.align}>
            <span className={classes.skeleton} style={{ width: WIDTHS[(row + at * 2) % WIDTHS.length] }} />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
)
