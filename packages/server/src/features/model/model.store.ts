import { fold, type ModelVersion, type MonitoringModel, type MonitoringModelInput } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { idFilter, type ListSpec } from '../../store/datatable.ts'
import { definitionOf } from '../../store/model-values.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { seesAll, visibleHost } from '../../store/visible.ts'

export interface ModelRow {
  id: number
  name: string
  description: string
  definition: string
  hosts: number
  versions: number
  created_at: number
  updated_at: number
  updated_by: string | null
}

/** Of the hosts that one sees. */
const hostsOf = (viewer: Viewer | 'system') =>
  seesAll(viewer)
    ? sql<number>`(select count(*) from host_monitoring_model l where l.model_id = monitoring_model.id)`
    : sql<number>`(select count(*) from host_monitoring_model l join host on host.id = l.host_id
        where l.model_id = monitoring_model.id and ${visibleHost(viewer)})`
const VERSIONS = sql<number>`(select count(*) from monitoring_model_version v where v.model_id = monitoring_model.id)`

export const modelList = (viewer: Viewer | 'system'): ListSpec => ({
  select: sql`monitoring_model.id, monitoring_model.name, monitoring_model.description, monitoring_model.definition, ${hostsOf(viewer)} as hosts,
    ${VERSIONS} as versions, monitoring_model.created_at, monitoring_model.updated_at, monitoring_model.updated_by`,
  from: sql`monitoring_model`,
  visible: sql<boolean>`1 = 1`,
  columns: {
    id: { sort: sql`monitoring_model.id` },
    name: { sort: sql`monitoring_model.name_folded`, search: sql`monitoring_model.name_folded` },
    description: { sort: sql`monitoring_model.description`, search: sql`lower(monitoring_model.description)` },
    hosts: { sort: hostsOf(viewer) },
    versions: { sort: VERSIONS },
    createdAt: { sort: sql`monitoring_model.created_at` },
    updatedAt: { sort: sql`monitoring_model.updated_at` },
    updatedBy: { sort: sql`monitoring_model.updated_by` },
  },
  filters: { id: idFilter(sql`monitoring_model.id`) },
  order: sql`monitoring_model.name_folded`,
  tie: sql`monitoring_model.id`,
})

export const toModel = (row: ModelRow): MonitoringModel => ({
  id: row.id,
  name: row.name,
  description: row.description,
  definition: definitionOf(row.definition),
  hosts: Number(row.hosts),
  versions: Number(row.versions),
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
  updatedBy: row.updated_by,
})

export const modelColumns = ({ name, description, definition }: MonitoringModelInput) => ({
  name,
  name_folded: fold(name),
  description,
  definition: JSON.stringify(definition),
})

/** Saves a model unless somebody did since `updatedAt`: false, and nothing is written. */
export const saveModel = async (
  trx: Db,
  before: MonitoringModel,
  input: MonitoringModelInput,
  by: string,
  nowMs: number,
): Promise<boolean> => {
  const basedOn = fromIso(before.updatedAt)
  const saved = await trx
    .updateTable('monitoring_model')
    .set({ ...modelColumns(input), updated_at: Math.max(nowMs, basedOn + 1), updated_by: by })
    .where('id', '=', before.id)
    .where('updated_at', '=', basedOn)
    .executeTakeFirst()
  return Number(saved.numUpdatedRows) === 1
}

/** Versions kept of a model; the oldest goes. */
export const MAX_VERSIONS = 50

/** Keeps what a model was, so that its change can be undone. */
export const keepVersion = async (trx: Db, was: MonitoringModel, by: string, nowMs: number): Promise<void> => {
  const { name, description, definition } = was
  await trx
    .insertInto('monitoring_model_version')
    .values({ model_id: was.id, name, description, definition: JSON.stringify(definition), at: nowMs, changed_by: by })
    .execute()
  await sql`delete from monitoring_model_version where model_id = ${was.id} and id not in (
    select id from monitoring_model_version where model_id = ${was.id} order by id desc limit ${sql.lit(MAX_VERSIONS)})`.execute(
    trx,
  )
}

/** What a model was before its last change; null when it never changed. */
export const lastVersion = async (db: Db, modelId: number): Promise<ModelVersion | null> =>
  (await readVersions(db, modelId, null, 1))[0] ?? null

/** Former versions, the newest first; `before` an id goes on from there. */
export const readVersions = async (
  db: Db,
  modelId: number,
  before: number | null,
  limit = MAX_VERSIONS,
): Promise<ModelVersion[]> => {
  const rows = await db
    .selectFrom('monitoring_model_version')
    .selectAll()
    .where('model_id', '=', modelId)
    .$if(before !== null, query => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, name, description, definition, at, changed_by }) => ({
    id,
    name,
    description,
    definition: definitionOf(definition),
    at: toIso(at),
    by: changed_by,
  }))
}

/** The hosts that have a model. */
export const hostsOfModel = async (db: Db, modelId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('host_monitoring_model')
    .select('host_id')
    .where('model_id', '=', modelId)
    .orderBy('host_id')
    .execute()
  return rows.map(row => row.host_id)
}

export const takeModelOffHosts = (trx: Db, modelId: number) =>
  trx.deleteFrom('host_monitoring_model').where('model_id', '=', modelId).execute()
