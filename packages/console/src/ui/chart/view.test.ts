import { describe, expect, it } from 'vitest'
import { isolated, keyAction, panned, steppedPlace, zoomed } from './view.ts'

const HOUR = 3_600_000
const NOW = 100 * HOUR
const view = { fromMs: 90 * HOUR, toMs: 94 * HOUR }
const pressed = (key: string, more: object = {}) =>
  keyAction({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more })

describe('what is seen of time', () => {
  it('moves by half of itself, and stops at now with its width', () => {
    expect(panned(view, -0.5, NOW)).toEqual({ fromMs: 88 * HOUR, toMs: 92 * HOUR })
    expect(panned(view, 10, NOW)).toEqual({ fromMs: 96 * HOUR, toMs: 100 * HOUR })
  })
  it('a zoom keeps under the pointer what is there', () => {
    expect(zoomed(view, 0.5, 91 * HOUR, NOW)).toEqual({ fromMs: 90.5 * HOUR, toMs: 92.5 * HOUR })
    expect(zoomed(view, 2, 92 * HOUR, NOW)).toEqual({ fromMs: 88 * HOUR, toMs: 96 * HOUR })
  })
  it('is never narrower than ten seconds, nor reaches beyond now', () => {
    const narrow = zoomed(view, 1e-9, 92 * HOUR, NOW)
    expect(narrow.toMs - narrow.fromMs).toBeCloseTo(10_000, 3)
    expect(zoomed(view, 4, 94 * HOUR, NOW).toMs).toBeLessThanOrEqual(NOW)
  })
})

describe('keys of a chart', () => {
  it('arrows step, with Shift they move; plus, minus, ends, Escape', () => {
    expect([pressed('ArrowLeft'), pressed('ArrowRight', { shiftKey: true }), pressed('+'), pressed('-')]).toEqual([
      { type: 'step', by: -1 },
      { type: 'pan', share: 0.5 },
      { type: 'zoom', factor: 0.5 },
      { type: 'zoom', factor: 2 },
    ])
    expect([pressed('Home'), pressed('End'), pressed('Escape')]).toEqual([
      { type: 'edge', end: 'first' },
      { type: 'edge', end: 'last' },
      { type: 'back' },
    ])
  })
  it('leaves to the browser what is its own', () => {
    expect([pressed('+', { ctrlKey: true }), pressed('ArrowLeft', { altKey: true }), pressed('Tab')]).toEqual([
      null,
      null,
      null,
    ])
  })
  it('the cursor begins at the end that the arrow comes from and stays within what is seen', () => {
    expect([steppedPlace(null, 1, [3, 9]), steppedPlace(null, -1, [3, 9])]).toEqual([3, 8])
    expect([steppedPlace(8, 1, [3, 9]), steppedPlace(3, -1, [3, 9]), steppedPlace(5, 1, [3, 9])]).toEqual([8, 3, 6])
    expect(steppedPlace(null, 1, [4, 4])).toBeNull()
  })
})

describe('the legend', () => {
  const all = ['a', 'b', 'c']
  it('a click isolates, another one on it brings all back', () => {
    const alone = isolated(null, 'b', false, all)
    expect([...(alone ?? [])]).toEqual(['b'])
    expect(isolated(alone, 'b', false, all)).toBeNull()
    expect([...(isolated(alone, 'c', false, all) ?? [])]).toEqual(['c'])
  })
  it('Ctrl and a click adds and takes away; all of them is all', () => {
    const two = isolated(new Set(['b']), 'c', true, all)
    expect([...(two ?? [])]).toEqual(['b', 'c'])
    expect(isolated(two, 'a', true, all)).toBeNull()
    expect(isolated(new Set(['b']), 'b', true, all)).toBeNull()
  })
})
