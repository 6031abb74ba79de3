import { HISTORY_PAGE, type HistoryEntry } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import type { Database, Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { toldChanges } from './change-words.ts'

/** What has a history: each is asked for by a route of its own, or of its entity's. */
type Recorded = keyof typeof TABLES

/** What was done to records, as the audit keeps it, in words that people read: no custom field that they may not read. */
export const createHistoryService = (database: Database) => ({
  async list(viewer: Viewer, object: Recorded, id: number, before: number | undefined): Promise<HistoryEntry[]> {
    const { db } = database
    if (!(await isThere(db, object, id))) throw notFound("Cet objet n'existe pas.")
    const rows = await db
      .selectFrom('audit')
      .select(['id', 'at', 'actor', 'action', 'detail'])
      .where('object', '=', `${object} ${id}`)
      .where('outcome', '=', 'success')
      .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(HISTORY_PAGE)
      .execute()
    const told = await toldChanges(
      database,
      viewer,
      rows.map(({ detail }) => ({ objectKind: object, objectId: id, detail })),
    )
    return rows.map((row, index) => ({
      id: row.id,
      at: toIso(row.at),
      actor: row.actor,
      action: row.action,
      changes: told[index] ?? [],
    }))
  },
})
export type HistoryService = ReturnType<typeof createHistoryService>

const TABLES = {
  site: 'site',
  host: 'host',
  scanner: 'scanner',
  metric: 'metric',
  'monitoring-model': 'monitoring_model',
  account: 'account',
  'user-group': 'user_group',
} as const
const isThere = async (db: Db, object: Recorded, id: number): Promise<boolean> =>
  (await db.selectFrom(TABLES[object]).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
