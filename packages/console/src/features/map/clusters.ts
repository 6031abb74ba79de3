import type { SiteNode } from '@narval/contracts'
import { SEVERITIES, type Severity } from '@narval/engine'
import { type WorldPoint, worldOf } from '../../lib/map-view.ts'
import { rankOf } from '../../lib/severity-rank.ts'

/** A site that has a place; `severity` is null where no equipment says anything. */
export interface PlacedSite extends SiteNode {
  readonly latitude: number
  readonly longitude: number
  readonly at: WorldPoint
  readonly state: Severity | null
}

/** What stands at one place of the map: a site, or several that would cover one another. */
export interface Mark {
  readonly key: string
  readonly at: WorldPoint
  /** The largest first: it gives the place. */
  readonly sites: readonly PlacedSite[]
}

/** No two marks are nearer than that, px. */
export const MARK_APART_PX = 46

const isPlaced = (site: SiteNode): site is SiteNode & { latitude: number; longitude: number } =>
  site.latitude !== null && site.longitude !== null

/** The state that a site's colour tells: that of its own equipment; null: nothing says anything of it. */
export const stateOf = ({ counts, severity }: Pick<SiteNode, 'counts' | 'severity'>): Severity | null =>
  SEVERITIES.some(one => counts[one] > 0) ? severity : null

/** Sites with and without a place. */
export const placeSites = (sites: readonly SiteNode[]) => {
  const placed = sites.filter(isPlaced).map(site => ({ ...site, at: worldOf(site), state: stateOf(site) }))
  return { placed, unplaced: sites.filter(site => !isPlaced(site)) }
}

const COLLATOR = new Intl.Collator('fr', { numeric: true })
/** The worst first, then by name. */
export const byWorst = (a: PlacedSite, b: PlacedSite): number =>
  rankOf(a.state) - rankOf(b.state) || COLLATOR.compare(a.name, b.name)

/** How many of these sites are in each state; those of which nothing is known are not counted. */
export const countStates = (sites: readonly { readonly state: Severity | null }[]) => {
  const counts = { error: 0, warning: 0, unknown: 0, ok: 0 }
  for (const { state } of sites) if (state !== null) counts[state] += 1
  return counts
}

const TURN = 2 * Math.PI

/**
 * Puts sites that would cover one another at this scale under one mark, at the place of the largest. Does not depend on
 * states, so that marks stay where they are while these change. Linear in the number of sites.
 */
export const markSites = (sites: readonly PlacedSite[], scale: number): Mark[] => {
  const apart = MARK_APART_PX / scale
  const columns = Math.max(1, Math.floor(TURN / apart))
  const cells = new Map<string, PlacedSite[]>()
  const groups = new Map<PlacedSite, PlacedSite[]>()
  const cellOf = ({ at: [x, y] }: PlacedSite): readonly [number, number] => [
    Math.floor(((x + Math.PI) / TURN) * columns) % columns,
    Math.floor(y / apart),
  ]
  const nearest = (site: PlacedSite): PlacedSite | null => {
    const [column, row] = cellOf(site)
    let best: PlacedSite | null = null
    let least = apart
    for (const across of new Set([-1, 0, 1].map(by => (column + by + columns) % columns)))
      for (let down = row - 1; down <= row + 1; down += 1)
        for (const seed of cells.get(`${across},${down}`) ?? []) {
          const x = seed.at[0] - site.at[0]
          const distance = Math.hypot(x - TURN * Math.round(x / TURN), seed.at[1] - site.at[1])
          if (distance >= least) continue
          least = distance
          best = seed
        }
    return best
  }
  for (const site of sites.toSorted((a, b) => b.hosts - a.hosts || a.id - b.id)) {
    const seed = nearest(site)
    if (seed !== null) {
      groups.get(seed)?.push(site)
      continue
    }
    const cell = cellOf(site).join(',')
    cells.set(cell, [...(cells.get(cell) ?? []), site])
    groups.set(site, [site])
  }
  return [...groups].map(([seed, group]) => ({ key: `${seed.id}-${group.length}`, at: seed.at, sites: group }))
}
