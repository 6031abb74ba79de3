import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../http/caller.ts'

/**
 * What an account may see of sites, and of what stands on them: for now everything. Every query on objects goes through
 * here, so that rights by object come as one change; what one may not see answers 404 (rule 10).
 */
export const visibleTo = (viewer: Viewer | 'system'): RawBuilder<boolean> =>
  viewer === 'system' || viewer.userId > 0 ? sql<boolean>`1 = 1` : sql<boolean>`1 = 0`

/** The same for what is listed from memory. */
export const seesSite =
  (viewer: Viewer | 'system') =>
  (_siteId: number): boolean =>
    viewer === 'system' || viewer.userId > 0
