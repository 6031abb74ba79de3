import { SEVERITIES } from '@narval/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankOf } from '../../lib/severity-rank.ts'
import type { Diagram, DrawnBox } from './diagram-layout.ts'
import { signsOf } from './signs.ts'

const STATES = [...SEVERITIES, null]
type State = (typeof STATES)[number]

const nodeOf = (key: string, severity: State) => ({ key, name: key, severity, host: null, probe: null, parents: [] })
const boxAt = (key: string, x: number, y: number, severity: State): DrawnBox => ({
  box: {
    ...{ key, parents: [], node: nodeOf(key, severity), cells: [], count: 1, kind: 'one', open: true },
    severity,
  },
  ...{ layer: 0, cells: [], x, y, width: 196, height: 34 },
})
const diagram = (boxes: readonly DrawnBox[]): Diagram => ({ boxes, paths: [], width: 2_000, height: 2_000 })
/** As the layout puts them: 46 apart from top to bottom. */
const column = (states: readonly State[]): Diagram =>
  diagram(states.map((state, index) => boxAt(`b${index}`, 0, index * 46, state)))

const anyDiagram = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 1_500 }), fc.constantFrom(...STATES)), {
    maxLength: 80,
  })
  .map(places => diagram(places.map(([x, y, state], index) => boxAt(`b${index}`, x, y, state))))
const anyScale = fc.double({ min: 0.04, max: 0.42, noNaN: true })

describe('the signs of a topology seen from far', () => {
  it('leave none out that is not under a sign at least as bad, and never cover one another, whatever the scale', () => {
    fc.assert(
      fc.property(anyDiagram, anyScale, (drawing, scale) => {
        const signs = signsOf(drawing, scale)
        const apart = (a: { x: number; y: number }, b: { x: number; y: number }) =>
          Math.hypot(a.x - b.x, a.y - b.y) * scale
        for (const [index, sign] of signs.entries())
          for (const other of signs.slice(0, index))
            expect(apart(sign, other)).toBeGreaterThanOrEqual(((sign.px + other.px) / 2) * 0.75)
        for (const { box, x, y } of drawing.boxes) {
          const middle = { x: x + 98, y: y + 17 }
          const told = signs.some(sign => apart(sign, middle) < 14 && rankOf(sign.severity) <= rankOf(box.severity))
          expect([box.key, told]).toEqual([box.key, true])
        }
      }),
    )
  })
  it('are one for each host down to a quarter of its size, and the worst one of a crowd below, over the others', () => {
    const states: State[] = ['ok', 'error', 'warning', 'unknown', null, 'error', 'ok']
    expect(signsOf(column(states), 0.25).map(({ severity }) => severity)).toEqual(
      states.toSorted((a, b) => rankOf(b) - rankOf(a)),
    )
    expect(signsOf(column(['ok', 'unknown', 'error', 'warning', null]), 0.04).map(({ key }) => key)).toEqual(['b2'])
  })
  it('are larger for a problem than for what is calm', () => {
    const [ok, error] = signsOf(column(['ok', 'error']), 0.4)
    expect([error?.px, ok?.px]).toEqual([14, 9])
  })
  it('tell an opened block by what stands in it, a folded one by its worst', () => {
    const block = (isOpen: boolean): DrawnBox => ({
      ...boxAt('leaves:', 0, 0, 'error'),
      cells: isOpen
        ? [
            { node: nodeOf('h1', 'error'), x: 6, y: 30, width: 168, height: 26 },
            { node: nodeOf('h2', 'ok'), x: 6, y: 56, width: 168, height: 26 },
          ]
        : [],
    })
    expect(signsOf(diagram([block(true)]), 0.4).map(({ key, severity }) => [key, severity])).toEqual([
      ['h2', 'ok'],
      ['h1', 'error'],
    ])
    expect(signsOf(diagram([block(false)]), 0.4).map(({ key }) => key)).toEqual(['leaves:'])
  })
})
