import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPlace, parsePlace } from './map-place.ts'
import { bounded, FRANCE, pixelOf } from './map-view.ts'

const size = { width: 1_100, height: 700 }

describe('the place of a map in an address', () => {
  it('is latitude, longitude and zoom, as short as they can be', () => {
    expect(formatPlace(FRANCE)).toBe('46.6_2.4_4.82')
    expect(formatPlace({ centre: { latitude: -20.88123456, longitude: 55.45 }, scale: 90_000 })).toBe(
      '-20.8812_55.45_11.11',
    )
    expect(formatPlace({ centre: { latitude: -1e-9, longitude: 0 }, scale: 60 })).toBe('0_0_0.56')
  })
  it('brings back the same view: its centre to within 1.2 px, its edges to within 4', () => {
    const view = fc.record({
      centre: fc.record({
        latitude: fc.double({ min: -60, max: 60, noNaN: true }),
        longitude: fc.double({ min: -180, max: 179.99, noNaN: true }),
      }),
      scale: fc.double({ min: 60, max: 1_500_000, noNaN: true }),
    })
    fc.assert(
      fc.property(view, asked => {
        const again = parsePlace(formatPlace(asked))
        expect(again).not.toBeNull()
        if (again === null) return
        const [x, y] = pixelOf(again, size, asked.centre)
        expect(Math.hypot(x - size.width / 2, y - size.height / 2)).toBeLessThan(1.2)
        expect(Math.abs(again.scale / asked.scale - 1) * (size.width / 2)).toBeLessThan(4)
      }),
    )
  })
  it('ignores what no map shows', () => {
    const bad = [null, '', 'Lyon', '45', '45_4', '45_4_', '45_4_9_1', '91_4_9', '-85.1_4_9', '45_181_9', '45_4_21']
    for (const text of [
      ...bad,
      '45_4_-1',
      'NaN_4_9',
      '4e1_4_9',
      ' 45_4_9',
      '45;4;9',
      '45.1234567_4_9',
      '1'.repeat(999),
    ])
      expect([text, parsePlace(text)]).toEqual([text, null])
  })
  it('keeps within what a map shows what is only too near or too far', () => {
    const far = parsePlace('45_4_0')
    const near = parsePlace('45_4_20')
    if (far === null || near === null) throw new Error('not read')
    expect(bounded(far, size).scale).toBeCloseTo(size.width / (2 * Math.PI))
    expect(bounded(near, size)).toEqual({
      centre: { latitude: expect.closeTo(45), longitude: expect.closeTo(4) },
      scale: 1_500_000,
    })
  })
})
