import type { Viewer } from '../../http/caller.ts'
import type { Database } from '../../store/database.ts'
import { withFields } from '../../store/field-lists.ts'
import { type BulkTarget, targetIds } from '../../store/matching.ts'
import { siteList } from './site.store.ts'

/** The sites that ids or a request of their list stand for. */
export const createSiteTargets =
  (database: Database) =>
  async (viewer: Viewer, target: BulkTarget): Promise<number[]> =>
    targetIds(database, await withFields(database, viewer, 'site', siteList(viewer)), target)
