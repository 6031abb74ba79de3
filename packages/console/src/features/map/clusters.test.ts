import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepOf, worldOf } from '../../lib/map-view.ts'
import { worstOf } from '../../lib/severity-rank.ts'
import { countStates, MARK_APART_PX, markSites, type PlacedSite } from './clusters.ts'

const site = (id: number, latitude: number, longitude: number, over: Partial<PlacedSite> = {}): PlacedSite => ({
  ...{ id, name: `S${id}`, code: `S${id}`, parentId: null, typeId: null, typeName: null, typeIcon: null },
  ...{
    latitude,
    longitude,
    at: worldOf({ latitude, longitude }),
    partial: false,
    hosts: 1,
    severity: 'ok',
    state: 'ok',
  },
  counts: { error: 0, warning: 0, unknown: 0, ok: 1 },
  ...over,
})
const anySites = fc
  .array(fc.tuple(fc.double({ min: -80, max: 80, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true })), {
    maxLength: 120,
  })
  .map(places => places.map(([latitude, longitude], index) => site(index + 1, latitude, longitude)))
const anyScale = fc.double({ min: 60, max: 200_000, noNaN: true })
const apartPx = (a: PlacedSite['at'], b: PlacedSite['at'], scale: number): number => {
  const x = a[0] - b[0]
  return Math.hypot(x - 2 * Math.PI * Math.round(x / (2 * Math.PI)), a[1] - b[1]) * scale
}

describe('marks of sites', () => {
  it('hold every site once, and no two are nearer than 46 px, across the date line too', () => {
    fc.assert(
      fc.property(anySites, anyScale, (sites, scale) => {
        const marks = markSites(sites, scale)
        expect(marks.flatMap(mark => mark.sites.map(({ id }) => id)).toSorted((a, b) => a - b)).toEqual(
          sites.map(({ id }) => id),
        )
        for (const [index, mark] of marks.entries())
          for (const other of marks.slice(0, index))
            expect(apartPx(mark.at, other.at, scale)).toBeGreaterThanOrEqual(MARK_APART_PX * 0.999)
        for (const mark of marks)
          for (const one of mark.sites) expect(apartPx(one.at, mark.at, scale)).toBeLessThan(MARK_APART_PX)
      }),
      { numRuns: 150 },
    )
  })

  it('stay where they are while states change, and part as one zooms in', () => {
    const lyon = site(1, 45.76, 4.84, { hosts: 9 })
    const villeurbanne = site(2, 45.77, 4.88)
    const far = markSites([lyon, villeurbanne], 1_000)
    expect(far.map(({ key }) => key)).toEqual(['1-2'])
    expect(far[0]?.at).toEqual(lyon.at)
    const worse = markSites([lyon, { ...villeurbanne, state: 'error', severity: 'error' }], 1_000)
    expect(worse.map(({ key, at }) => [key, at])).toEqual(far.map(({ key, at }) => [key, at]))
    expect(markSites([lyon, villeurbanne], 120_000)).toHaveLength(2)
  })

  it('are told by the worst of their sites, those of which nothing is known left out', () => {
    const sites = [site(1, 0, 0), site(2, 0, 0, { state: null }), site(3, 0, 0, { state: 'warning' })]
    expect(worstOf(sites.map(({ state }) => state))).toBe('warning')
    expect(worstOf([null])).toBeNull()
    expect(countStates(sites)).toEqual({ error: 0, warning: 1, unknown: 0, ok: 1 })
  })

  it('are made for 1,000 sites within half a second of a busy machine, and not anew at each step of the wheel', () => {
    const sites = Array.from({ length: 1_000 }, (_, index) =>
      site(index + 1, 42 + (index % 90) / 10, -4 + (index % 120) / 10),
    )
    const startMs = performance.now()
    markSites(sites, 2_400)
    expect(performance.now() - startMs).toBeLessThan(500)
    expect(stepOf(1_100)).toBe(stepOf(1_400))
  })
})
