import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LayoutBox, type LayoutEdge, layOut } from './layout.ts'

const boxes = (count: number, height = 34): LayoutBox[] =>
  Array.from({ length: count }, (_, index) => ({ key: `n${index}`, width: 150 + (index % 3) * 20, height }))
const edge = (from: number, to: number): LayoutEdge => ({ from: `n${from}`, to: `n${to}` })
const anyGraph = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { maxLength: 120 }))
  .map(([count, pairs]) => ({
    nodes: Array.from({ length: count }, (_, index) => ({
      key: `n${index}`,
      width: 160,
      height: 20 + (index % 7) * 30,
    })),
    pairs: pairs.filter(([a, b]) => a < count && b < count && a !== b),
  }))

const overlaps = (nodes: readonly LayoutBox[], at: ReturnType<typeof layOut>['at']): string[] =>
  nodes.flatMap((a, index) =>
    nodes.slice(0, index).flatMap(b => {
      const [one, two] = [at.get(a.key), at.get(b.key)]
      if (one === undefined || two === undefined) return ['unplaced']
      const meets =
        one.x < two.x + b.width &&
        two.x < one.x + a.width &&
        one.y < two.y + b.height - 0.01 &&
        two.y < one.y + a.height - 0.01
      return meets ? [`${a.key} ${b.key}`] : []
    }),
  )

describe('the layout of a topology', () => {
  it('puts every box right of all that it hangs on, and never one over another, whatever the graph', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodes, pairs }) => {
        const edges = pairs.map(([a, b]) => edge(Math.min(a, b), Math.max(a, b)))
        const { at, lines } = layOut(nodes, edges)
        expect(overlaps(nodes, at)).toEqual([])
        for (const [index, { from, to }] of edges.entries()) {
          expect(at.get(to)?.x).toBeGreaterThan((at.get(from)?.x ?? 0) + 160)
          expect(lines[index]?.length).toBeGreaterThanOrEqual(2)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('ends on circles, and still covers nothing', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodes, pairs }) => {
        const { at, height } = layOut(
          nodes,
          pairs.map(([a, b]) => edge(a, b)),
        )
        expect(at.size).toBe(nodes.length)
        expect(overlaps(nodes, at)).toEqual([])
        expect(Number.isFinite(height)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it('draws a tree without any crossing, each parent in the middle of its children', () => {
    const edges = Array.from({ length: 39 }, (_, index) => edge(Math.floor(index / 3), index + 1))
    const nodes = boxes(40)
    const { at } = layOut(nodes, edges)
    for (const [index, a] of edges.entries())
      for (const b of edges.slice(0, index)) {
        const [fromA, toA, fromB, toB] = [at.get(a.from), at.get(a.to), at.get(b.from), at.get(b.to)]
        if (fromA?.layer !== fromB?.layer || a.from === b.from) continue
        expect(Math.sign((fromA?.y ?? 0) - (fromB?.y ?? 0))).toBe(Math.sign((toA?.y ?? 0) - (toB?.y ?? 0)))
      }
    const children = [1, 2, 3].map(index => at.get(`n${index}`)?.y ?? 0)
    expect(at.get('n0')?.y).toBeCloseTo(children.reduce((sum, y) => sum + y, 0) / 3, 0)
  })

  it('lays 450 boxes with 600 edges out within 2 s of a busy machine', () => {
    const nodes = boxes(450)
    const edges = Array.from({ length: 600 }, (_, index) => {
      const to = 1 + (index % 449)
      return edge((to * 7 + index) % to, to)
    })
    layOut(nodes, edges)
    const startMs = performance.now()
    layOut(nodes, edges)
    expect(performance.now() - startMs).toBeLessThan(2_000)
  })
})
