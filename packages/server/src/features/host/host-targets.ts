import type { Viewer } from '../../http/caller.ts'
import type { Model } from '../../monitoring/fleet/model.ts'
import type { Database } from '../../store/database.ts'
import { withFields } from '../../store/field-lists.ts'
import { type BulkTarget, targetIds } from '../../store/matching.ts'
import { heldIds } from '../../store/memory-list.ts'
import { hostList } from './host.store.ts'
import { createHostsInMemory } from './host-memory.ts'

/** The hosts that ids or a request of their list stand for. */
export const createHostTargets = (database: Database, model: Model) => {
  const inMemory = createHostsInMemory(model)
  return async (viewer: Viewer, target: BulkTarget): Promise<number[]> =>
    targetIds(database, await withFields(database, viewer, 'host', hostList(viewer)), target, heldIds(inMemory(viewer)))
}
