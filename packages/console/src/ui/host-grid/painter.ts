import { cellAt, type GridLayout } from '../../lib/grid-layout.ts'
import { type CellLook, type CellShape, type HostCell, lookKey, lookOf } from '../../lib/host-cells.ts'
import { SHAPES } from '../severity-shapes.ts'

/** What is seen of the grid: px scrolled, and the size of the window on it. */
export interface GridWindow {
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface GridPainter {
  /** Draws all that is seen. */
  all(layout: GridLayout, hosts: readonly HostCell[], seen: GridWindow, current: number): void
  /** Draws these cells again, where they are seen. */
  cells(
    layout: GridLayout,
    hosts: readonly HostCell[],
    seen: GridWindow,
    current: number,
    indexes: Iterable<number>,
  ): void
  /** The colours have changed. */
  forget(): void
}

const BOX = 16
const colorOf = (shape: CellShape): string =>
  shape === 'pending' || shape === 'disabled' ? '--text-secondary' : `--${shape}`

/** Draws cells from pictures made once for each look: 10,000 of them cost some milliseconds. */
export const createPainter = (canvas: HTMLCanvasElement): GridPainter => {
  const pictures = new Map<string, HTMLCanvasElement>()
  const style = (name: string): string => getComputedStyle(canvas).getPropertyValue(name).trim()

  const pictureOf = (look: CellLook, side: number, ratio: number): HTMLCanvasElement => {
    const key = `${lookKey(look)} ${side} ${ratio}`
    const known = pictures.get(key)
    if (known !== undefined) return known
    const made = document.createElement('canvas')
    made.width = made.height = Math.ceil(side * ratio)
    const context = made.getContext('2d')
    if (context !== null) drawLook(context, look, made.width, style)
    pictures.set(key, made)
    return made
  }

  const context = canvas.getContext('2d')
  const ratioNow = (): number => Math.max(1, globalThis.devicePixelRatio || 1)
  const one = (
    layout: GridLayout,
    host: HostCell | undefined,
    index: number,
    seen: GridWindow,
    current: number,
  ): void => {
    const at = cellAt(layout, index)
    if (context === null || host === undefined || at === null) return
    const y = at.y - seen.top
    const { side } = layout
    if (y + side < 0 || y > seen.height) return
    context.clearRect(at.x - 2, y - 2, side + 4, side + 4)
    context.drawImage(pictureOf(lookOf(host), side, ratioNow()), at.x, y, side, side)
    if (index !== current) return
    context.strokeStyle = style('--focus')
    context.lineWidth = 2
    context.strokeRect(at.x - 1, y - 1, side + 2, side + 2)
  }
  return {
    all(layout, hosts, seen, current) {
      const ratio = ratioNow()
      const [width, height] = [Math.ceil(seen.width * ratio), Math.ceil(seen.height * ratio)]
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      context?.setTransform(ratio, 0, 0, ratio, 0, 0)
      context?.clearRect(0, 0, seen.width, seen.height)
      for (const { first, count, cellsTop } of layout.groups) {
        const rowOf = (px: number): number => Math.floor((px - cellsTop) / layout.pitch)
        const from = Math.max(0, rowOf(seen.top) * layout.columns)
        const until = Math.min(count, (rowOf(seen.top + seen.height) + 1) * layout.columns)
        for (let place = from; place < until; place++) one(layout, hosts[first + place], first + place, seen, -1)
      }
      one(layout, hosts[current], current, seen, current)
    },
    cells(layout, hosts, seen, current, indexes) {
      for (const index of indexes) one(layout, hosts[index], index, seen, -1)
      one(layout, hosts[current], current, seen, current)
    },
    forget: () => pictures.clear(),
  }
}

/** The severity's own shape and mark; hollow: taken care of; a bar under it: in maintenance. */
const drawLook = (
  context: CanvasRenderingContext2D,
  { shape, hollow, marked }: CellLook,
  size: number,
  style: (name: string) => string,
): void => {
  const color = style(colorOf(shape))
  const drawn = marked ? size * 0.8 : size
  context.save()
  context.translate((size - drawn) / 2, 0)
  context.scale(drawn / BOX, drawn / BOX)
  context.fillStyle = context.strokeStyle = color
  context.lineCap = context.lineJoin = 'round'
  if (shape === 'pending' || shape === 'disabled') drawRing(context, shape)
  else {
    const outline = new Path2D(SHAPES[shape].outline)
    context.lineWidth = 1.6
    if (hollow) context.stroke(outline)
    else context.fill(outline)
    context.strokeStyle = hollow ? color : style('--on-severity')
    context.lineWidth = 1.9
    context.stroke(new Path2D(SHAPES[shape].mark))
  }
  context.restore()
  if (!marked) return
  context.fillStyle = style('--maintenance')
  context.fillRect(size * 0.08, size * 0.87, size * 0.84, Math.max(2, size * 0.13))
}

const drawRing = (context: CanvasRenderingContext2D, shape: 'pending' | 'disabled'): void => {
  context.lineWidth = 2
  context.setLineDash(shape === 'pending' ? [3, 2.3] : [])
  context.beginPath()
  context.arc(8, 8, 6, 0, Math.PI * 2)
  context.stroke()
  context.setLineDash([])
}
