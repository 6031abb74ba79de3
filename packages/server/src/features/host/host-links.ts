import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { visibleHost } from '../../store/visible.ts'

export interface Named {
  readonly id: number
  readonly name: string
}
/** What a host is tied to: its parents by name, its monitoring models in their order. */
export interface HostLinks {
  readonly parents: readonly Named[]
  readonly monitoringModels: readonly Named[]
}
const NO_LINKS: HostLinks = { parents: [], monitoringModels: [] }

/** The links of some hosts, to what the viewer sees; those without any are left out of the map. */
export const linksOf = async (
  db: Db,
  hostIds: readonly number[],
  viewer: Viewer | 'system' = 'system',
): Promise<(id: number) => HostLinks> => {
  const parents: { host_id: number; id: number; name: string }[] = []
  const models: { host_id: number; id: number; name: string }[] = []
  for (const ids of batches(hostIds)) {
    const above = await db
      .selectFrom('host_parent')
      .innerJoin('host', 'host.id', 'host_parent.parent_id')
      .where('host_parent.host_id', 'in', ids)
      .where(visibleHost(viewer))
      .orderBy('host.name_folded')
      .orderBy('host.id')
      .select(['host_parent.host_id', 'host.id', 'host.name'])
      .execute()
    parents.push(...above)
    const own = await db
      .selectFrom('host_monitoring_model as link')
      .innerJoin('monitoring_model as model', 'model.id', 'link.model_id')
      .where('link.host_id', 'in', ids)
      .orderBy('link.position')
      .select(['link.host_id', 'model.id', 'model.name'])
      .execute()
    models.push(...own)
  }
  const parentsOf = Map.groupBy(parents, row => row.host_id)
  const modelsOf = Map.groupBy(models, row => row.host_id)
  const named = (rows: readonly Named[] | undefined): Named[] => (rows ?? []).map(({ id, name }) => ({ id, name }))
  return id =>
    parentsOf.has(id) || modelsOf.has(id)
      ? { parents: named(parentsOf.get(id)), monitoringModels: named(modelsOf.get(id)) }
      : NO_LINKS
}

/** Replaces the parents of a host. */
export const saveParents = async (trx: Db, hostId: number, parentIds: readonly number[]): Promise<void> => {
  await trx.deleteFrom('host_parent').where('host_id', '=', hostId).execute()
  const rows = [...new Set(parentIds)].map(parent_id => ({ host_id: hostId, parent_id }))
  if (rows.length > 0) await trx.insertInto('host_parent').values(rows).execute()
}

/** Replaces the monitoring models of a host, in this order. */
export const saveMonitoringModels = async (trx: Db, hostId: number, modelIds: readonly number[]): Promise<void> => {
  await trx.deleteFrom('host_monitoring_model').where('host_id', '=', hostId).execute()
  const rows = [...new Set(modelIds)].map((model_id, position) => ({ host_id: hostId, model_id, position }))
  if (rows.length > 0) await trx.insertInto('host_monitoring_model').values(rows).execute()
}

/** Every host above these, whatever the distance. */
export const hostsAbove = async (db: Db, ids: readonly number[]): Promise<Set<number>> => {
  if (ids.length === 0) return new Set()
  const answer = await sql<{ id: number }>`with recursive above(id) as (
      select parent_id from host_parent where host_id in (${sql.join(ids)})
      union select link.parent_id from host_parent link join above on link.host_id = above.id)
    select id from above`.execute(db)
  return new Set(answer.rows.map(row => row.id))
}

/** Parents and children of a host, worst first, at most `limit` each way. */
export const neighboursOf = async (db: Db, viewer: Viewer, id: number, limit: number) => {
  const side = (own: 'host_id' | 'parent_id', other: 'host_id' | 'parent_id') =>
    db
      .selectFrom('host_parent as link')
      .innerJoin('host', 'host.id', `link.${other}`)
      .innerJoin('site', 'site.id', 'host.site_id')
      .where(`link.${own}`, '=', id)
      .where(visibleHost(viewer))
      .orderBy('host.severity_rank')
      .orderBy('host.name_folded')
      .limit(limit)
      .select(['host.id', 'host.name', 'host.site_id', 'site.name as site_name', 'host.state', 'host.severity_rank'])
      .execute()
  return { parents: await side('host_id', 'parent_id'), children: await side('parent_id', 'host_id') }
}
