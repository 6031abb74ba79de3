import type { Thread } from '@narval/engine'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'

/** An incident as the notifier reads it. */
export interface IncidentRow {
  readonly id: number
  readonly kind: string
  readonly metric_id: number | null
  readonly host_id: number | null
  readonly site_id: number | null
  readonly probe_id: number | null
  readonly probe_name: string | null
  readonly probe_site_id: number | null
  readonly severity_rank: number
  readonly information: string
  readonly opened_at: number
  readonly closed_at: number | null
  readonly reopened: number
  readonly reopened_at: number | null
  readonly acknowledged_at: number | null
  readonly flapping: number
  readonly parent_id: number | null
}

const incidents = (db: Db) =>
  db
    .selectFrom('incident')
    .leftJoin('probe', 'probe.id', 'incident.probe_id')
    .select([
      ...(['incident.id', 'incident.kind', 'incident.metric_id', 'incident.host_id', 'incident.site_id'] as const),
      ...(['incident.probe_id', 'probe.name as probe_name', 'probe.site_id as probe_site_id'] as const),
      ...(['incident.severity_rank', 'incident.information', 'incident.opened_at', 'incident.closed_at'] as const),
      ...(['incident.acknowledged_at', 'incident.flapping', 'incident.parent_id'] as const),
      ...(['incident.reopened', 'incident.reopened_at'] as const),
    ])

/** All that goes on, oldest first. */
export const readOpenIncidents = (db: Db): Promise<IncidentRow[]> =>
  incidents(db).where('incident.closed_at', 'is', null).orderBy('incident.id').execute()

export const readIncidents = async (db: Db, ids: readonly number[]): Promise<IncidentRow[]> => {
  const found: IncidentRow[] = []
  for (const some of batches(ids)) found.push(...(await incidents(db).where('incident.id', 'in', some).execute()))
  return found
}

/** Hosts that can't be reached now, by the incident that cuts them off. */
export const readEffects = async (db: Db): Promise<Map<number, number[]>> => {
  const rows = await db
    .selectFrom('incident_effect')
    .select(['incident_id', 'host_id'])
    .where('kind', '=', 'cut')
    .where('until', 'is', null)
    .execute()
  const found = new Map<number, number[]>()
  for (const { incident_id, host_id } of rows) found.set(incident_id, [...(found.get(incident_id) ?? []), host_id])
  return found
}

export interface ThreadRow {
  readonly id: number
  readonly ruleId: number | null
  readonly ruleName: string
  readonly tellRecovery: boolean
  /** 0: of no site. */
  readonly siteId: number
  readonly state: string
  readonly thread: Thread
}

/** Conversations that are not over. What is in `state` was written by `saveThread`. */
export const readThreads = async (db: Db): Promise<ThreadRow[]> => {
  const rows = await db.selectFrom('notification_thread').selectAll().orderBy('id').execute()
  return rows.map(row => ({
    ...{ id: row.id, ruleId: row.rule_id, ruleName: row.rule_name, tellRecovery: row.tell_recovery === 1 },
    ...{ siteId: row.site_id, state: row.state, thread: JSON.parse(row.state) },
  }))
}

export const insertThread = async (
  trx: Db,
  of: { readonly ruleId: number; readonly ruleName: string; readonly tellRecovery: boolean; readonly siteId: number },
  state: string,
  nowMs: number,
): Promise<number> => {
  const row = await trx
    .insertInto('notification_thread')
    .values({
      ...{ rule_id: of.ruleId, rule_name: of.ruleName, tell_recovery: of.tellRecovery ? 1 : 0, site_id: of.siteId },
      ...{ state, created_at: nowMs, updated_at: nowMs },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export const saveThread = (trx: Db, id: number, state: string, nowMs: number) =>
  trx.updateTable('notification_thread').set({ state, updated_at: nowMs }).where('id', '=', id).execute()

export const deleteThread = (trx: Db, id: number) =>
  trx.deleteFrom('notification_thread').where('id', '=', id).execute()

/** What to do when equipment or a site fails, as people wrote it. */
export const readInstructions = async (db: Db, hostIds: readonly number[], siteIds: readonly number[]) => {
  const read = async (table: 'host' | 'site', ids: readonly number[]): Promise<Map<number, string>> =>
    ids.length === 0
      ? new Map()
      : new Map(
          (
            await db
              .selectFrom(table)
              .select(['id', 'instruction'])
              .where('id', 'in', [...ids])
              .execute()
          ).map(row => [row.id, row.instruction]),
        )
  return { hosts: await read('host', hostIds), sites: await read('site', siteIds) }
}
