import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { TreeRow } from '../lib/tree-rows.ts'
import classes from './tree.module.css'

/** Height of a row in the style sheet, px. */
export const TREE_ROW = 40
const OVERSCAN = 10
const TYPE_AHEAD_MS = 700
const INDENT_PX = 20

interface TreeProps<T> {
  readonly label: string
  readonly rows: readonly TreeRow<T>[]
  readonly keyOf: (node: T) => number
  readonly nameOf: (node: T) => string
  /** Where a click or Enter leads. */
  readonly hrefOf: (node: T) => string
  /** Colour of the row's edge. */
  readonly edgeOf?: (node: T) => string | null
  readonly onToggle: (node: T, expanded: boolean) => void
  readonly children: (row: TreeRow<T>) => ReactNode
  readonly height: number
}

/**
 * A tree with one tab stop: arrows move, open and close, Home and End, letters jump to a name, Enter opens. Draws the
 * rows near the screen only, so that thousands cost nothing.
 */
export const Tree = <T,>(props: TreeProps<T>) => {
  const { label, rows, keyOf, nameOf, hrefOf, onToggle, height } = props
  const id = useId()
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const [activeKey, setActiveKey] = useState<number | null>(null)
  const typeAhead = useTypeAhead(rows, nameOf)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => TREE_ROW,
    overscan: OVERSCAN,
    getItemKey: index => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row.node)
    },
  })
  const found = rows.findIndex(row => keyOf(row.node) === activeKey)
  const active = Math.max(0, found)
  const items = virtualizer.getVirtualItems()
  const isDrawn = items.some(item => item.index === active)
  const [focused, setFocused] = useState(false)
  useEffect(() => {
    if (focused && rows.length > 0) virtualizer.scrollToIndex(active)
  }, [active, focused, virtualizer, rows.length])

  const go = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row !== undefined) setActiveKey(keyOf(row.node))
  }
  const open = (node: T, event: KeyboardEvent | MouseEvent): void => {
    if (event.ctrlKey || event.metaKey) window.open(hrefOf(node), '_blank', 'noopener')
    else void navigate(hrefOf(node))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active]
    if (row === undefined || event.altKey || (event.ctrlKey && event.key !== 'Enter')) return
    const page = Math.max(1, Math.floor(height / TREE_ROW) - 1)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (row.expanded === false ? onToggle(row.node, true) : row.expanded === true && go(active + 1)),
      ArrowLeft: () => (row.expanded === true ? onToggle(row.node, false) : go(parentIndex(rows, active))),
      Enter: () => open(row.node, event),
      '*': () => {
        for (const one of rows) if (one.level === row.level && one.expanded === false) onToggle(one.node, true)
      },
    }
    const jump = moves[event.key] ?? (event.key.length === 1 ? () => go(typeAhead(event.key, active)) : undefined)
    if (jump === undefined) return
    event.preventDefault()
    jump()
  }
  return (
    <div
      ref={scroller}
      className={classes.tree}
      style={{ height: Math.min(height, rows.length * TREE_ROW) }}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isDrawn ? `${id}-${keyOf0(rows[active], keyOf)}` : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <div className={classes.content} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(item => {
          const row = rows[item.index]
          if (row === undefined) return null
          return (
            <TreeItem
              key={item.key}
              {...props}
              id={`${id}-${keyOf(row.node)}`}
              row={row}
              top={item.start}
              active={item.index === active}
              onOpen={event => {
                setActiveKey(keyOf(row.node))
                open(row.node, event)
              }}
              onSelect={() => setActiveKey(keyOf(row.node))}
            />
          )
        })}
      </div>
    </div>
  )
}

const keyOf0 = <T,>(row: TreeRow<T> | undefined, keyOf: (node: T) => number): number =>
  row === undefined ? 0 : keyOf(row.node)

interface TreeItemProps<T> extends TreeProps<T> {
  readonly id: string
  readonly row: TreeRow<T>
  readonly top: number
  readonly active: boolean
  readonly onOpen: (event: MouseEvent) => void
  readonly onSelect: () => void
}

const TreeItem = <T,>(props: TreeItemProps<T>) => {
  const { id, row, top, active, edgeOf, onOpen, onSelect, onToggle, children } = props
  const { node, expanded } = row
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active item
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={expanded ?? undefined}
      aria-selected={active}
      className={classes.row}
      data-active={active || undefined}
      data-edge={edgeOf?.(node) ?? undefined}
      data-dim={!row.matches || undefined}
      style={{ transform: `translateY(${top}px)`, paddingInlineStart: 8 + (row.level - 1) * INDENT_PX }}
      onClick={onOpen}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: left and right arrows do it */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a pointer's shortcut */}
      <span
        className={classes.toggle}
        data-open={expanded === true || undefined}
        data-leaf={expanded === null || undefined}
        onClick={event => {
          if (expanded === null) return
          event.stopPropagation()
          onSelect()
          onToggle(node, !expanded)
        }}
      >
        {expanded !== null && <IconChevronRight size={16} aria-hidden />}
      </span>
      {children(row)}
    </div>
  )
}

const parentIndex = <T,>(rows: readonly TreeRow<T>[], index: number): number => {
  const level = rows[index]?.level ?? 1
  for (let at = index - 1; at >= 0; at -= 1) if ((rows[at]?.level ?? 0) < level) return at
  return index
}

/** The row whose name begins with what was typed within a moment, from the present one on and round. */
const useTypeAhead = <T,>(rows: readonly TreeRow<T>[], nameOf: (node: T) => string) => {
  const typed = useRef({ text: '', atMs: 0 })
  return (key: string, from: number): number => {
    const nowMs = performance.now()
    const text = (nowMs - typed.current.atMs < TYPE_AHEAD_MS ? typed.current.text : '') + key.toLocaleLowerCase('fr')
    typed.current = { text, atMs: nowMs }
    const start = text.length === 1 ? from + 1 : from
    for (let step = 0; step < rows.length; step += 1) {
      const at = (start + step) % rows.length
      const row = rows[at]
      if (row !== undefined && nameOf(row.node).toLocaleLowerCase('fr').startsWith(text)) return at
    }
    return from
  }
}
