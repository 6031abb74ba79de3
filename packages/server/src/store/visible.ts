import { createHash } from 'node:crypto'
import { type Claim, grants } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { type Viewer, where } from '../http/caller.ts'
import { invalidField } from '../http/refusal.ts'

/**
 * What an account may see of sites, and of what stands on them: `site` is the column with the id of the site. Every query
 * on objects goes through here; what one may not see answers 404 (rule 10). What stands on no site is seen by who sees all.
 */
export const visibleTo = (viewer: Viewer | 'system', site: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (viewer === 'system') return sql<boolean>`1 = 1`
  if (viewer.userId <= 0) return sql<boolean>`1 = 0`
  if (viewer.sites === null) return sql<boolean>`1 = 1`
  return viewer.sites.size === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${site} in (${sql.join([...viewer.sites])})`
}

/** The same for what is listed from memory. */
export const seesSite = (viewer: Viewer | 'system'): ((siteId: number) => boolean) => {
  if (viewer === 'system') return () => true
  const { userId, sites } = viewer
  return siteId => userId > 0 && (sites === null || sites.has(siteId))
}

/** The same account with a site that it has just made. */
export const including = (viewer: Viewer, siteId: number): Viewer =>
  viewer.sites === null ? viewer : { ...viewer, sites: new Set([...viewer.sites, siteId]) }

/** Whether nothing is hidden from it. */
export const seesAll = (viewer: Viewer | 'system'): boolean =>
  viewer === 'system' || (viewer.userId > 0 && viewer.sites === null)

/** Whether it holds a claim on each of these sites. */
export const holdsOn = (viewer: Viewer, claim: Claim, siteIds: readonly number[]): boolean =>
  grants(viewer.claims, claim) && siteIds.every(seesSite(where(viewer, claim)))

/** Objects are put only where one may see them afterwards. @throws Refusal as for a site that is not. */
export const requireSeen = (viewer: Viewer, siteId: number | null | undefined, field = 'siteId'): void => {
  if (siteId != null && !seesSite(viewer)(siteId)) throw invalidField(field, "Ce site n'existe pas.")
}

const keys = new WeakMap<ReadonlySet<number>, string>()
/** What tells apart answers that are kept for viewers: those who see the same have the same. */
export const scopeKey = ({ userId, sites }: Viewer): string => {
  if (sites === null || userId <= 0) return String(userId)
  const known =
    keys.get(sites) ??
    createHash('sha256')
      .update([...sites].join())
      .digest('base64url')
  keys.set(sites, known)
  return `${userId} ${known}`
}
