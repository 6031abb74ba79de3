import type { Box, Folded } from './fold.ts'
import type { GraphNode } from './graph.ts'
import { type Layout, layOut } from './layout.ts'

const BOX = { width: 196, height: 34 }
export const CELL = { width: 168, height: 26 }
const HEAD = 30
const PAD = 6
const COLUMNS_MAX = 7

export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export interface DrawnCell extends Rect {
  readonly node: GraphNode
}
export interface DrawnBox extends Rect {
  readonly box: Box
  readonly layer: number
  readonly cells: readonly DrawnCell[]
}
export interface Diagram {
  readonly boxes: readonly DrawnBox[]
  readonly paths: readonly { readonly key: string; readonly from: string; readonly to: string; readonly d: string }[]
  readonly width: number
  readonly height: number
}

const columnsOf = (count: number): number => Math.min(COLUMNS_MAX, Math.ceil(Math.sqrt(count / 4)))

const sizeOf = ({ node, cells, open, kind, count }: Box): { readonly width: number; readonly height: number } => {
  if (node !== null || kind === 'branches' || !open) return BOX
  const columns = columnsOf(cells.length)
  const rows = Math.ceil(cells.length / columns) + (count > cells.length ? 1 : 0)
  return { width: Math.max(BOX.width, columns * CELL.width + 2 * PAD), height: HEAD + rows * CELL.height + PAD }
}

/** What the layout depends on: while it stays the same, so does the layout, whatever the states. */
export const shapeOf = ({ boxes, edges }: Folded): string =>
  JSON.stringify([
    boxes.map(box => [box.key, sizeOf(box).width, sizeOf(box).height]),
    edges.map(({ from, to }) => [from, to]),
  ])

export const layOutFolded = ({ boxes, edges }: Folded): Layout =>
  layOut(
    boxes.map(box => ({ key: box.key, ...sizeOf(box) })),
    edges,
  )

const pathOf = (points: Layout['lines'][number]): string => {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let [x, y] = first
  let d = `M${x} ${y}`
  for (const [toX, toY] of rest) {
    const bend = Math.max(16, (toX - x) / 2)
    d += toY === y ? `H${toX}` : `C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`
    x = toX
    y = toY
  }
  return d
}

/** Boxes and ways at their places, in the layout of their shape. */
export const diagramOf = ({ boxes, edges }: Folded, layout: Layout): Diagram => ({
  boxes: boxes.map(box => {
    const { x, y, layer } = layout.at.get(box.key) ?? { x: 0, y: 0, layer: 0 }
    const rows = Math.ceil(box.cells.length / columnsOf(box.cells.length))
    const cells = box.cells.map((node, index) => ({
      node,
      x: x + PAD + Math.floor(index / rows) * CELL.width,
      y: y + HEAD + (index % rows) * CELL.height,
      ...CELL,
    }))
    return { box, x, y, layer, ...sizeOf(box), cells }
  }),
  paths: edges.map(({ from, to }, index) => ({
    ...{ key: `${from} ${to}`, from, to },
    d: pathOf(layout.lines[index] ?? []),
  })),
  width: layout.width,
  height: layout.height,
})

/** What has the focus by turns: boxes, and the cells of opened ones. */
export interface Stop extends Rect {
  readonly key: string
  readonly parents: readonly string[]
}

export const stopsOf = ({ boxes }: Diagram): Stop[] =>
  boxes.flatMap(({ box, cells, ...rect }) => [
    {
      key: box.key,
      parents: box.parents,
      x: rect.x,
      y: rect.y,
      width: rect.width,
      height: cells.length > 0 ? HEAD : rect.height,
    },
    ...cells.map(({ node, ...cell }) => ({ ...cell, key: node.key, parents: [box.key] })),
  ])

const middle = ({ x, y, width, height }: Rect): readonly [number, number] => [x + width / 2, y + height / 2]

/** Where an arrow leads: left to what it hangs on, right to what hangs on it, up and down to its neighbour. */
export const stepFrom = (stops: readonly Stop[], key: string, arrow: string): string | null => {
  const from = stops.find(stop => stop.key === key)
  if (from === undefined) return stops[0]?.key ?? null
  if (arrow === 'ArrowLeft') return from.parents[0] ?? null
  if (arrow === 'ArrowRight') return stops.find(({ parents }) => parents.includes(key))?.key ?? null
  const [x, y] = middle(from)
  let best: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const stop of stops) {
    const [toX, toY] = middle(stop)
    const down = (toY - y) * (arrow === 'ArrowDown' ? 1 : -1)
    if (down <= 0.5 || stop.key === key) continue
    // Rather far below than aside.
    const distance = down + Math.abs(toX - x) * 6
    if (distance < least) {
      least = distance
      best = stop.key
    }
  }
  return best
}
