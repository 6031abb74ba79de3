import { CLAIM_TEXTS, CLAIMS, type Claim, grants, isSiteClaim } from '@narval/contracts'
import { fr } from './fr.ts'

/** What a group is limited to, by name. */
export interface Placed {
  readonly sites: readonly { readonly name: string }[]
  readonly tags: readonly string[]
}

/** Its sites, then its tags, as they are told. */
export const placeNames = ({ sites, tags }: Placed): string[] => [...sites.map(site => site.name), ...tags.map(fr.tag)]

/** The first of many names, and how many more there are. */
export const shortNames = (names: readonly string[]): string => {
  if (names.length === 0) return fr.matrix.nowhere
  const [told, more] = [names.slice(0, SHOWN_NAMES).join(', '), names.length - SHOWN_NAMES]
  return more > 0 ? `${told} et ${fr.matrix.others(more)}` : told
}
const SHOWN_NAMES = 3

/** A group as far as rights go: what it gives, and whether only in its place. */
export interface GivingGroup extends Placed {
  readonly id: number
  readonly name: string
  readonly claims: readonly string[]
  readonly limited: boolean
}

/** How far a claim reaches: everywhere, in some places, nowhere as the account is limited, or not held. */
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
  /** Where, by name, of a claim that is held in some places. */
  readonly places: readonly string[]
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
    const reach = isAdmin ? 'everywhere' : isHeld ? reachOf(claim, own.includes(claim), given, limited) : 'none'
    // An own right holds wherever the account reads: where any of its groups shows something.
    const giving = own.includes(claim) ? groups : groups.filter((_, at) => given[at] !== null)
    return {
      ...{ claim, own: own.includes(claim), groups: given, reach },
      byAdmin: isAdmin && !isHeld,
      places: reach === 'sites' ? [...new Set(giving.flatMap(placeNames))] : [],
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
