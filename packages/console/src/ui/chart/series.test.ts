import { describe, expect, it } from 'vitest'
import { aligned, type ChartSeries, coloursOf, lonePlaces, panelsOf, placesIn, valueAt } from './series.ts'

const curve = (
  key: string,
  unit: ChartSeries['unit'],
  at: number[] = [],
  more: Partial<ChartSeries> = {},
): ChartSeries => {
  const value = at.map((_, index) => index)
  return { key, name: key, unit, states: null, data: { id: 1, unit, at, value, min: value, max: value }, ...more }
}

describe('curves of one chart', () => {
  it('one or two units share a panel, more have one each', () => {
    const two = panelsOf([curve('a', 'ms'), curve('b', 'ratio'), curve('c', 'ms')])
    expect(two.map(panel => [panel.scales.length, panel.series.length])).toEqual([[2, 3]])
    const three = panelsOf([curve('a', 'ms'), curve('b', 'ratio'), curve('c', 'ms'), curve('d', 'bytes')])
    expect(three.map(panel => panel.series.map(one => one.key))).toEqual([['a', 'c'], ['b'], ['d']])
  })
  it('states of other words are another scale', () => {
    const states = [
      { 0: 'ouvert', 1: 'fermé' },
      { 0: 'vide', 1: 'plein' },
    ]
    const panels = panelsOf(states.map((words, index) => curve(`s${index}`, 'code', [], { states: words })))
    expect(panels[0]?.scales).toHaveLength(2)
  })
  it('stand on one line of times: what was not measured then is no gap, what is missing is one', () => {
    const data = aligned([curve('a', 'ms', [0, 60_000, 120_000, 600_000]), curve('b', 'ms', [30_000])], 60_000)
    expect(data.at).toEqual([0, 30, 60, 120, 180, 600])
    expect(data.of.get('a')?.[0]).toEqual([0, undefined, 1, 2, null, 3])
    expect(data.of.get('b')?.[0]).toEqual([undefined, 0, undefined, undefined, undefined, undefined])
    expect([valueAt(data.of.get('a')?.[0], 1), valueAt(data.of.get('a')?.[0], 4)]).toEqual([0, null])
  })
  it('a gap stays one where another series was measured meanwhile', () => {
    const data = aligned(
      [curve('a', 'ms', [0, 60_000, 120_000, 600_000]), curve('b', 'ms', [300_000, 360_000])],
      60_000,
    )
    expect(data.at).toEqual([0, 60, 120, 180, 300, 360, 600])
    expect(data.of.get('a')?.[0]).toEqual([0, 1, 2, null, null, null, 3])
  })
  it('a value alone between two gaps is drawn as a point, and so is a single one', () => {
    expect(lonePlaces([1, 2, null, 3, undefined, null, 4, 5, null, 6])).toEqual([3, 9])
    expect([lonePlaces([7]), lonePlaces([undefined, 1, undefined, 2])]).toEqual([[0], []])
  })
  it('a comparison has the colour of its curve, and takes no other one away', () => {
    const colours = coloursOf([curve('a', 'ms'), curve('a:jour', 'ms', [], { before: 'a' }), curve('b', 'ms')], false)
    expect(colours.get('a:jour')).toBe(colours.get('a'))
    expect(colours.get('b')).not.toBe(colours.get('a'))
  })
  it('finds the times of a view, none where there is none', () => {
    expect(placesIn([0, 30, 60, 120], { fromMs: 20_000, toMs: 60_000 })).toEqual([1, 3])
    expect(placesIn([0, 30], { fromMs: 40_000, toMs: 60_000 })).toEqual([0, 0])
  })
})
