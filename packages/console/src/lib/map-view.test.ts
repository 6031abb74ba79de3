import { describe, expect, it } from 'vitest'
import { AROUND_SCALE, FRANCE, panBy, pixelOf, pointAt, viewBetween, viewOf, zoomAt } from './map-view.ts'

const size = { width: 340, height: 320 }
const LYON = { latitude: 45.7606, longitude: 4.8596 }

describe('the view of a map', () => {
  it('begins with the whole of mainland France and Corsica', () => {
    const corners = [
      { latitude: 51.1, longitude: 2.5 },
      { latitude: 48.4, longitude: -4.8 },
      { latitude: 41.4, longitude: 9.2 },
      { latitude: 49, longitude: 8.2 },
    ]
    for (const corner of corners) {
      const [x, y] = pixelOf(FRANCE, size, corner)
      expect([x > 0 && x < size.width, y > 0 && y < size.height]).toEqual([true, true])
    }
  })
  it('gives back the point of a pixel to within that pixel', () => {
    const [x, y] = pixelOf(FRANCE, size, LYON)
    const again = pixelOf(FRANCE, size, pointAt(FRANCE, size, [x, y]))
    expect(Math.hypot(again[0] - x, again[1] - y)).toBeLessThan(0.5)
  })
  it('keeps the point under the pointer while it zooms, in and out', () => {
    const at = [120, 310] as const
    for (const factor of [3, 0.4]) {
      const zoomed = zoomAt(FRANCE, size, at, factor)
      const [x, y] = pixelOf(zoomed, size, pointAt(FRANCE, size, at))
      expect(Math.hypot(x - at[0], y - at[1])).toBeLessThan(2)
      expect(zoomed.scale / FRANCE.scale).toBeCloseTo(factor)
    }
  })
  it('goes from one view to another, in and out, without losing out of sight what both show', () => {
    const far = { centre: { latitude: 15, longitude: 40 }, scale: 150 }
    const near = { centre: LYON, scale: 90_000 }
    const shares = [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1]
    const start = pixelOf(far, size, LYON)
    for (const share of shares) {
      const [x, y] = pixelOf(viewBetween(far, near, share), size, LYON)
      expect(x).toBeCloseTo(start[0] + share * (size.width / 2 - start[0]))
      expect(y).toBeCloseTo(start[1] + share * (size.height / 2 - start[1]))
      const back = pixelOf(viewBetween(near, far, 1 - share), size, LYON)
      expect([back[0] - x, back[1] - y].map(Math.round).map(Math.abs)).toEqual([0, 0])
    }
    const fiji = { centre: { latitude: -17, longitude: 179.9 }, scale: 2_000 }
    const samoa = { centre: { latitude: -14, longitude: -172 }, scale: 2_000 }
    expect(viewBetween(fiji, samoa, 0.5).centre.longitude).toBeCloseTo(-176.05)
  })
  it('moves by what it is dragged, past the date line too', () => {
    const before = pixelOf(FRANCE, size, LYON)
    const after = pixelOf(panBy(FRANCE, size, [40, -25]), size, LYON)
    expect([after[0] - before[0], after[1] - before[1]].map(Math.round)).toEqual([40, -25])
    const fiji = { centre: { latitude: -17, longitude: 179.9 }, scale: 2_000 }
    expect(panBy(fiji, size, [-100, 0]).centre.longitude).toBeLessThan(-170)
  })
  it('has limits, and never leaves the world', () => {
    let view = FRANCE
    for (let step = 0; step < 60; step += 1) view = zoomAt(view, size, [0, 0], 2)
    expect(Number.isFinite(view.scale) && view.scale <= 1_500_000).toBe(true)
    for (let step = 0; step < 60; step += 1) view = panBy(zoomAt(view, size, [0, 0], 0.5), size, [0, 4_000])
    expect(Math.abs(view.centre.latitude)).toBeLessThanOrEqual(85)
    expect(pixelOf(FRANCE, size, { latitude: 90, longitude: 0 }).every(Number.isFinite)).toBe(true)
  })
  it('holds all the points it is asked for, and stays at a distance from a single one', () => {
    expect(viewOf([], size)).toBeNull()
    expect(viewOf([LYON], size)).toEqual({
      centre: { longitude: 4.8596, latitude: expect.closeTo(45.7606) },
      scale: AROUND_SCALE,
    })
    const reunion = { latitude: -20.9, longitude: 55.5 }
    const view = viewOf([LYON, reunion], size)
    for (const point of [LYON, reunion]) {
      const [x, y] = view === null ? [-1, -1] : pixelOf(view, size, point)
      expect(x > 0 && x < size.width && y > 0 && y < size.height).toBe(true)
    }
  })
})
