import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import {
  cellAt,
  GRID_KEYS,
  type GridGroup,
  type GridLayout,
  hitCell,
  layoutGrid,
  type PlacedGroup,
  stepCell,
} from '../../lib/grid-layout.ts'
import type { HostCell } from '../../lib/host-cells.ts'
import hiding from '../hidden.module.css'
import classes from './host-grid.module.css'
import type { GridWindow } from './painter.ts'
import { usePainted } from './use-painted.ts'

interface HostGridProps {
  readonly groups: readonly GridGroup<HostCell>[]
  readonly label: string
  /** How one moves and opens, said to those who do not see the grid. */
  readonly help: string
  /** Px of a cell's side. */
  readonly side: number
  /** Height of the window on the grid, px. */
  readonly height: number
  /** « 12 équipements », beside a group's name. */
  readonly noun: (count: number) => string
  /** A host in one sentence, as it is announced. */
  readonly announce: (host: HostCell, place: number, of: number) => string
  readonly onOpen: (host: HostCell) => void
  /** What is shown of the host under the pointer or the focus. */
  readonly card: (host: HostCell) => ReactNode
}

export const GRID_SIZES = { gap: 4, headPx: 28, betweenPx: 14 } as const
/** The card's largest size, px: it stays inside the grid. */
const CARD = { width: 300, height: 168 }

/** Hosts as cells on a canvas, thousands of them, by pointer and by keyboard. */
export const HostGrid = ({ groups, label, help, side, height, noun, announce, onOpen, card }: HostGridProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const seen = useGridWindow(scroller, height)
  const hosts = useMemo(() => groups.flatMap(group => group.hosts), [groups])
  const counts = groups.map(group => group.hosts.length).join(',')
  const layout = useMemo(
    () =>
      layoutGrid(counts === '' ? [] : counts.split(',').map(Number), { ...GRID_SIZES, width: seen.width - 4, side }),
    [counts, seen.width, side],
  )
  // By its id: the same host stays current when others come, go or change places.
  const [currentId, setCurrentId] = useState<number | null>(null)
  const [focused, setFocused] = useState(false)
  const [hovered, setHovered] = useState<number | null>(null)
  const current = currentId === null ? -1 : hosts.findIndex(host => host.id === currentId)
  const marked = focused ? Math.max(current, hosts.length > 0 ? 0 : -1) : -1
  usePainted(canvas, layout, hosts, seen, marked)
  const shown = hosts[hovered ?? marked]
  const goTo = (index: number): void => {
    setHovered(null)
    setCurrentId(hosts[index]?.id ?? null)
    bringIntoSight(scroller.current, layout, index)
  }
  const press = (event: KeyboardEvent): void => {
    const key = GRID_KEYS.find(one => one === event.key)
    if (key !== undefined) goTo(stepCell(layout, marked, key))
    else if (event.key === 'Escape' && hovered !== null) setHovered(null)
    else if ((event.key === 'Enter' || event.key === ' ') && hosts[marked] !== undefined) onOpen(hosts[marked])
    else return
    event.preventDefault()
  }
  const under = (event: { readonly clientX: number; readonly clientY: number }): number | null => {
    const box = canvas.current?.getBoundingClientRect()
    return box === undefined ? null : hitCell(layout, event.clientX - box.left, event.clientY - box.top + seen.top)
  }
  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        className={classes.scroller}
        style={{ height: Math.min(height, layout.height + 4) }}
        role="application"
        aria-label={label}
        aria-description={help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys.
        tabIndex={0}
        data-pointing={hovered !== null || undefined}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onKeyDown={press}
        onPointerMove={event => setHovered(under(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={event => {
          const index = under(event)
          if (index !== null && hosts[index] !== undefined) onOpen(hosts[index])
        }}
      >
        <div className={classes.whole} style={{ height: layout.height }}>
          <canvas ref={canvas} className={classes.canvas} style={{ width: seen.width, height: seen.height }} />
          <Heads groups={groups} layout={layout} seen={seen} noun={noun} />
        </div>
      </div>
      {shown !== undefined && (
        <Card layout={layout} seen={seen} index={hovered ?? marked}>
          {card(shown)}
        </Card>
      )}
      <div className={hiding.hidden} role="status">
        {focused && hosts[marked] !== undefined && announce(hosts[marked], marked + 1, hosts.length)}
      </div>
    </div>
  )
}

/** What is seen of the grid; it follows scrolling once a frame. */
const useGridWindow = (scroller: { readonly current: HTMLDivElement | null }, height: number): GridWindow => {
  const [seen, setSeen] = useState<GridWindow>({ top: 0, width: 0, height })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let frame = 0
    const look = (): void => {
      frame = 0
      const next = { top: element.scrollTop, width: element.clientWidth, height: element.clientHeight }
      setSeen(before =>
        before.top === next.top && before.width === next.width && before.height === next.height ? before : next,
      )
    }
    const soon = (): void => {
      frame ||= requestAnimationFrame(look)
    }
    const sized = new ResizeObserver(soon)
    sized.observe(element)
    element.addEventListener('scroll', soon, { passive: true })
    look()
    return () => {
      cancelAnimationFrame(frame)
      sized.disconnect()
      element.removeEventListener('scroll', soon)
    }
  }, [scroller])
  return seen
}

const bringIntoSight = (element: HTMLElement | null, layout: GridLayout, index: number): void => {
  const at = cellAt(layout, index)
  if (element === null || at === null) return
  const { scrollTop, clientHeight } = element
  if (at.y - GRID_SIZES.headPx < scrollTop) element.scrollTop = at.y - GRID_SIZES.headPx
  else if (at.y + layout.side + 4 > scrollTop + clientHeight) element.scrollTop = at.y + layout.side + 4 - clientHeight
}

interface HeadsProps {
  readonly groups: readonly GridGroup<HostCell>[]
  readonly layout: GridLayout
  readonly seen: GridWindow
  readonly noun: (count: number) => string
}

/** Names of the groups that are seen. */
const Heads = ({ groups, layout, seen, noun }: HeadsProps) => {
  const isSeen = ({ top }: PlacedGroup): boolean => top > seen.top - 40 && top < seen.top + seen.height
  return layout.groups.map((placed, index) => {
    const group = groups[index]
    return group === undefined || !isSeen(placed) ? null : (
      <p
        key={group.key}
        className={classes.head}
        style={{ top: placed.top, left: placed.left, maxWidth: layout.blockWidth }}
      >
        <strong>{group.name}</strong> <span>{noun(group.hosts.length)}</span>
      </p>
    )
  })
}

interface CardProps {
  readonly layout: GridLayout
  readonly seen: GridWindow
  readonly index: number
  readonly children: ReactNode
}

/** Beside its cell, where there is room. */
const Card = ({ layout, seen, index, children }: CardProps) => {
  const at = cellAt(layout, index)
  if (at === null) return null
  const y = at.y - seen.top
  const below = y + layout.side + 8
  const top = below + CARD.height > seen.height && y > CARD.height ? y - CARD.height - 8 : below
  const left = Math.max(0, Math.min(at.x, seen.width - CARD.width))
  return (
    <div className={classes.card} style={{ left, top }} data-above={top < y || undefined}>
      {children}
    </div>
  )
}
