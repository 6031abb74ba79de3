import { isSiteClaim } from '@narval/contracts'

/** What a group gives, and on which sites (those under them included); null: on all. */
export interface ScopedGroup {
  readonly claims: readonly string[]
  readonly sites: ReadonlySet<number> | null
}

/** What an account may do, what it reads, and which claims it holds in fewer places than that. */
export interface Scope {
  readonly claims: ReadonlySet<string>
  /** Null: all sites. */
  readonly sites: ReadonlySet<number> | null
  readonly limits: ReadonlyMap<string, ReadonlySet<number>>
}

/**
 * Scopes of groups unite: one reads what any of them reads, and holds a claim wherever one of them gives it; a group
 * without limit reaches everywhere, and so does who has no group. Own claims hold on all that one reads, `admin` on all.
 * Who does not read everything has no claim on the whole platform: it would tell of what is hidden.
 */
export const scopeOf = (given: ReadonlySet<string>, own: readonly string[], groups: readonly ScopedGroup[]): Scope => {
  const sites = given.has('admin') || groups.length === 0 ? null : union(groups)
  const claims = sites === null ? given : new Set([...given].filter(isSiteClaim))
  if (given.has('admin')) return { claims, sites, limits: new Map() }
  const limits = new Map<string, ReadonlySet<number>>()
  for (const claim of claims) {
    const held = own.includes(claim) ? sites : union(groups.filter(group => group.claims.includes(claim)))
    if (held !== null && (sites === null || held.size < sites.size)) limits.set(claim, held)
  }
  return { claims, sites, limits }
}

const union = (groups: readonly ScopedGroup[]): ReadonlySet<number> | null =>
  groups.some(group => group.sites === null) ? null : new Set(groups.flatMap(group => [...(group.sites ?? [])]))
