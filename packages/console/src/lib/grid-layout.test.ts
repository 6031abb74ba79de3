import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellAt, GRID_KEYS, hitCell, layoutGrid, sideThatFits, stepCell } from './grid-layout.ts'

const SIZES = { width: 100, side: 20, gap: 5, headPx: 30, betweenPx: 10 }

describe('the grid of hosts', () => {
  it('has as many columns as fit, and starts each group under its name', () => {
    const layout = layoutGrid([5, 1], SIZES)
    expect(layout).toMatchObject({ columns: 4, count: 6, pitch: 25, height: 30 + 45 + 10 + 30 + 20 })
    expect([0, 3, 4, 5].map(index => cellAt(layout, index))).toEqual([
      { x: 0, y: 30 },
      { x: 75, y: 30 },
      { x: 0, y: 55 },
      { x: 0, y: 115 },
    ])
    expect([-1, 6].map(index => cellAt(layout, index))).toEqual([null, null])
  })

  it('puts small groups side by side, each under its name, and lets a large one have more rows', () => {
    const counts = [10, 10, 10, 10, 10, 10, 10, 10, 10, 25]
    const layout = layoutGrid(counts, { ...SIZES, width: 22 * 25 })
    expect(layout).toMatchObject({ columns: 10, blockWidth: 245 })
    expect(layout.groups.map(({ left, top }) => [left, top]).slice(0, 4)).toEqual([
      [0, 0],
      [275, 0],
      [0, 60],
      [275, 60],
    ])
    expect(layout.groups.at(-1)).toMatchObject({ left: 275, rows: 3 })
    expect(stepCell(layout, 3, 'ArrowDown')).toBe(23)
    expect(stepCell(layout, 23, 'ArrowUp')).toBe(3)
  })

  it('finds under a point the cell that is drawn there, and none between cells', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(40), { maxLength: 6 }),
        fc.integer({ min: 10, max: 400 }),
        fc.integer({ min: 4, max: 40 }),
        (counts, width, side) => {
          const layout = layoutGrid(counts, { ...SIZES, width, side })
          for (let index = 0; index < layout.count; index++) {
            const { x, y } = cellAt(layout, index) ?? { x: Number.NaN, y: Number.NaN }
            expect(hitCell(layout, x, y)).toBe(index)
            expect(hitCell(layout, x + side - 1, y + side - 1)).toBe(index)
            expect(hitCell(layout, x + side, y)).toBeNull()
            expect(hitCell(layout, x, y + side)).toBeNull()
          }
        },
      ),
    )
  })

  it('keys always lead to a cell that exists; left undoes right, every cell is reached by right alone', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), fc.nat(200), (counts, seed) => {
        const layout = layoutGrid(counts, SIZES)
        if (layout.count === 0) {
          expect(stepCell(layout, -1, 'End')).toBe(-1)
          return
        }
        const from = seed % layout.count
        for (const key of GRID_KEYS) expect(cellAt(layout, stepCell(layout, from, key))).not.toBeNull()
        if (from < layout.count - 1)
          expect(stepCell(layout, stepCell(layout, from, 'ArrowRight'), 'ArrowLeft')).toBe(from)
      }),
    )
  })

  it('down keeps the column, into a shorter last row and into the next group', () => {
    const layout = layoutGrid([6, 0, 3], SIZES)
    expect([0, 3, 5, 2].map(from => stepCell(layout, from, 'ArrowDown'))).toEqual([4, 5, 7, 5])
    expect([4, 7, 8].map(from => stepCell(layout, from, 'ArrowUp'))).toEqual([0, 5, 5])
    expect([stepCell(layout, 1, 'PageDown'), stepCell(layout, 7, 'PageUp'), stepCell(layout, 6, 'PageUp')]).toEqual([
      6, 6, 0,
    ])
  })

  it('the largest cells that fit are chosen, never smaller than the least', () => {
    const sizes = { width: 1_000, gap: 2, headPx: 20, betweenPx: 8, height: 500, least: 4, most: 60 }
    const side = sideThatFits([300, 200], sizes)
    expect(layoutGrid([300, 200], { ...sizes, side }).height).toBeLessThanOrEqual(500)
    expect(layoutGrid([300, 200], { ...sizes, side: side + 1 }).height).toBeGreaterThan(500)
    expect(sideThatFits([100_000], sizes)).toBe(4)
  })
})
