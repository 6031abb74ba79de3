import { CLAIM_TEXTS, CLAIMS, type Claim, grants, isSiteClaim } from '@narval/contracts'

/** A group as far as rights go: what it gives, and whether only on its sites. */
export interface GivingGroup {
  readonly id: number
  readonly name: string
  readonly claims: readonly string[]
  readonly limited: boolean
}

/** How far a claim reaches: everywhere, on some sites, nowhere as the account is limited, or not held. */
export type Reach = 'everywhere' | 'sites' | 'without' | 'none'

/** One claim of an account: what of it comes from where, and what that makes. */
export interface ClaimSource {
  readonly claim: Claim
  readonly own: boolean
  /** For each of the account's groups, in their order. */
  readonly groups: readonly ('gives' | 'sites' | null)[]
  /** It has it because `admin` gives everything. */
  readonly byAdmin: boolean
  readonly reach: Reach
}

/** Whether groups limit what an account reads: it has some, and all of them are limited; never who administers. */
export const isLimited = (own: readonly string[], groups: readonly GivingGroup[]): boolean =>
  !own.includes('admin') &&
  groups.length > 0 &&
  groups.every(group => group.limited) &&
  !groups.some(group => group.claims.includes('admin'))

/** Every claim with its sources, in the order in which claims are listed: the same rules as the server's. */
export const claimSources = (own: readonly string[], groups: readonly GivingGroup[]): ClaimSource[] => {
  const isAdmin = own.includes('admin') || groups.some(group => group.claims.includes('admin'))
  const limited = isLimited(own, groups)
  return CLAIMS.map(claim => {
    const given = groups.map(group => (group.claims.includes(claim) ? (group.limited ? 'sites' : 'gives') : null))
    const isHeld = own.includes(claim) || given.some(one => one !== null)
    return {
      ...{ claim, own: own.includes(claim), groups: given },
      byAdmin: isAdmin && !isHeld,
      reach: isAdmin ? 'everywhere' : isHeld ? reachOf(claim, own.includes(claim), given, limited) : 'none',
    }
  })
}

const reachOf = (claim: Claim, own: boolean, given: ClaimSource['groups'], limited: boolean): Reach => {
  if (limited) return isSiteClaim(claim) ? 'sites' : 'without'
  return own || given.includes('gives') ? 'everywhere' : 'sites'
}

/** Names of the claims that one does not hold, among some: what one may neither give nor take. */
export const lackedLabels = (held: Iterable<string>, claims: readonly string[]): string => {
  const own = new Set(held)
  return CLAIMS.filter(claim => claims.includes(claim) && !grants(own, claim))
    .map(claim => CLAIM_TEXTS[claim].label)
    .join(', ')
}
