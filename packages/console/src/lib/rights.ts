import { type Claim, grants, type OwnAccount } from '@narval/contracts'

/** Where something is done: on equipment and what is of it, or on a site as a whole. */
export interface Place {
  readonly siteId: number | null
  /** Null or left out: the site itself. */
  readonly hostId?: number | null
  /** A site of which only some equipment is seen. */
  readonly partial?: boolean
}

/** A host as rights are asked about it. */
export const ofHost = ({ id, siteId }: { readonly id: number; readonly siteId: number }): Place => ({
  siteId,
  hostId: id,
})
/** A site as rights are asked about it. */
export const ofSite = ({ id, partial }: { readonly id: number; readonly partial: boolean }): Place => ({
  ...{ siteId: id, partial },
})

/** What an account may do, and where. */
export interface Rights {
  /** True when the account holds one of these claims, or `admin`. */
  readonly can: (...claims: readonly Claim[]) => boolean
  /** True when it holds one of these claims on this object: what the server would answer to who acts on it. */
  readonly canOn: (on: Place, ...claims: readonly Claim[]) => boolean
  /** True when it holds one of these claims without limit, as what is everybody's asks for: models, types, discovery, imports. */
  readonly canEverywhere: (...claims: readonly Claim[]) => boolean
  /** The claims that it holds without limit: what it may give to others. */
  readonly everywhere: readonly string[]
}

/** The rights of an account; null: none. */
export const rightsOf = (user: OwnAccount | null): Rights => {
  const limits = new Map<string, { sites: ReadonlySet<number>; hosts: ReadonlySet<number> }>()
  for (const { claims, siteIds, hostIds } of user?.limits ?? []) {
    const place = { sites: new Set(siteIds), hosts: new Set(hostIds) }
    for (const claim of claims) limits.set(claim, place)
  }
  const reaches = (claim: Claim, { siteId, hostId = null, partial = false }: Place): boolean => {
    if (hostId === null && partial) return false
    const limit = limits.get(claim)
    return (
      limit === undefined ||
      (siteId !== null && limit.sites.has(siteId)) ||
      (hostId !== null && limit.hosts.has(hostId))
    )
  }
  const isWide = ({ claim }: { readonly claim: string }): boolean => user?.limited !== true && !limits.has(claim)
  const everywhere = (user?.claims ?? []).filter(isWide).map(({ claim }) => claim)
  return {
    can: (...claims) => holds(user, claims),
    canOn: (on, ...claims) => claims.some(claim => holds(user, [claim]) && reaches(claim, on)),
    canEverywhere: (...claims) => grants(everywhere, ...claims),
    everywhere,
  }
}

const holds = (user: OwnAccount | null, claims: readonly Claim[]): boolean =>
  user !== null &&
  grants(
    user.claims.map(entry => entry.claim),
    ...claims,
  )
