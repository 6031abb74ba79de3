import { isSiteClaim } from '@narval/contracts'
import type { Place } from '../../http/caller.ts'

/** What a group gives, and where (sites under those it names included); null: everywhere. */
export interface ScopedGroup {
  readonly claims: readonly string[]
  readonly place: Place | null
}

/** What an account may do, where it reads, and which claims it holds in fewer places than that. */
export interface Scope {
  readonly claims: ReadonlySet<string>
  /** Null: everywhere. */
  readonly place: Place | null
  readonly limits: ReadonlyMap<string, Place>
}

/**
 * Scopes of groups unite: one reads what any of them reads, and holds a claim wherever one of them gives it; a group
 * without limit reaches everywhere, and so does who has no group. Own claims hold on all that one reads, `admin` on all.
 * Who does not read everything has no claim on the whole platform: it would tell of what is hidden.
 */
export const scopeOf = (given: ReadonlySet<string>, own: readonly string[], groups: readonly ScopedGroup[]): Scope => {
  const place = given.has('admin') || groups.length === 0 ? null : union(groups)
  const claims = place === null ? given : new Set([...given].filter(isSiteClaim))
  if (given.has('admin')) return { claims, place, limits: new Map() }
  const limits = new Map<string, Place>()
  for (const claim of claims) {
    const held = own.includes(claim) ? place : union(groups.filter(group => group.claims.includes(claim)))
    if (held !== null && (place === null || !covers(held, place))) limits.set(claim, held)
  }
  return { claims, place, limits }
}

const covers = (held: Place, read: Place): boolean =>
  read.sites.isSubsetOf(held.sites) && read.tags.isSubsetOf(held.tags)

const union = (groups: readonly ScopedGroup[]): Place | null => {
  const places = groups.map(group => group.place)
  if (places.includes(null)) return null
  return {
    sites: new Set(places.flatMap(place => [...(place?.sites ?? [])])),
    tags: new Set(places.flatMap(place => [...(place?.tags ?? [])])),
  }
}
