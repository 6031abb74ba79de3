import type { Severity } from '@narval/engine'
import { rankOf } from '../../lib/severity-rank.ts'
import type { Diagram, Rect } from './diagram-layout.ts'

/** The severity of what stands at a place of a diagram, by its middle; null: none is known. */
export interface Sign {
  readonly key: string
  readonly x: number
  readonly y: number
  readonly severity: Severity | null
  /** On the screen, however small the diagram is shown. */
  readonly px: number
}

/** Smaller, the shape of a problem is no more told from another; what is calm may be smaller. */
const PROBLEM_PX = 14
const CALM_PX = 9
/** Two may come so near, as a share of what would keep them apart: their corners are empty. */
const CLOSE = 0.75

const signOf = (key: string, { x, y, width, height }: Rect, severity: Severity | null): Sign => ({
  ...{ key, severity, x: x + width / 2, y: y + height / 2 },
  px: severity === null || severity === 'ok' ? CALM_PX : PROBLEM_PX,
})

/** What hosts, probes and groups have to say; an opened block is told by what stands in it. */
const allSigns = ({ boxes }: Diagram): Sign[] =>
  boxes.flatMap(({ box, cells, ...rect }) =>
    cells.length === 0
      ? [signOf(box.key, rect, box.severity)]
      : cells.map(({ node, ...cell }) => signOf(node.key, cell, node.severity)),
  )

/**
 * Signs over a diagram of which this scale leaves nothing to read: all that have room, and where they would cover one
 * another the worst, which comes last, to be painted over the others. Linear in their number.
 */
export const signsOf = (drawing: Diagram, scale: number): Sign[] => {
  const side = PROBLEM_PX / scale
  const cells = new Map<string, Sign[]>()
  const around = ({ x, y }: Sign): Sign[] =>
    [-1, 0, 1].flatMap(across =>
      [-1, 0, 1].flatMap(down => cells.get(`${Math.floor(x / side) + across},${Math.floor(y / side) + down}`) ?? []),
    )
  const isCovered = (sign: Sign): boolean =>
    around(sign).some(
      other => Math.hypot(other.x - sign.x, other.y - sign.y) * scale < ((other.px + sign.px) / 2) * CLOSE,
    )
  return allSigns(drawing)
    .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
    .filter(sign => {
      if (isCovered(sign)) return false
      const cell = `${Math.floor(sign.x / side)},${Math.floor(sign.y / side)}`
      cells.set(cell, [...(cells.get(cell) ?? []), sign])
      return true
    })
    .toReversed()
}
