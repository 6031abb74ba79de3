import { type RefObject, useEffect, useRef, useState } from 'react'
import type { GridLayout } from '../../lib/grid-layout.ts'
import { type HostCell, lookKey, lookOf } from '../../lib/host-cells.ts'
import { createPainter, type GridPainter, type GridWindow } from './painter.ts'

/** Another number each time that the page's colours change. */
const useScheme = (): number => {
  const [scheme, setScheme] = useState(0)
  useEffect(() => {
    const watcher = new MutationObserver(() => setScheme(before => before + 1))
    watcher.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => watcher.disconnect()
  }, [])
  return scheme
}

interface Painted {
  readonly layout: GridLayout
  readonly seen: GridWindow
  readonly scheme: number
  readonly looks: readonly string[]
  readonly current: number
}

const sameView = (a: Painted, b: Omit<Painted, 'looks' | 'current'>): boolean =>
  a.layout === b.layout &&
  a.scheme === b.scheme &&
  a.seen.top === b.seen.top &&
  a.seen.width === b.seen.width &&
  a.seen.height === b.seen.height

/** Keeps the canvas as the hosts are: all of it when the view moves, else the cells whose look changed and no other. */
export const usePainted = (
  canvas: RefObject<HTMLCanvasElement | null>,
  layout: GridLayout,
  hosts: readonly HostCell[],
  seen: GridWindow,
  current: number,
): void => {
  const painter = useRef<GridPainter | null>(null)
  const painted = useRef<Painted | null>(null)
  const scheme = useScheme()
  useEffect(() => {
    if (canvas.current === null) return
    painter.current ??= createPainter(canvas.current)
    const before = painted.current
    const looks = hosts.map(host => lookKey(lookOf(host)))
    painted.current = { layout, seen, scheme, looks, current }
    if (before?.scheme !== scheme) painter.current.forget()
    if (before === null || !sameView(before, { layout, seen, scheme }) || before.looks.length !== looks.length)
      return painter.current.all(layout, hosts, seen, current)
    const changed = new Set(looks.flatMap((look, index) => (look === before.looks[index] ? [] : index)))
    if (before.current !== current) changed.add(before.current)
    painter.current.cells(layout, hosts, seen, current, changed)
  }, [canvas, layout, hosts, seen, current, scheme])
}
